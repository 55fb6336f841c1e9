"""Explanations: the reason why a plan wins, or why none does, in sentences and tables."""
