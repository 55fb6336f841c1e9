from beliefsearch import BeliefProblem


class Doubling(BeliefProblem[int, str, None]):
    """Know less and less."""

    def initial_states(self):
        return [1]

    def actions(self, state):
        return ["fork"]

    def results(self, state, action):
        return [2 * state, 2 * state + 1]

    def is_goal(self, state):
        return False
