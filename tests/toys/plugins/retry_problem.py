from attrs import frozen
from beliefsearch import BeliefProblem


@frozen
class RetryProblem(BeliefProblem[str, str, str]):
    """Try again and again, or be sure at a price."""

    def initial_states(self):
        return ["here"]

    def actions(self, state):
        return ("try", "sure")

    def results(self, state, action):
        return ["here", "there"] if state == "here" and action == "try" else ["there"]

    def percepts(self, state, action):
        return (state,)

    def is_goal(self, state):
        return state == "there"

    def action_cost(self, state, action):
        return 1 if action == "try" else 5
