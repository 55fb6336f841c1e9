"""Reasons: proofs that an answer cannot be better, why a plan works or the adversary wins, beliefs along a plan."""
