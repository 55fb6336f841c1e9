"""Guessing games: contingent problems in which only the start is unknown."""
