from beliefsearch import Problem


class Place:
    def __init__(self, number):
        self.number = number


class Squares(Problem[object, object]):
    """Walk to the last square."""

    def __init__(self):
        self.start = Place(0)

    def initial_state(self):
        return self.start

    def actions(self, state):
        return ["on"]

    def result(self, state, action):
        state.number += 1
        return state

    def is_goal(self, state):
        return state.number == 2
