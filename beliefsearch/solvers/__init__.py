"""Solvers by name (`planner/solver_table.py`); each is a function, with one algorithm in each file.

As a door the package has the algorithms for any problem that they fit, `__init__.pyi` lists them.
"""

from .._doors import Door

Door.open(__name__)
