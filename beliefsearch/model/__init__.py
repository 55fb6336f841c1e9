"""What an author writes: problems, the hooks they may have, and the definition of a belief."""
