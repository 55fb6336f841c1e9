"""A search while it runs: its limits, its observers, and its record."""
