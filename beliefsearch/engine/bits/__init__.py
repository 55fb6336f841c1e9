"""Beliefs as Python integers: nothing to load, nothing to compile."""
