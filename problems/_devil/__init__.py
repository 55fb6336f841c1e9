"""What `devil.py` needs beyond the game itself: why its answers are right, evidence that can be checked, and speed."""
