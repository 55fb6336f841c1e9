"""Solvers by name (`registry.py`); one algorithm a file, each a function."""
