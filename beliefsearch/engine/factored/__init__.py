"""Beliefs as one small belief for each factor, and relaxed plans over them."""
