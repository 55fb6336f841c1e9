"""New: a puzzle for beliefsearch."""

from attrs import field, frozen
from attrs.validators import ge
from beliefsearch import BeliefProblem, Drawing, KnownAnswer

FOUND = 0


@frozen
class NewProblem(BeliefProblem[int, int, str]):
    """Guess a number, hearing each time whether it is higher or lower.

    Somebody thinks of a number from 1 to N. How many guesses are enough, whatever it
    is? (Replace this by your own story, model, source and known answers.)
    """

    known_answers = (KnownAnswer({}, 3), KnownAnswer({"limit": 8}, 4))
    limit: int = field(default=7, validator=ge(1), metadata={"help": "the largest one"})

    def initial_states(self) -> range:
        """Every state that may be the true one at the start: the number."""
        return range(1, self.limit + 1)

    def actions(self, state: int) -> range:
        """Return the actions of a state, in a fixed order: the guesses."""
        return range(1, self.limit + 1)

    def results(self, state: int, action: int) -> list[int]:
        """Every state that may follow: here always one."""
        return [FOUND if action == state else state]

    def percepts(self, state: int, action: int) -> list[str]:
        """Return what may be perceived on arriving in a state by an action: one answer."""
        return ["right" if state == FOUND else "higher" if state > action else "lower"]

    def is_goal(self, state: int) -> bool:
        """Whether the player has won."""
        return state == FOUND

    def svg_state(self, state: int) -> Drawing:
        """A picture of a state: the number."""
        return Drawing(60, 60).text(30, 30, state or "found", size=20)

    def describe_action(self, action: int) -> str:
        """Say what you do, as a sentence without a stop."""
        return f"Ask whether it is {action}"
