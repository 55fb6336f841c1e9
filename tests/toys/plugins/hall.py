from beliefsearch import Problem


class Hall(Problem[int, str]):
    """There is no way."""

    def initial_state(self):
        return 0

    def actions(self, state):
        return ["a", "b"] if state < 3 else []

    def result(self, state, action):
        return min(3, state + (1 if action == "a" else 2))

    def is_goal(self, state):
        return state == 7
