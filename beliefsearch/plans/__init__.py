"""The answers of a search: plans, policies and results, and their files."""
