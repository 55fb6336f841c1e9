"""What an author writes: problems and their hooks; and the definition of a belief."""
