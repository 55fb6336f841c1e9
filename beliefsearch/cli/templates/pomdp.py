"""New: a puzzle for beliefsearch."""

from fractions import Fraction

from attrs import field, frozen
from attrs.validators import ge
from beliefsearch import Drawing, KnownAnswer, StochasticProblem


@frozen
class NewProblem(StochasticProblem[str, str, str]):
    """A coin is fair, or has two heads: toss it, and say which for a prize of N.

    A toss costs 1. (Replace this by your own story, model and known answers.)
    """

    known_answers = (KnownAnswer({}, Fraction(13, 2), horizon=2),)
    prize: int = field(default=10, validator=ge(1), metadata={"help": "what you win"})

    def initial_distribution(self) -> list[tuple[Fraction, str]]:
        """Return where the game begins, which you do not see."""
        return [(Fraction(1, 2), "fair"), (Fraction(1, 2), "two heads")]

    def actions(self, state: str) -> tuple[str, ...]:
        """Return the actions of a state, in a fixed order."""
        return ("toss", "say fair", "say two heads")

    def outcomes(self, state: str, action: str) -> list[tuple[int, str]]:
        """Every state that may follow, with its probability before it."""
        return [(1, state if action == "toss" else "said")]

    def percept_distribution(self, state: str, _: str) -> list[tuple[Fraction, str]]:
        """Return what you may perceive on arriving in a state by an action."""
        heads = Fraction(1, 2) if state == "fair" else Fraction(1)
        return [(heads, "heads"), (1 - heads, "tails")]

    def reward(self, state: str, action: str) -> int:
        """Return the pay for an action; a cost is negative."""
        right = self.prize if action == f"say {state}" else 0
        return -1 if action == "toss" else right

    def is_terminal(self, state: str) -> bool:
        return state == "said"

    def svg_state(self, state: str) -> Drawing:
        """A picture of a state."""
        return Drawing().text(50, 50, state, size=14)
