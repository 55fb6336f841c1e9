"""Interactive games: the user plays, or watches a plan play."""
