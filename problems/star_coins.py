"""Seven coins on an eight-pointed star: put each on a point and slide it along a line."""

from math import cos, pi, sin
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import Drawing, KnownAnswer, Problem

from ._pictures.coins import put_coin
from ._typed import FromTo

Taken: TypeAlias = frozenset[int]
"""The points on which coins lie."""

Slide: TypeAlias = tuple[int, int]
"""On which point a coin is put, and to which it is slid."""


@frozen
class StarCoinsProblem(FromTo, Problem[Taken, Slide]):
    """Put coins on the points of a star, each slid there along a line.

    Story
    -----
    A star is drawn with lines from each of its eight points to the third point on either side. You put a coin on a free
    point and slide it along a line to another free point, where it stays. Can you place seven coins so?

    Formal model
    ------------
    A state is the set of points that are taken. An action puts a coin on a free point and slides it to a free point
    that is `--skip` places further round, either way; it costs 1. The goal is that enough points are taken.

    Source
    ------
    An old puzzle; H. E. Dudeney, "Amusements in Mathematics" (1917), and M. Gardner, "Mathematical Puzzles" (1961),
    tell how to solve it: the lines make one ring, in which each coin is slid to the point where the one before began.

    Known answers
    -------------
    Seven of eight coins can be placed, but not all eight: the last point has no free one to come from. On the star with
    five points likewise four, and not five. Where the lines make several rings, one point of each stays free:
    of the star of six points, two triangles, four can be taken.
    """

    known_answers = (
        KnownAnswer({}, 7),
        KnownAnswer({"coins": 8}, None),
        KnownAnswer({"points": 5, "skip": 2, "coins": 4}, 4),
        KnownAnswer({"points": 6, "skip": 2, "coins": 4}, 4),
        KnownAnswer({"points": 6, "skip": 2, "coins": 5}, None),
    )

    first_place = 0

    points: int = field(default=8, validator=ge(3), metadata={"help": "points of the star"})
    skip: int = field(default=3, validator=ge(1), metadata={"help": "a line leads to so many points further round"})
    coins: int = field(default=7, validator=ge(0), metadata={"help": "how many coins to place"})

    def initial_state(self) -> Taken:
        return frozenset()

    def actions(self, state: Taken) -> list[Slide]:
        free = [point for point in range(self.points) if point not in state]
        ends = ((point, (point + way) % self.points) for point in free for way in (self.skip, -self.skip))
        return list(dict.fromkeys((point, end) for point, end in ends if end not in state and end != point))

    def result(self, state: Taken, action: Slide) -> Taken:
        return state | {action[1]}

    def is_goal(self, state: Taken) -> bool:
        return len(state) >= self.coins

    def heuristic(self, state: Taken) -> int:
        """The number of coins that are missing."""
        return max(0, self.coins - len(state))

    # How states and actions are written, read and drawn.

    def format_state(self, state: Taken) -> str:
        return "".join("o" if point in state else "." for point in range(self.points))

    def parse_state(self, text: str) -> Taken:
        if len(text) != self.points or set(text) - set(".o"):
            raise ValueError(f"{text!r} is not {self.points} points, o for a coin and . for none")
        return frozenset(point for point, mark in enumerate(text) if mark == "o")

    def describe_action(self, action: Slide) -> str:
        return f"Put a coin on point {action[0]} and slide it to point {action[1]}"

    def svg_state(self, state: Taken) -> Drawing:
        drawing = Drawing(100, 100).rectangle(0.6, 0.6, 98.8, 98.8, r=7, fill="felt", stroke="line")
        places = [self._place(point) for point in range(self.points)]
        for point in range(self.points):
            (x, y), (x2, y2) = places[point], places[(point + self.skip) % self.points]
            drawing.line(x, y, x2, y2, stroke="line", width=1)
        r = min(7.0, 90 / self.points)
        for point, (x, y) in enumerate(places):
            if point in state:
                put_coin(drawing, x, y, r, "", bright="")
            else:
                drawing.circle(x, y, 0.3 * r, fill="soft")
        return drawing

    def svg_action(self, action: Slide) -> Drawing:
        (x, y), (x2, y2) = map(self._place, action)
        return Drawing(100, 100).arrow(x, y, x2, y2, stroke="accent", width=1.6)

    def _place(self, point: int) -> tuple[float, float]:
        turn = 2 * pi * point / self.points
        return 50 + 40 * sin(turn), 50 - 40 * cos(turn)
