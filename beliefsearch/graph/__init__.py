"""Graphs of problems: built as networkx graphs, written in the formats other programs read."""
