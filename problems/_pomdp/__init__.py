"""Reading Cassandra's format of POMDPs."""
