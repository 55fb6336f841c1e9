"""Charts by matplotlib: sweeps, profiles, policies, explorations."""
