"""Small problems with percepts, made by hand: their states are letters, or boxes one of which holds a prize."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from beliefsearch import BeliefProblem

from ..contingent_problems import SightedTable


def table(
    starts: str, rows: dict[str, dict[str, str]], goal: str, sight: Callable[[str, str], str], **more: Any
) -> SightedTable:
    """A problem whose states are letters: by state and action the letters of the results."""
    letters = list(rows)
    number = letters.index
    cells = tuple({act: tuple(map(number, after)) for act, after in row.items()} for row in rows.values())
    acts = {act for row in rows.values() for act in row}
    sights = {(act, number(letter)): tuple(sight(act, letter)) for act in acts for letter in letters}
    goals = tuple(frozenset(map(number, chosen)) for chosen in goal.split())
    return SightedTable(tuple(map(number, starts)), cells, goals, sights, **more)


# A door that opens when it is pushed, sometimes.
STUCK = table("s", {"s": {"push": "sg"}, "g": {}}, "g", lambda act, state: state)
# One of two doors is locked for good, and nobody can tell which.
TRAP = table(
    "st", {"s": {"push": "sg"}, "t": {"push": "t"}, "g": {}}, "g", lambda act, state: "g" if state == "g" else "-"
)
# Look whether it is l or r, and then go the right way.
LOOK = table(
    "lr",
    {"l": {"look": "l", "left": "g", "right": "d"}, "r": {"look": "r", "left": "d", "right": "g"}, "d": {}, "g": {}},
    "g",
    lambda act, state: state if act == "look" else "-",
)
# The player wins by knowing where he is; s is left again although it is won where it is known.
LEFT = table(
    "ab", {"a": {"go": "c"}, "b": {"go": "d"}, "c": {"go": "e"}, "d": {"go": "e"}, "e": {}}, "ad e", lambda *_: "-"
)
# Each of b and c comes to a, but a may come to anywhere.
SHARED = table(
    "abc",
    {"a": {"go": "abc", "look": "a"}, "b": {"go": "a", "look": "b"}, "c": {"go": "a", "look": "c"}},
    "a",
    lambda act, state: ("a" if state == "a" else "-") if act == "look" else "-",
)


class Boxes(BeliefProblem[int, int, bool]):
    """One of n boxes holds the prize, and opening one tells whether it did."""

    def __init__(self, n: int) -> None:
        self.n = n

    def initial_states(self) -> Iterable[int]:
        return range(self.n)

    def actions(self, state: int) -> Iterable[int]:
        return tuple(range(self.n))

    def results(self, state: int, action: int) -> Iterable[int]:
        return (-1,) if state == action else (state,)

    def percepts(self, state: int, action: int) -> Iterable[bool]:
        return (state == -1,)

    def is_goal(self, state: int) -> bool:
        return state == -1
