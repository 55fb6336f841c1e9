from fractions import Fraction
from beliefsearch import Problem


class Tolls(Problem[int, str]):
    """Costs of every kind."""

    def initial_state(self):
        return 0

    def actions(self, state):
        return ["whole", "float", "fraction", "nothing"]

    def result(self, state, action):
        return state + 1

    def is_goal(self, state):
        return state == 2

    def action_cost(self, state, action):
        return {"whole": 2, "float": 0.1, "fraction": Fraction(1, 3), "nothing": 0}[action] if state else 1
