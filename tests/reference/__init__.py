"""Reference algorithms: naive twins and oracles that only tests call."""
