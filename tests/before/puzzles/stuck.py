from beliefsearch import BeliefProblem


class StuckProblem(BeliefProblem[int, str, None]):
    """Two coins that always differ can never be made equal."""

    def initial_states(self):
        return (1, 2)

    def actions(self, state):
        return ("first", "both")

    def results(self, state, action):
        return [state ^ 3] if action == "both" else [state, state ^ 3]

    def is_goal(self, state):
        return state in (0, 3)
