"""Solvers of plain problems and of views as plain problems: their answer is a sequence of actions."""
