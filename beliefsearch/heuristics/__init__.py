"""Heuristics by name (`registry.py`); one admissible bound in each file."""
