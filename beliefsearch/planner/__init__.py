"""From a problem to its answer: the request, the search for each kind of problem, and answers in closed form."""
