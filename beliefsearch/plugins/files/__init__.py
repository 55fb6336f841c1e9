"""Saved answers: how they are read, trusted and verified."""
