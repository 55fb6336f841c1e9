"""Reading Storm's explicit format of Markov models."""
