from beliefsearch import BeliefProblem


class Twins(BeliefProblem[str, str, None]):
    """Claims that two states are the same, of which only one is won: canonical() lies."""

    def initial_states(self):
        return ["lost", "won"]

    def actions(self, state):
        return ["wait"]

    def results(self, state, action):
        return [state]

    def is_goal(self, state):
        return state == "won"

    def canonical(self, state):
        return "won"
