"""Solvers of plain problems, and of views that look like them: their answer is a sequence of actions."""
