from beliefsearch import Problem


class Counter(Problem[int, str]):
    """Count to three thousand."""

    def initial_state(self):
        return 0

    def actions(self, state):
        return ["one more"]

    def result(self, state, action):
        return state + 1

    def is_goal(self, state):
        return state == 3000
