from attrs import field, frozen
from beliefsearch import BeliefProblem


@frozen
class NumberProblem(BeliefProblem[int, int, str]):
    """Find out the hidden number by asking whether it is below another one."""

    limit: int = field(default=6)

    def initial_states(self):
        return range(self.limit)

    def actions(self, state):
        return range(1, self.limit)

    def results(self, state, action):
        return [state]

    def percepts(self, state, action):
        return ("below" if state < action else "not below",)

    def is_goal(self, state):
        return False

    def goal_sets(self):
        return [{number} for number in range(self.limit)]
