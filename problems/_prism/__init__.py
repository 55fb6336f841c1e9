"""Models in the language of PRISM: reading them, and what may follow in each state."""
