"""Pennies that are slid, one at a time, from one shape into another."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from math import sqrt
from typing import TypeAlias

from attrs import field, frozen

from beliefsearch import Drawing, KnownAnswer, Problem

from ._pictures.coins import put_coin

Spot: TypeAlias = tuple[int, int]
"""Row and place; each row lies half a place further to the right than the one above."""

Shape: TypeAlias = tuple[Spot, ...]
"""Spots in order, as far up and to the left as they can."""

Move: TypeAlias = tuple[Spot, Spot]  # where a coin lies, and where it is slid to

_SHAPES = {"rhombus": "ooo/ooo", "pyramid": "..o/.oo/ooo", "ring": ".oo/o.o/oo.", "line": "oooooo"}


def read(text: str) -> Shape:
    """A shape by its rows from the top, `o` for what belongs to it: `ooo/ooo`; or ValueError."""
    if set(text) - set("o./") or "o" not in text:
        raise ValueError(f"{text!r:.60} is no name and no rows of spots, such as 'ooo/ooo'")
    spots = [(row, place) for row, line in enumerate(text.split("/")) for place, mark in enumerate(line) if mark == "o"]
    return placed(spots)


def written(shape: Shape) -> str:
    """The rows of a shape, as `read` takes them."""
    rows, places = (range(max(numbers) + 1) for numbers in zip(*shape, strict=True))
    return "/".join("".join("o" if (row, place) in shape else "." for place in places) for row in rows)


@cache  # of a few dozen spots, millions of times
def around(spot: Spot) -> tuple[Spot, ...]:
    """The neighbours of a spot, in the order of a turn."""
    (row, place), turns = spot, ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
    return tuple((row + down, place + right) for down, right in turns)


def placed(spots: Iterable[Spot]) -> Shape:
    """A shape as far up and to the left as it can."""
    top, left = (min(numbers) for numbers in zip(*spots, strict=True))
    return tuple(sorted((row - top, place - left) for row, place in spots))


def turned(shape: Shape) -> list[Shape]:
    """A shape in all ways in which it can be turned."""
    found = [shape]
    for _ in range(5):
        found.append(placed([(row + place, -row) for row, place in found[-1]]))
    return found


@frozen
class PennyShapesProblem(Problem[Shape, Move]):
    """Slide six pennies from one shape into another, each to where it touches two others.

    Story
    -----
    Six pennies lie in a rhombus, two rows of three. Slide one at a time, without moving others, to where it touches at
    least two, until they lie in a ring.

    Formal model
    ------------
    A state is where coins lie on a triangular grid. An action moves a coin to a free spot that touches two others, and
    costs 1. A coin slides from spot to spot; two coins that touch both bar the way. The goal may lie and turn anyhow.

    Source
    ------
    M. Gardner, "Penny puzzles" (Scientific American, 1966); E. Demaine et al., "Coin-moving puzzles" (2002).

    Known answers
    -------------
    From the rhombus to the ring three slides, from the pyramid to the ring four, from the pyramid to the line seven.
    """

    known_answers = (
        KnownAnswer({}, 3),
        KnownAnswer({"start": "pyramid"}, 4),
        KnownAnswer({"start": "pyramid", "goal": "line"}, 7),
    )

    start: str = field(default="rhombus", metadata={"help": "rhombus, pyramid, ring, line, or rows such as oo/oo"})
    goal: str = field(default="ring", metadata={"help": "the shape to be made, likewise"})

    def __attrs_post_init__(self) -> None:
        if len(self._goals[0]) != len(self.initial_state()):
            raise ValueError(f"{self.start!r} and {self.goal!r} have not as many coins")

    def initial_state(self) -> Shape:
        return read(_SHAPES.get(self.start, self.start))

    def actions(self, state: Shape) -> Iterator[Move]:
        for coin in state:
            others = set(state) - {coin}
            spots = sorted(_slid(coin, others) - {coin})
            yield from ((coin, spot) for spot in spots if len(others.intersection(around(spot))) >= 2)

    def result(self, state: Shape, action: Move) -> Shape:
        return placed({*state, action[1]} - {action[0]})

    def is_goal(self, state: Shape) -> bool:
        return state in self._goals

    def heuristic(self, state: Shape) -> int:
        """The fewest coins that lie elsewhere than in the goal, however that is put down."""
        shifts = (Counter((r - row, p - place) for r, p in state for row, place in goal) for goal in self._goals)
        return len(state) - max(max(shift.values()) for shift in shifts)

    @cached_property
    def _goals(self) -> list[Shape]:
        """The goal in all ways in which it can be turned."""
        return turned(read(_SHAPES.get(self.goal, self.goal)))

    # How states and actions are written, read and drawn.

    def format_state(self, state: Shape) -> str:
        return written(state)

    def parse_state(self, text: str) -> Shape:
        if text.count("o") != len(self.initial_state()):
            raise ValueError(f"{text!r} is not {len(self.initial_state())} coins in rows, such as 'ooo/ooo'")
        return read(text)

    def format_action(self, action: Move) -> str:
        return "{},{} to {},{}".format(*action[0], *action[1])

    def describe_action(self, action: Move) -> str:
        return f"Slide the coin {self.format_action(action)}"

    def svg_state(self, state: Shape) -> Drawing:
        drawing = Drawing(100, 70).rectangle(0.6, 0.6, 98.8, 68.8, r=7, fill="felt", stroke="line")
        places = [(place + row / 2, row * sqrt(3) / 2) for row, place in state]
        left, right = min(x for x, _ in places), max(x for x, _ in places)
        pitch = min(14, 90 / (right - left + 1), 62 / (places[-1][1] + 1))
        for x, y in places:
            middle = (50 + pitch * (x - (left + right) / 2), 35 + pitch * (y - places[-1][1] / 2))
            put_coin(drawing, *middle, pitch / 2, "", bright="")
        return drawing


def _slid(coin: Spot, others: set[Spot]) -> set[Spot]:
    """The spots where a coin can be slid; no way needs to go more than two spots away from all others."""
    near = {spot for other in others for next_to in around(other) for spot in around(next_to)} - others
    for spot in (reached := [coin]):  # grows while it is walked
        beside = around(spot)
        for turn, following in enumerate(beside):
            barred = others.issuperset((beside[turn - 1], beside[(turn + 1) % 6]))
            if not barred and following in near and following not in reached:
                reached.append(following)
    return set(reached)
