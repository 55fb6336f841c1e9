"""The checker: plans, policies and proofs, by the definition; it trusts no solver."""
