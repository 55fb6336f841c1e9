"""Tables with hints, made of plan files: what a checker would have to look for is looked for here.

Nothing in this folder need be trusted, since `verify/checker.py` checks the tables.
"""
