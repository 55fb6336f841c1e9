"""Solvers of AND-OR problems: their answer is a conditional plan."""
