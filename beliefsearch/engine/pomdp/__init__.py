"""Heuristic search value iteration over arrays, compiled."""
