from beliefsearch import BeliefProblem


class BlindGuessProblem(BeliefProblem[str, str, None]):
    """Name the letter, and it is won; name another one, and it is lost."""

    def initial_states(self):
        return ("a", "b")

    def actions(self, state):
        return ("a", "b")

    def results(self, state, action):
        return ["won" if state in (action, "won") else "lost"]

    def is_goal(self, state):
        return state == "won"
