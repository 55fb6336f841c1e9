"""What a search gives: plans, policies and results, and the files they are kept in."""
