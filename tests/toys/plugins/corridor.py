from beliefsearch import Problem


class Corridor(Problem[int, str]):
    """Walk to the end."""

    def initial_state(self):
        return 0

    def actions(self, state):
        return ["right"] if state == 0 else ["left", "right"]

    def result(self, state, action):
        return state + (1 if action == "right" else -1)

    def is_goal(self, state):
        return state == 2

    def format_state(self, state):
        return f"square {state}"
