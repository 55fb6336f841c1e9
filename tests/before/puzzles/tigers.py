from fractions import Fraction

from beliefsearch import StochasticProblem

SIDES = ("left", "right")


class TigersProblem(StochasticProblem[str, str, str]):
    """Listen at two doors, and open the one without the tiger."""

    def initial_distribution(self):
        return [(Fraction(1, 2), side) for side in SIDES]

    def actions(self, state):
        return ("listen", "open-left", "open-right")

    def outcomes(self, state, action):
        return [(Fraction(1), state)] if action == "listen" else self.initial_distribution()

    def percept_distribution(self, state, action):
        if action != "listen":
            return [(Fraction(1, 2), side) for side in SIDES]
        return [(Fraction(85 if side == state else 15, 100), side) for side in SIDES]

    def reward(self, state, action):
        if action == "listen":
            return -1
        return -100 if action == f"open-{state}" else 10

    def discount(self):
        return Fraction(3, 4)
