"""New: a puzzle for beliefsearch."""

from attrs import field, frozen
from attrs.validators import ge
from beliefsearch import BeliefProblem, Drawing, KnownAnswer


@frozen
class NewProblem(BeliefProblem[int, str, None]):
    """Reach the last square of a corridor in the dark.

    You stand somewhere in a corridor of N squares, blindfolded. A step that a wall
    stops leaves you where you are. Which steps lead to the last square, wherever you
    start? (Replace this by your own story, model, source and known answers.)
    """

    known_answers = (KnownAnswer({}, 4), KnownAnswer({"squares": 1}, 0))
    squares: int = field(default=5, validator=ge(1), metadata={"help": "squares"})

    def initial_states(self) -> range:
        """Every state that may be the true one at the start."""
        return range(self.squares)

    def actions(self, state: int) -> tuple[str, ...]:
        """Return the actions of a state, in a fixed order."""
        return ("left", "right")

    def results(self, state: int, action: str) -> list[int]:
        """Every state that may follow: here always one."""
        step = 1 if action == "right" else -1
        return [min(max(state + step, 0), self.squares - 1)]

    def is_goal(self, state: int) -> bool:
        """Whether the player has won."""
        return state == self.squares - 1

    def svg_state(self, state: int) -> Drawing:
        """A picture of a state: the corridor, and you in it."""
        drawing = Drawing(20 * self.squares, 20)
        for x in range(0, 20 * self.squares, 20):
            drawing.rectangle(x, 0, 20, 20, fill="felt", stroke="line")
        return drawing.circle(20 * state + 10, 10, 6, fill="accent")

    def describe_action(self, action: str) -> str:
        """Say what you do, as a sentence without a stop."""
        return f"Step to the {action}"
