from beliefsearch import BeliefProblem


class Narrow(BeliefProblem[int, str, None]):
    """Only at 0 can one leap."""

    def initial_states(self):
        return [0, 1]

    def actions(self, state):
        return ["stay", "leap", "go"] if state == 0 else ["stay", "go"]

    def results(self, state, action):
        return [state] if action == "stay" else [2]

    def is_goal(self, state):
        return state == 2
