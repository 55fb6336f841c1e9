from fractions import Fraction
from beliefsearch import StochasticProblem

HALF = Fraction(1, 2)


class ToAndFro(StochasticProblem[str, str]):
    """Go to and fro until somebody wins."""

    def initial_state(self):
        return "here"

    def actions(self, state):
        return ["stop", "go"] if state == "here" else ["go"]

    def outcomes(self, state, action):
        if action == "stop":
            return [(1, "lost")]
        return [(HALF, "there"), (HALF, "won")] if state == "here" else [(HALF, "here"), (HALF, "lost")]

    def is_terminal(self, state):
        return state in ("won", "lost")

    def utility(self, state):
        return {"won": 4, "lost": 1}[state]
