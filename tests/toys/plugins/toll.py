from fractions import Fraction
from beliefsearch import BeliefProblem


class Toll(BeliefProblem[int, str, None]):
    """Two tolls of 5/4, whichever the road: a wrong turn at the first one costs 3/2 and is worth as much."""

    def initial_states(self):
        return [1, 2]

    def actions(self, state):
        return ["drive"]

    def results(self, state, action):
        return [state - 1 if state else 0]

    def is_goal(self, state):
        return state == 0

    def action_cost(self, state, action):
        return Fraction(5, 4)
