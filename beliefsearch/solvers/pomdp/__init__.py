"""Solvers of partially observable stochastic problems: one algorithm a file."""
