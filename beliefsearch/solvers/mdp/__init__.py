"""Solvers of stochastic problems in which the player sees every state: their answer is a policy."""
