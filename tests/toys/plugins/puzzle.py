from beliefsearch import BeliefProblem


class Puzzle(BeliefProblem[str, str, None]):
    """Go to the end."""

    def initial_states(self):
        return ["here"]

    def actions(self, state):
        return ["go"]

    def results(self, state, action):
        return ["end"]

    def is_goal(self, state):
        return state == "end"
