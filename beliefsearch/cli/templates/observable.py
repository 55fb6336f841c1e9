"""New: a puzzle for beliefsearch."""

from attrs import field, frozen
from attrs.validators import ge
from beliefsearch import Drawing, KnownAnswer, ObservableProblem


@frozen
class NewProblem(ObservableProblem[int, str]):
    """Cross a river on stones, never sure how far a jump will carry.

    A step takes you to the next stone, a jump over one stone or over two; you see where
    you land. The bank is N steps away, and who jumps past its edge falls. Which moves
    reach it for certain? (Replace this by your own story, model and known answers.)
    """

    known_answers = (KnownAnswer({}, 3), KnownAnswer({"stones": 1}, 1))
    stones: int = field(default=5, validator=ge(1), metadata={"help": "steps to go"})

    def initial_state(self) -> int:
        """Return where the game begins: so many steps from the bank."""
        return self.stones

    def actions(self, state: int) -> tuple[str, ...]:
        """Return the actions of a state; no jump where it might be too long."""
        return ("step", "jump")[: min(state, 2) - (state == 2)]

    def results(self, state: int, action: str) -> list[int]:
        """Every state that may follow: the player sees which of them it is."""
        return [state - 1] if action == "step" else [state - 2, state - 3]

    def is_goal(self, state: int) -> bool:
        """Whether the player has won."""
        return state == 0

    def svg_state(self, state: int) -> Drawing:
        """A picture of a state: the stones, the bank at the end, and you."""
        drawing = Drawing(20 * self.stones + 20, 20)
        for x in range(0, 20 * self.stones + 20, 20):
            drawing.circle(x + 10, 10, 9, fill="felt", stroke="line")
        return drawing.circle(20 * (self.stones - state) + 10, 10, 5, fill="accent")

    def describe_action(self, action: str) -> str:
        """Say what you do, as a sentence without a stop."""
        return f"You {action}"
