"""Solvers by name (`planner/solver_table.py`); each is a function, with one algorithm in each file."""
