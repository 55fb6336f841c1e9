from fractions import Fraction
from attrs import field, frozen
from beliefsearch import BeliefProblem


@frozen
class Boxes(BeliefProblem[int, str, str]):
    """Find the prize in one of a few boxes."""

    n: int = field(default=3, metadata={"help": "how many boxes"})

    def initial_states(self):
        return range(1, self.n + 1)

    def actions(self, state):
        return tuple(f"open {box}" for box in range(1, self.n + 1))

    def results(self, state, action):
        return (0,) if action == f"open {state}" else (state,)

    def percepts(self, state, action):
        return ("nothing" if state else "prize",)

    def is_goal(self, state):
        return state == 0


class Door(BeliefProblem[str, str, str]):
    """Push a door that sticks."""

    def initial_states(self):
        return ["shut"]

    def actions(self, state):
        return ["push"]

    def results(self, state, action):
        return ["shut", "open"]

    def percepts(self, state, action):
        return [state]

    def is_goal(self, state):
        return state == "open"


class HeldDoor(Door):
    """Somebody holds the door."""

    def has_adversary(self):
        return True


class Toll(BeliefProblem[int, str, None]):
    """Pay the toll of the road that is yours."""

    def initial_states(self):
        return [1, 2]

    def actions(self, state):
        return ["drive"]

    def results(self, state, action):
        return [0]

    def is_goal(self, state):
        return state == 0

    def action_cost(self, state, action):
        return state


class Dumb(Boxes):
    """An author's mistake."""

    def percepts(self, state, action):
        return "prize"
