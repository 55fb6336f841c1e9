"""Planner: from a problem to its answer, by options, the search for each kind of problem, and closed forms."""
