from fractions import Fraction

from beliefsearch import StochasticProblem


class DiceProblem(StochasticProblem[tuple[int, int], str]):
    """Throw a die up to three times, and be paid the last throw."""

    def initial_state(self):
        return (0, 3)

    def actions(self, state):
        return ("throw", "stop")

    def outcomes(self, state, action):
        eyes, left = state
        if action == "stop":
            return [(1, (eyes, 0))]
        return [(Fraction(1, 6), (face, left - 1)) for face in range(1, 7)]

    def is_terminal(self, state):
        return state[1] == 0

    def utility(self, state):
        return state[0]
