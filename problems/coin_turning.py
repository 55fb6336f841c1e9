"""Coin-turning games: turn coins to tails by turns with an opponent, and turn the last one."""

from collections.abc import Iterator
from itertools import combinations
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import in_, matches_re

from beliefsearch import Drawing, KnownAnswer, ObservableProblem

from ._pictures.coins import strip
from ._pictures.parts import listed

Position: TypeAlias = tuple[str, Literal["", "you", "opponent"]]
"""The coins when it is your turn, and who made the last move, if no head is left."""
Turn: TypeAlias = tuple[int, ...]  # the places of the coins to turn


@frozen
class CoinTurningProblem(ObservableProblem[Position, Turn]):
    """Turn coins in a row by turns with an opponent, and make the last move.

    Story
    -----
    Coins lie in a row. You and an opponent take turns: each time some coins are turned over, the rightmost of them from
    heads to tails. Which coins, is the rule of the game: in Turning Turtles one or two, in Mock Turtles one, two or
    three, in Ruler any number of neighbours. Who makes the last move wins. You begin. Can you win?

    Formal model
    ------------
    A state is the row when it is your turn, and who moved last once all coins show tails. An action turns coins over;
    its results are what the opponent's replies make of the row. You see them. Every move of yours costs 1.

    Source
    ------
    E. Berlekamp, J. Conway and R. Guy, "Winning Ways" (1982), chapter 14, after H. Lenstra.

    Known answers
    -------------
    Each coin that shows heads is a heap of Nim of its own, and you can win if and only if their sizes, added in base 2
    without carrying, do not make 0. The coin at place n, from 1, counts n in Turning Turtles, so TTHHT, of 3 and 4, is
    won; HHH, 1 + 2 + 3, is lost. In Mock Turtles it counts the n-th number with an odd number of ones in base 2: 1, 2,
    4, 7, 8, ...; so HHHH with 1, 2, 4, 7 is lost. In Ruler it counts the largest power of 2 that divides n: HTHT is
    lost, HHHT is won. How many moves that takes is by brute force.
    """

    known_answers = (
        KnownAnswer({}, 2),
        KnownAnswer({"row": "HHH"}, None),
        KnownAnswer({"row": "HHTTTH"}, 2),
        KnownAnswer({"row": "HHHH", "game": "mock-turtles"}, None),
        KnownAnswer({"row": "HTHT", "game": "ruler"}, None),
    )

    row: str = field(default="THHTH", validator=matches_re("[HT]+"), metadata={"help": "the coins in a row, H and T"})
    game: Literal["turtles", "mock-turtles", "ruler"] = field(
        default="turtles",
        validator=in_(("turtles", "mock-turtles", "ruler")),
        metadata={"help": "which coins are turned: up to two, up to three, or neighbours"},
    )

    def initial_state(self) -> Position:
        return self.row, "" if "H" in self.row else "opponent"

    def actions(self, state: Position) -> list[Turn]:
        return list(self._turns(state[0]))

    def results(self, state: Position, action: Turn) -> list[Position]:
        left = _turned(state[0], action)
        if "H" not in left:
            return [(left, "you")]
        replies = dict.fromkeys(_turned(left, reply) for reply in self._turns(left))
        return [(row, "" if "H" in row else "opponent") for row in replies]

    def is_goal(self, state: Position) -> bool:
        return state[1] == "you"

    def has_adversary(self) -> bool:
        """The opponent wants to win, too."""
        return True

    def _turns(self, row: str) -> Iterator[Turn]:
        for last in (place for place, face in enumerate(row) if face == "H"):
            if self.game == "ruler":
                yield from (tuple(range(first, last + 1)) for first in range(last, -1, -1))
                continue
            for others in range(2 if self.game == "turtles" else 3):
                yield from ((*chosen, last) for chosen in combinations(range(last), others))

    # How states and actions are written, read and drawn.

    def format_state(self, state: Position) -> str:
        return f"{state[0]}, over: {state[1]}" if state[1] else state[0]

    def parse_state(self, text: str) -> Position:
        row, _, last = text.partition(", over: ")
        if len(row) != len(self.row) or set(row) - set("HT") or ("H" in row) == bool(last):
            raise ValueError(f"{text!r} is not {len(self.row)} letters H and T")
        return row, "you" if last == "you" else "opponent" if last else ""

    def format_action(self, action: Turn) -> str:
        return " ".join(str(place + 1) for place in action)

    def parse_action(self, text: str) -> Turn:
        """The places from 1 on: `2 5`."""
        return tuple(sorted(int(word) - 1 for word in text.replace(",", " ").split()))

    def describe_action(self, action: Turn) -> str:
        places = listed([place + 1 for place in action])
        return f"Turn over the coin{'s' if len(action) > 1 else ''} at {places}"

    def svg_state(self, state: Position) -> Drawing:
        return strip(state[0])


def _turned(row: str, places: Turn) -> str:
    return "".join("HT"[face == "H"] if place in places else face for place, face in enumerate(row))
