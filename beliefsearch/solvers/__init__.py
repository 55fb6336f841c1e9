"""Solvers by name (`registry.py`); each is a function, with one algorithm in each file."""
