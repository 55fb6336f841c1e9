"""Solving problems in which chance decides: one concept a file; `solving.py` is the way in."""
