from beliefsearch import BeliefProblem


class PitProblem(BeliefProblem[str, str, str]):
    """Two doors look alike, one leads into a pit, and a look tells nothing."""

    def initial_states(self):
        return ("left is safe", "right is safe")

    def actions(self, state):
        return ("left", "right", "look")

    def results(self, state, action):
        if action == "look" or state in ("out", "pit"):
            return [state]
        return ["out" if state.startswith(action) else "pit"]

    def percepts(self, state, action):
        return (state if state in ("out", "pit") else "two doors",)

    def is_goal(self, state):
        return state == "out"
