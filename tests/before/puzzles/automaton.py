from attrs import field, frozen
from beliefsearch import BeliefProblem


@frozen
class AutomatonProblem(BeliefProblem[int, str, None]):
    """Reset the automaton of Černý in the dark; its letters may differ in cost."""

    states: int = field(default=6)
    dear: int = field(default=1)

    def initial_states(self):
        return range(self.states)

    def actions(self, state):
        return ("turn", "merge")

    def results(self, state, action):
        if action == "turn":
            return [(state + 1) % self.states]
        return [0 if state == self.states - 1 else state]

    def is_goal(self, state):
        return state == 0

    def action_cost(self, state, action):
        return self.dear if action == "turn" else 1
