"""Problems as an author writes them, their hooks, and the definition of a belief."""
