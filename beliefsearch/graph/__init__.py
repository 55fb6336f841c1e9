"""Graphs of problems: streams of nodes and edges, objects of networkx, and files in the formats of other programs.

The public names stand in `__init__.pyi`.
"""

from .._doors import Door

Door.open(__name__)
