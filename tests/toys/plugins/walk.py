from beliefsearch import Problem


class Walk(Problem[int, str]):
    """Walk to the third milestone."""

    def initial_state(self):
        return 0

    def actions(self, state):
        return ["walk on"]

    def result(self, state, action):
        return state + 1

    def is_goal(self, state):
        return state == 3
