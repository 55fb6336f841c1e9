"""Beliefs as Python integers, without NumPy or compiled code."""
