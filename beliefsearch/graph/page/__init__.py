"""The page of a problem: one HTML file with its graph, its plan step by step, and the game to be played."""
