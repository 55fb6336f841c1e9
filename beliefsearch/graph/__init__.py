"""Graphs of problems: streams of nodes and edges, objects of networkx, and files in the formats of other programs."""
