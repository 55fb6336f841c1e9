"""Solvers of POMDPs: the player perceives something of the state, and knows the odds."""
