from beliefsearch import BeliefProblem


class Squares(BeliefProblem[object, object, object]):
    """Walk to the last square."""

    def initial_states(self):
        return ["s0", "s1", "s2"]

    def actions(self, state):
        return ["left", "right"]

    def results(self, state, action):
        here = int(state[1])
        return [f"s{min(here + 1, 2) if action == 'right' else max(here - 1, 0)}"]

    def is_goal(self, state):
        return state == "s2"
