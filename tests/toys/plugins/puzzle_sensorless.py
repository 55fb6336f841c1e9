from beliefsearch import BeliefProblem


class Puzzle(BeliefProblem[object, object, None]):
    """Go to the end."""

    def initial_states(self):
        return ["here", "there"]

    def actions(self, state):
        return ["stay", "go"]

    def results(self, state, action):
        return ["end" if action == "go" else state]

    def is_goal(self, state):
        return state == "end"
