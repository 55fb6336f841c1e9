"""Engines by which other libraries call this one; each file imports its library, and nothing else does."""
