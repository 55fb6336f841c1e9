"""New: a puzzle for beliefsearch."""

from fractions import Fraction

from attrs import field, frozen
from attrs.validators import ge
from beliefsearch import Drawing, KnownAnswer, StochasticProblem

Throw = tuple[int, int]  # the rolls that are left, and what the die shows


@frozen
class NewProblem(StochasticProblem[Throw, str]):
    """Roll a die up to N times, and be paid what it shows when you stop.

    When should you? (Replace this by your own story, model and known answers.)
    """

    known_answers = (KnownAnswer({}, 14 / 3), KnownAnswer({"rolls": 1}, 3.5))
    rolls: int = field(default=3, validator=ge(1), metadata={"help": "how many rolls"})

    def initial_state(self) -> Throw:
        """Return where the game begins: the die shows nothing."""
        return (self.rolls, 0)

    def actions(self, state: Throw) -> tuple[str, ...]:
        """Return the actions of a state, in a fixed order."""
        return ("roll", "stop")

    def outcomes(self, state: Throw, action: str) -> list[tuple[Fraction, Throw]]:
        """Every state that may follow, with its probability before it."""
        if action == "stop":
            return [(Fraction(1), (0, state[1]))]
        return [(Fraction(1, 6), (state[0] - 1, face)) for face in range(1, 7)]

    def is_terminal(self, state: Throw) -> bool:
        return state[0] == 0

    def utility(self, state: Throw) -> int:
        return state[1]

    def svg_state(self, state: Throw) -> Drawing:
        """A picture of a state: the die, and the rolls that are left."""
        die = Drawing().text(50, 40, state[1], size=40)
        return die.text(50, 85, f"{state[0]} left")

    def describe_action(self, action: str) -> str:
        """Say what you do, as a sentence without a stop."""
        return f"You {action}"
