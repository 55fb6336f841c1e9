"""Knowledge as sets of futures: what of the possible states still matters, where results and percepts are certain."""
