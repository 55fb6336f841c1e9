from fractions import Fraction
from beliefsearch import StochasticProblem


class Squares(StochasticProblem[object, object]):
    """Walk to the last square."""

    def initial_state(self):
        return "s0"

    def actions(self, state):
        return ["left", "right"]

    def outcomes(self, state, action):
        return [(Fraction(1, 2), "s0"), (Fraction(1, 2), "s2" if action == "right" else "s1")]

    def is_terminal(self, state):
        return state == "s2"

    def utility(self, state):
        return 1
