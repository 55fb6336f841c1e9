"""Breadth-first layers of codes: one frontier step as array functions, in memory, on disk or on a cluster."""
