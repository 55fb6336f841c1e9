"""The puzzles, one file each; imported as `beliefsearch_problems`. They use the public names of `beliefsearch` only."""
