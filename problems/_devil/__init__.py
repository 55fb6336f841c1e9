"""Helpers of `devil.py`: why its answers are right, evidence that can be checked, and speed."""
