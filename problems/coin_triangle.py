"""The coin triangle: turn a triangle of coins upside down by moving few of them."""

from collections.abc import Iterator
from functools import cached_property
from math import sqrt
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_, le

from beliefsearch import Drawing, KnownAnswer, Problem

Spot: TypeAlias = tuple[int, int]
"""Row from the top, and half coins from the left: neighbours in a row are 2 apart, those in the next row 1 off."""

Move: TypeAlias = tuple[int, int]
"""Which coin to take and where to put it, as numbers of spots, from 0."""

_AROUND = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))
_MOST_ROWS = 8


@frozen
class CoinTriangleProblem(Problem[str, Move]):
    """Turn a triangle of coins upside down by moving as few coins as possible.

    Story
    -----
    Coins lie in a triangle that points upwards, like bowling pins: one, below it two, then three, and so on. Move
    coins, one after the other, so that they lie in a triangle of the same size that points downwards.

    Formal model
    ------------
    Coins lie on the spots of a triangular grid: those of the triangle, and those of every triangle upside down that
    shares as many spots with it as one can; of ten coins there is one, and both together are a star. A state says for
    each spot, row by row, whether a coin is there: `o` or `.`. An action takes any coin and puts it on any free spot;
    it costs 1, wherever that is. With `--rule touching` the coin must come to rest where it touches at least two
    others, so that its place is exact. With `--board wide` there are spots all round the triangle. The goal is a
    triangle that points downwards, anywhere.

    Source
    ------
    M. Gardner, "Mathematical Carnival" (1975), for ten pennies; C. W. Trigg, "Inverting coin triangles" (Journal of
    Recreational Mathematics 2, 1969), for triangles of any size.

    Known answers
    -------------
    A third of the coins, rounded down: 1 of 3, 2 of 6, 3 of 10, 5 of 15, 7 of 21. With `--rule touching` as many: there
    is an order in which every coin that is put down touches two others.
    """

    known_answers = (
        KnownAnswer({}, 3),
        KnownAnswer({"rows": 1}, 0),
        KnownAnswer({"rows": 2}, 1),
        KnownAnswer({"rows": 3}, 2),
        KnownAnswer({"rows": 5}, 5),
        KnownAnswer({"rule": "touching"}, 3),
        KnownAnswer({"board": "wide"}, 3),
    )

    rows: int = field(
        default=4, validator=[ge(1), le(_MOST_ROWS)], metadata={"help": "rows of the triangle; 4 rows have ten coins"}
    )
    rule: Literal["anywhere", "touching"] = field(
        default="anywhere",
        validator=in_(("anywhere", "touching")),
        metadata={"help": "where a coin may be put: on any free spot, or only where it touches at least two others"},
    )

    board: Literal["star", "wide"] = field(
        default="star",
        validator=in_(("star", "wide")),
        metadata={"help": "where there are spots: where the best triangles upside down are, or all round the triangle"},
    )

    def initial_state(self) -> str:
        return self._written(self._triangle)

    def actions(self, state: str) -> list[Move]:
        coins = [spot for spot, there in enumerate(state) if there == "o"]
        free = [spot for spot, there in enumerate(state) if there == "."]
        return [(coin, spot) for coin in coins for spot in free if self._may_rest(state, coin, spot)]

    def result(self, state: str, action: Move) -> str:
        coin, spot = action
        after = list(state)
        after[coin], after[spot] = ".", "o"
        return "".join(after)

    def is_goal(self, state: str) -> bool:
        return state in self._goals

    def _may_rest(self, state: str, coin: int, spot: int) -> bool:
        """Whether `coin` may be put on the free `spot`."""
        if self.rule == "anywhere":
            return True
        return sum(state[other] == "o" for other in self._neighbours[spot] if other != coin) >= 2

    @property
    def _triangle(self) -> set[Spot]:
        """The spots of the triangle that points upwards."""
        return {(row, 2 * place - row) for row in range(self.rows) for place in range(row + 1)}

    def _upside_down(self, top: int, left: int) -> set[Spot]:
        """The spots of the triangle that points downwards and has its upper left corner there."""
        return {(top + row, left + 2 * place + row) for row in range(self.rows) for place in range(self.rows - row)}

    @cached_property
    def _spots(self) -> list[Spot]:
        """All spots, row by row."""
        triangle = spots = self._triangle
        # No triangle upside down shares more spots by being further off.
        for _ in range((self.rows + 1) // 3):
            spots = spots | {(row + down, place + right) for row, place in spots for down, right in _AROUND}
        if self.board == "star":
            others = [self._upside_down(*corner) for corner in sorted(spots)]
            most = max(len(other & triangle) for other in others)
            spots = triangle.union(*(other for other in others if len(other & triangle) == most))
        return sorted(spots)

    @cached_property
    def _neighbours(self) -> list[list[int]]:
        """The numbers of the spots around each."""
        numbers = {spot: number for number, spot in enumerate(self._spots)}
        around = (((row + down, place + right) for down, right in _AROUND) for row, place in self._spots)
        return [[numbers[spot] for spot in spots if spot in numbers] for spots in around]

    @cached_property
    def _goals(self) -> dict[str, int]:
        """Every board with a triangle that points downwards, each with its coins as bits of a number."""
        known = set(self._spots)
        triangles = (self._upside_down(*corner) for corner in self._spots)
        boards = (self._written(triangle) for triangle in triangles if triangle <= known)
        return {board: _bits(board) for board in boards}

    def _written(self, coins: set[Spot]) -> str:
        return "".join("o" if spot in coins else "." for spot in self._spots)

    # How states and actions are written, read and drawn.

    def format_state(self, state: str) -> str:
        """The rows from the top: `.o./oo/.`."""
        return "/".join(self._in_rows(state))

    def draw_state(self, state: str) -> str:
        leftmost = min(place for _, place in self._spots)
        starts = {row: min(place for line, place in self._spots if line == row) for row, _ in self._spots}
        indents = (starts[row] - leftmost for row in sorted(starts))
        return "\n".join(
            " " * indent + " ".join(row) for indent, row in zip(indents, self._in_rows(state), strict=True)
        )

    def _in_rows(self, state: str) -> Iterator[str]:
        row, line = self._spots[0][0], ""
        for spot, there in zip(self._spots, state, strict=True):
            if spot[0] != row:
                yield line
                row, line = spot[0], ""
            line += there
        yield line

    def parse_state(self, text: str) -> str:
        state = "".join(text.replace("/", " ").split()).lower()
        coins = self.rows * (self.rows + 1) // 2
        if len(state) != len(self._spots) or set(state) - set("o.") or state.count("o") != coins:
            raise ValueError(
                f"{text!r} is not {len(self._spots)} spots, each o or ., with {coins} o, such as "
                f"{self.format_state(self.initial_state())!r}"
            )
        return state

    def format_action(self, action: Move) -> str:
        """Spots are numbered row by row, from 1: `1 to 3`."""
        return f"{action[0] + 1} to {action[1] + 1}"

    def parse_action(self, text: str) -> Move:
        words = text.lower().replace(" to ", " ").replace("-", " ").split()
        if len(words) == 2 and all(word.isdecimal() and 1 <= int(word) <= len(self._spots) for word in words):
            return int(words[0]) - 1, int(words[1]) - 1
        raise ValueError(f"{text!r} is not a spot and another, from 1 to {len(self._spots)}, such as '1 to 3'")

    def describe_action(self, action: Move) -> str:
        return f"Move the coin on spot {action[0] + 1} to spot {action[1] + 1}"

    def svg_state(self, state: str) -> Drawing:
        """The coins on their grid; free spots are dots."""
        ground = "accent-soft" if self.is_goal(state) else "felt"
        drawing = Drawing().rectangle(1, 1, 98, 98, r=10, fill=ground, stroke="line")
        pitch = self._pitch
        for number, there in enumerate(state):
            x, y = self._middle(number)
            if there == "o":
                drawing.circle(x, y, 0.47 * pitch, fill="bright", stroke="bright-edge", width=0.06 * pitch)
            else:
                drawing.circle(x, y, 0.07 * pitch, fill="line")
        return drawing

    def svg_action(self, action: Move) -> Drawing:
        (x1, y1), (x2, y2) = map(self._middle, action)
        pitch = self._pitch
        drawing = Drawing().line(x1, y1, x2, y2, stroke="accent", width=2.5, round=True)
        drawing.circle(x1, y1, 0.15 * pitch, fill="accent")
        return drawing.circle(x2, y2, 0.42 * pitch, fill="none", stroke="accent", width=2.5)

    @property
    def _pitch(self) -> float:
        """The distance of neighbours."""
        return 92 / max(*self._extent)

    @cached_property
    def _extent(self) -> tuple[float, float]:
        """Width and height of the grid in coins."""
        lines, places = zip(*self._spots, strict=True)
        return (max(places) - min(places)) / 2 + 1, (max(lines) - min(lines)) * sqrt(3) / 2 + 1

    def _middle(self, number: int) -> tuple[float, float]:
        row, place = self._spots[number]
        top, left = self._spots[0][0], min(column for _, column in self._spots)
        across, down = (place - left) / 2 + 0.5, (row - top) * sqrt(3) / 2 + 0.5
        width, height = self._extent
        return 50 + (across - width / 2) * self._pitch, 50 + (down - height / 2) * self._pitch

    # For speed: how many coins must be moved at least.

    def heuristic(self, state: str) -> int:
        """The fewest coins that a triangle pointing downwards lacks."""
        coins = _bits(state)
        return min((goal & ~coins).bit_count() for goal in self._goals.values())


def _bits(board: str) -> int:
    """The coins of a board as bits of a number."""
    return int(board.replace("o", "1").replace(".", "0"), 2)
