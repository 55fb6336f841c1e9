from itertools import count
from beliefsearch import BeliefProblem, Problem


class Sensorless(BeliefProblem[int, str, None]):
    """Know nothing at all."""

    def initial_states(self):
        return count()

    def actions(self, state):
        return ["wait"]

    def results(self, state, action):
        return [state]

    def is_goal(self, state):
        return False


class Plain(Problem[int, str]):
    """Start anywhere."""

    def initial_state(self):
        return 0

    def possible_starts(self):
        return count()

    def actions(self, state):
        return ["wait"]

    def result(self, state, action):
        return state

    def is_goal(self, state):
        return False


class EndlessResults(Sensorless):
    """Arrive anywhere."""

    def initial_states(self):
        return [0]

    def results(self, state, action):
        return count()
