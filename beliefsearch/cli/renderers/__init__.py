"""Answers as text and as documents: plans, policies, proofs and tables."""
