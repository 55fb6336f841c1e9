"""The factors of a floor."""
