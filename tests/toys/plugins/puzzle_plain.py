from beliefsearch import Problem


class Puzzle(Problem[object, object]):
    """Go to the end."""

    def initial_state(self):
        return "here"

    def actions(self, state):
        return ["stay", "go"]

    def result(self, state, action):
        return "end" if action == "go" else state

    def is_goal(self, state):
        return state == "end"
