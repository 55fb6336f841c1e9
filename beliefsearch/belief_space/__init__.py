"""Belief problems as plain or AND-OR problems, on frozensets: the reference for testing the engine."""
