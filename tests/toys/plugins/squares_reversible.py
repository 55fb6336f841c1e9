from beliefsearch.hooks import ReversibleProblem


class Squares(ReversibleProblem[object, object]):
    """Walk to the last square."""

    def initial_state(self):
        return "s0"

    def actions(self, state):
        return ["left", "right"]

    def result(self, state, action):
        here = int(state[1])
        return f"s{min(here + 1, 2) if action == 'right' else max(here - 1, 0)}"

    def is_goal(self, state):
        return state == "s2"

    def goal_states(self):
        return ["s2"]

    def predecessors(self, state):
        return [
            (before, action)
            for before in ("s0", "s1", "s2")
            for action in self.actions(before)
            if self.result(before, action) == state
        ]
