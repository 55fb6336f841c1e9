"""A belief problem seen as a plain one or as an AND-OR problem, on frozensets: the oracle of the engine."""
