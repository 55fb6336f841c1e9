"""Tait's coins: sort a row of alternating coins by moving two neighbours at a time."""

from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import Drawing, KnownAnswer, Problem

from ._pictures.coins import strip
from ._typed import FromTo

Move: TypeAlias = tuple[int, int]
"""The place of the left one of two neighbours, and where it is put."""


@frozen
class TaitCoinsProblem(FromTo, Problem[str, Move]):
    """Sort a row of alternating coins by moving two neighbours at a time.

    Story
    -----
    Silver and gold coins lie in a row, one silver, one gold, and so on; beside them there is room for two more. In a
    move you slide two coins that lie next to each other, without exchanging them, to two free places. Get all silver
    coins together and all gold ones together, without a gap. How few moves will do?

    Formal model
    ------------
    A state is the row of 2 N + 2 places: `S`, `G`, or `.` for a free one; the free ones are always neighbours. An
    action moves two neighbouring coins to the free places, in the same order, and costs 1. The goal is that all coins
    lie without a gap, those of a kind together, on either side.

    Source
    ------
    P. G. Tait, address to the Edinburgh Mathematical Society (Philosophical Magazine, January 1884); H. Delannoy
    for any N (after W. W. Rouse Ball, "Mathematical Recreations and Essays", 1892).

    Known answers
    -------------
    For N coins of each kind N moves: 4 take 4 (Tait), 5 take 5, 6 take 6. With 2 it cannot be done; 3 would take 3
    moves on a longer table, and take 4 where there is room for two at one end only (by brute force).
    """

    known_answers = (
        KnownAnswer({}, 4),
        KnownAnswer({"pairs": 3}, 4),
        KnownAnswer({"pairs": 5}, 5),
        KnownAnswer({"pairs": 6}, 6),
        KnownAnswer({"pairs": 2}, None),
    )

    pairs: int = field(default=4, validator=ge(1), metadata={"help": "number of coins of each kind"})

    def initial_state(self) -> str:
        return "SG" * self.pairs + ".."

    def actions(self, state: str) -> list[Move]:
        free = state.index(".")
        places = (place for place in range(len(state) - 1) if "." not in state[place : place + 2])
        return [(place, free) for place in places]

    def result(self, state: str, action: Move) -> str:
        place, free = action
        row = list(state)
        row[free : free + 2], row[place : place + 2] = row[place : place + 2], row[free : free + 2]
        return "".join(row)

    def is_goal(self, state: str) -> bool:
        return state.strip(".") in ("S" * self.pairs + "G" * self.pairs, "G" * self.pairs + "S" * self.pairs)

    # How states and actions are written, read and drawn.

    def parse_state(self, text: str) -> str:
        if sorted(text) != sorted(self.initial_state()) or ".." not in text:
            raise ValueError(f"{text!r} is not a row such as {self.initial_state()!r}")
        return text

    def describe_action(self, action: Move) -> str:
        """Both coins by their places."""
        (first, to) = action
        return f"Move the coins {first + 1} and {first + 2} to {to + 1} and {to + 2}"

    def svg_state(self, state: str) -> Drawing:
        return strip(state, bright="G")
