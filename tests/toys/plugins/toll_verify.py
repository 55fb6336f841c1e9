from fractions import Fraction
from beliefsearch import BeliefProblem


class Toll(BeliefProblem[int, str, None]):
    """Pay the toll of the dearest road that may be yours."""

    def initial_states(self):
        return [1, 2, 3]

    def actions(self, state):
        return ["drive"]

    def results(self, state, action):
        return [0]

    def is_goal(self, state):
        return state == 0

    def action_cost(self, state, action):
        return Fraction(state, 2)
