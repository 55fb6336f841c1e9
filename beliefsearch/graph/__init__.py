"""Graphs of problems: built with networkx, and written in the formats of other programs."""
