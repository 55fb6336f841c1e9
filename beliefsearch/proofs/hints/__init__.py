"""Elaborator of proofs: makes tables with reasons of proofs that only list things.

Nothing here need be trusted, since the tables are checked.
"""
