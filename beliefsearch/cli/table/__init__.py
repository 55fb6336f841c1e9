"""Games at the table, which somebody plays or watches."""
