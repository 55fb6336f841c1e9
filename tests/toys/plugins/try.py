from fractions import Fraction
from beliefsearch import StochasticProblem


class Try(StochasticProblem[str, str]):
    """Try until it works."""

    def initial_state(self):
        return "s0"

    def actions(self, state):
        return ["try", "leave"]

    def outcomes(self, state, action):
        return [(Fraction(1, 3), "s0"), (Fraction(2, 3), "won")] if action == "try" else [(1, "left")]

    def is_terminal(self, state):
        return state != "s0"

    def utility(self, state):
        return {"won": 7, "left": 5}[state]
