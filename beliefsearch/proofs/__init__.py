"""Reasons for an answer: proofs that none is better, explanations, and the beliefs along a plan."""
