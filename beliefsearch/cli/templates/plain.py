"""New: a puzzle for beliefsearch."""

from attrs import field, frozen
from attrs.validators import ge
from beliefsearch import Drawing, KnownAnswer, Problem


@frozen
class NewProblem(Problem[tuple[int, int], str]):
    """Measure an amount of water with jugs of 3 and of 5 litres, a tap and a drain.

    (Replace this by your own story, model, source and known answers.)
    """

    known_answers = (KnownAnswer({}, 6), KnownAnswer({"litres": 6}, None))
    litres: int = field(default=4, validator=ge(0), metadata={"help": "the amount"})

    def initial_state(self) -> tuple[int, int]:
        """Return where the search begins: both jugs empty."""
        return (0, 0)

    def actions(self, state: tuple[int, int]) -> tuple[str, ...]:
        """Return the actions of a state, in a fixed order."""
        return ("fill 3", "fill 5", "empty 3", "empty 5", "pour 3 to 5", "pour 5 to 3")

    def result(self, state: tuple[int, int], action: str) -> tuple[int, int]:
        """The state that follows."""
        small, large = state
        if action.startswith("pour"):
            flow = min(small, 5 - large) if "to 5" in action else -min(large, 3 - small)
            return (small - flow, large + flow)
        filled = action.startswith("fill")
        return (3 * filled, large) if action.endswith("3") else (small, 5 * filled)

    def is_goal(self, state: tuple[int, int]) -> bool:
        """Whether the player has won."""
        return self.litres in state

    def svg_state(self, state: tuple[int, int]) -> Drawing:
        """A picture of a state: the water in both jugs."""
        drawing = Drawing(60, 60).rectangle(5, 25, 20, 30, fill="felt", stroke="line")
        drawing.rectangle(35, 5, 20, 50, fill="felt", stroke="line")
        drawing.rectangle(5, 55 - 10 * state[0], 20, 10 * state[0], fill="blue")
        return drawing.rectangle(35, 55 - 10 * state[1], 20, 10 * state[1], fill="blue")

    def describe_action(self, action: str) -> str:
        """Say what you do, as a sentence without a stop."""
        return f"You {action}"
