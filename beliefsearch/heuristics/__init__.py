"""Heuristics by name (`registry.py`); one admissible bound a file."""
