from beliefsearch import BeliefProblem
from beliefsearch.hooks import ConstructionHook


class EndlessProblem(BeliefProblem[int, str, None], ConstructionHook[str]):
    """One of its methods never returns."""

    def initial_states(self):
        return [0]

    def actions(self, state):
        return ["go"]

    def results(self, state, action):
        return [state + 1]

    def is_goal(self, state):
        return state == 2

    def construction(self):
        return None

    def check_construction(self, evidence):
        return None
