"""Sliding tiles: the 8-puzzle, the 15-puzzle and boards of other sizes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import Drawing, KnownAnswer, ProblemError
from beliefsearch.hooks import ReversibleCodeHook, ReversibleProblem

from ._pictures.boards import Board as BoardPicture
from ._pictures.boards import board_with_edges
from ._pictures.parts import agreed, edge_arrow
from ._tile_estimates import Estimate, LineTable, line_tables

if TYPE_CHECKING:
    from ._board_codes import Codes, Flags, PackedBoards, RankedBoards

Board: TypeAlias = bytes
"""The number on the tile of each cell, row by row; 0 is the gap."""

Slide: TypeAlias = Literal["up", "down", "left", "right"]
"""The direction in which a tile slides into the gap."""

_OPPOSITE: dict[Slide, Slide] = {"up": "down", "down": "up", "left": "right", "right": "left"}
_STEPS: dict[Slide, tuple[int, int]] = {"up": (1, 0), "down": (-1, 0), "left": (0, 1), "right": (0, -1)}
"""By slide: the offset of the tile from the gap, in rows down and columns to the right."""

_MOST_CELLS = 256
"""A board is a byte string, so there are at most this many cells."""


# The default start, one of the two that take most slides.
_HARDEST = "8 6 7 2 5 4 3 0 1"


def _words(start: str | None) -> str | None:
    return None if start is None else " ".join(start.replace(",", " ").split())


@frozen
class SlidingTilesProblem(ReversibleProblem[Board, Slide], ReversibleCodeHook[Board, Slide]):
    """Slide the tiles of a board into order, one at a time into the gap.

    Story
    -----
    Numbered tiles lie on a board with one cell left empty, the gap. A tile beside the gap can slide into
    it. Bring the tiles into order, row by row, with the gap last, in the fewest slides.

    Formal model
    ------------
    A state is the number of each cell, row by row, 0 for the gap, such as `1 2 3 4 5 6 7 0 8`. An action is the
    direction in which a tile slides: `left` moves the tile on the right of the gap. A slide costs 1 and
    can be taken back, so the graph can be walked backwards from the goal (`--all` answers every start).

    Half of all boards cannot be put in order: a slide exchanges the gap and a tile, so the parity of
    the permutation follows the gap. The estimate of such a start is infinite, and the proof takes no time.

    Played with `--blindfold`, every board that can be put in order is a possible start.

    Estimates (`--estimate`): `misplaced` counts tiles that are not in place; `manhattan` adds up how many
    rows and columns each is away; `linear-conflict` also counts two slides for each tile that has to leave its
    own row or column to let others pass.

    Source
    ------
    N. Chapman, around 1880. W. W. Johnson and W. E. Story, "Notes on the 15 puzzle", American Journal of
    Mathematics 2 (1879). Linear conflicts: O. Hansson, A. Mayer and M. Yung, "Criticizing solutions to
    relaxed models yields powerful admissible heuristics", Information Sciences 63 (1992).

    Known answers
    -------------
    3 x 3: 181,440 boards can be put in order, the two hardest, 8 6 7 2 5 4 3 0 1 and 6 4 7 8 5 0 3 2 1, in 31
    slides. 2 x 3: 360 boards, the hardest in 21. 2 x 2: 12 boards, at most 6.
    """

    known_answers = (
        KnownAnswer({"rows": 2, "cols": 3, "start": "4 5 0 1 2 3"}, 21),
        KnownAnswer({"start": "8 6 7 2 5 4 3 0 1"}, 31),
        KnownAnswer({"start": "1 2 3 4 5 6 8 7 0"}, None),
    )

    start: str | None = field(
        default=None,
        converter=_words,
        metadata={
            "help": f'the board to start from, row by row, 0 for the gap; default, for 3 x 3: "{_HARDEST}"',
            "prompt": "The board to start from, row by row, a number for each cell, 0 for the gap",
        },
    )
    rows: int = field(default=3, validator=ge(1), metadata={"help": "rows of the board"})
    cols: int = field(default=3, validator=ge(1), metadata={"help": "columns of the board"})
    estimate: Estimate = field(
        default="linear-conflict",
        validator=in_(get_args(Estimate)),
        metadata={"help": "the estimate of the number of slides to the goal"},
    )

    def __attrs_post_init__(self) -> None:
        if self.rows * self.cols > _MOST_CELLS:
            raise ValueError(f"rows, cols: {self.rows} x {self.cols} cells are more than {_MOST_CELLS}")
        if self.start is not None:
            try:
                self.parse_state(self.start)
            except ValueError as error:
                raise ValueError(f"start: {error}") from None

    def initial_state(self) -> Board:
        start = _HARDEST if self.start is None and (self.rows, self.cols) == (3, 3) else self.start
        if start is None:
            raise ProblemError(
                "no board to start from was given; say --start with a number for each cell, row by row, 0 for the gap"
            )
        return self.parse_state(start)

    def actions(self, state: Board) -> tuple[Slide, ...]:
        return self._slides[state.index(0)]

    def result(self, state: Board, action: Slide) -> Board:
        tile = state[self._sources[action][state.index(0)]]
        return state.translate(self._exchanges[tile])

    def is_goal(self, state: Board) -> bool:
        return state == self._goal

    @cached_property
    def _goal(self) -> Board:
        return bytes([*range(1, self.rows * self.cols), 0])

    def possible_starts(self) -> Iterator[Board]:
        return filter(self.can_be_put_in_order, map(bytes, permutations(range(self.rows * self.cols))))

    def can_be_put_in_order(self, state: Board) -> bool:
        """Whether the goal can be reached from `state`."""
        if self.rows == 1 or self.cols == 1:  # tiles cannot pass each other
            return state.replace(b"\0", b"") == self._goal[:-1]
        row, col = divmod(state.index(0), self.cols)
        way_of_the_gap = (self.rows - 1 - row) + (self.cols - 1 - col)
        belongs_in = [(tile - 1) % len(state) for tile in state]  # by cell, of its tile or the gap
        return (_exchanges_to_sort(belongs_in) - way_of_the_gap) % 2 == 0

    # How states and actions are written and read.

    def format_state(self, state: Board) -> str:
        return " ".join(map(str, state))

    def draw_state(self, state: Board) -> str:
        width = len(str(len(state) - 1))
        cells = [f"{tile or '_':>{width}}" for tile in state]
        return "\n".join(" ".join(cells[row * self.cols : (row + 1) * self.cols]) for row in range(self.rows))

    def describe_step(self, state: Board, action: Slide, result: Board) -> str:
        return f"{result[state.index(0)]} slides {action}"

    def parse_state(self, text: str) -> Board:
        """A board from numbers with blanks or commas between; without them where each is a single digit."""
        words = text.replace(",", " ").split()
        cells = self.rows * self.cols
        if len(words) == 1 and 1 < cells <= 10:
            words = list(words[0])
        allowed = {str(number) for number in range(cells)}
        for place, word in enumerate(words):
            if word not in allowed:
                raise ValueError(f"{text!r} has {word!r} at place {place + 1}; use the numbers from 0 to {cells - 1}")
        if len(words) != cells:
            raise ValueError(
                f"{text!r} has {len(words)} numbers, but {self.rows} x {self.cols} cells need {cells}, 0 for the gap"
            )
        twice = next((word for word in words if words.count(word) > 1), None)
        if twice is not None:
            raise ValueError(f"{text!r} has {twice} more than once; use each number from 0 to {cells - 1} once")
        return bytes(map(int, words))

    def parse_action(self, text: str) -> Slide:
        """A slide by name or by the beginning of its name."""
        matching = [slide for slide in _STEPS if text and slide.startswith(text.lower())]
        if not matching:
            raise ValueError(f"{text!r} is not {', '.join(_STEPS)}, or the beginning of one")
        return matching[0]

    def describe_action(self, action: Slide) -> str:
        return f"Slide a tile {action}"

    # How boards, beliefs and slides are drawn.

    def svg_state(self, state: Board) -> Drawing:
        return self._picture.tiles(state)

    def svg_belief(self, states: Collection[Board]) -> Drawing:
        """The tiles that all possible boards have in the same place."""
        return self._picture.tiles(agreed(states, -1))

    def svg_action(self, action: Slide) -> Drawing:
        return edge_arrow(self._picture.width, self._picture.height, action)

    @property
    def _picture(self) -> BoardPicture:
        return board_with_edges(self.rows, self.cols)

    # For speed: the way back from the goal, and estimates of the way to it.

    def goal_states(self) -> tuple[Board]:
        return (self._goal,)

    def predecessors(self, state: Board) -> list[tuple[Board, Slide]]:
        return [(self.result(state, back), _OPPOSITE[back]) for back in self.actions(state)]

    def heuristic(self, state: Board) -> float:
        """The chosen estimate; infinite for a start that cannot be put in order.

        No other state is asked whether it can be: along a plan that never changes.
        """
        if state == self._hopeless_start:
            return math.inf
        total = 0
        for line, table in self._lines:
            total += table[state[line]]
        return total

    @cached_property
    def _hopeless_start(self) -> Board | None:
        if self.start is None or self.can_be_put_in_order(self.initial_state()):
            return None
        return self.initial_state()

    @cached_property
    def _lines(self) -> list[tuple[slice, LineTable]]:
        return line_tables(self.rows, self.cols, self.estimate)

    # Slides looked up instead of worked out.

    @cached_property
    def _sources(self) -> dict[Slide, list[int]]:
        """The cell that the tile comes from, by slide and by the cell of the gap, -1 where there is none."""
        return {
            slide: [self._cell(gap, *step) for gap in range(self.rows * self.cols)] for slide, step in _STEPS.items()
        }

    def _cell(self, gap: int, down: int, right: int) -> int:
        row, col = gap // self.cols + down, gap % self.cols + right
        return row * self.cols + col if 0 <= row < self.rows and 0 <= col < self.cols else -1

    @cached_property
    def _slides(self) -> list[tuple[Slide, ...]]:
        """The slides into the gap, by its cell."""
        return [
            tuple(slide for slide in _STEPS if self._sources[slide][gap] >= 0) for gap in range(self.rows * self.cols)
        ]

    @cached_property
    def _exchanges(self) -> list[bytes]:
        """The table for `bytes.translate` that exchanges each tile with the gap.

        To exchange two bytes wherever they are is quicker than to take the board apart and put it together.
        """
        return [bytes.maketrans(bytes((0, tile)), bytes((tile, 0))) for tile in range(self.rows * self.cols)]

    # For counting: many boards at once, as numbers.

    def codes(self, states: Sequence[Board]) -> Codes:
        return self._numbered.codes(states)

    def states_of(self, codes: Codes) -> list[Board]:
        return self._numbered.boards(codes)

    def code_bound(self) -> int | None:
        return self._numbered.bound

    def all_actions(self) -> list[Slide]:
        return [slide for slide, sources in self._sources.items() if max(sources) >= 0]

    def results_of(self, codes: Codes, action: Slide) -> tuple[Codes, Flags]:
        return self._numbered.moved(codes, *_STEPS[action])  # the gap goes where the tile comes from

    def goal_codes(self) -> Codes:
        return self.codes(self.goal_states())

    def origins_of(self, codes: Codes, action: Slide) -> Codes:
        origins, applies = self.results_of(codes, _OPPOSITE[action])
        return origins[applies]

    @cached_property
    def _numbered(self) -> RankedBoards | PackedBoards:
        from ._board_codes import board_codes  # which needs NumPy

        return board_codes(self.rows, self.cols)


def _exchanges_to_sort(permutation: Sequence[int]) -> int:
    """The least number of exchanges that sort a permutation of 0, 1, ...: its length minus its cycles."""
    seen = set()
    cycles = 0
    for place in range(len(permutation)):
        if place not in seen:
            cycles += 1
            while place not in seen:
                seen.add(place)
                place = permutation[place]
    return len(permutation) - cycles
