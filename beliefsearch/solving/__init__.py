"""From a problem to its answer: the request, the way for each kind of problem, and the answer in closed form."""
