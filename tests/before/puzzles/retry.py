from beliefsearch import BeliefProblem


class RetryProblem(BeliefProblem[str, str, str]):
    """Try again and again: nothing else gets there."""

    def initial_states(self):
        return ["here"]

    def actions(self, state):
        return ("try",)

    def results(self, state, action):
        return ["here", "there"]

    def percepts(self, state, action):
        return (state,)

    def is_goal(self, state):
        return state == "there"
