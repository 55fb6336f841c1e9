"""Boards of coins or lamps on which a move turns over a cross, for the puzzles on a grid."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from attrs import frozen

from beliefsearch import Drawing
from beliefsearch.hooks import ArrayHook, ReversibleCodeHook, ReversibleProblem

from ._pictures.parts import agreed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[np.uint64]
    Flags: TypeAlias = NDArray[np.bool_]

Cell: TypeAlias = tuple[int, int]
"""Row and column, both from 0, from the top left."""
_MOST_NUMBERED = 62
"""Lists have no more than 2^63 - 1 entries, and boards of more cells than this are not listed."""
_number = int.from_bytes  # a name of its own: to look a class method up takes as long as to call it


class CrossProblem(ReversibleProblem[str, Cell], ArrayHook[str, Cell], ReversibleCodeHook[str, Cell]):
    """A board of two-sided things; choosing a cell turns it over with its neighbours.

    A state is a string of two letters, row by row. A move is its own inverse. A puzzle derives from this
    and says which cells may be chosen, and what has been won.
    """

    letters: ClassVar[tuple[str, str]]
    """The two sides, as letters."""
    rows: int
    cols: int

    def possible_starts(self) -> Iterator[str]:
        return map("".join, product(self.letters, repeat=self.rows * self.cols))

    def result(self, state: str, action: Cell) -> str:
        # Letters are bytes, which the cross turns over all at once.
        return (_number(state.encode()) ^ self._turning[action]).to_bytes(len(state)).decode()

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return tuple(self.crosses)

    @cached_property
    def crosses(self) -> dict[Cell, tuple[int, ...]]:
        """The places of each cell and of its neighbours in a state, row by row."""
        return {cell: self._cross(*cell) for cell in product(range(self.rows), range(self.cols))}

    def _cross(self, row: int, col: int) -> tuple[int, ...]:
        around = ((row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
        return tuple(r * self.cols + c for r, c in around if 0 <= r < self.rows and 0 <= c < self.cols)

    @cached_property
    def _turning(self) -> dict[Cell, int]:
        """The number that turns over the cross of each cell by exclusive or, the board being the bytes of a number."""
        one, other = map(ord, self.letters)
        last = self.rows * self.cols - 1
        return {
            cell: sum((one ^ other) << 8 * (last - place) for place in cross) for cell, cross in self.crosses.items()
        }

    def check_start(self, start: str | None) -> None:
        """Raise ValueError if the given start is not a board."""
        if start is not None:
            try:
                self.parse_state(start)
            except ValueError as error:
                raise ValueError(f"start: {error}") from None

    # How states and actions are written and read.

    def draw_state(self, state: str) -> str:
        return "\n".join(" ".join(state[start : start + self.cols]) for start in range(0, len(state), self.cols))

    def format_action(self, action: Cell) -> str:
        return f"{action[0]},{action[1]}"

    def parse_action(self, text: str) -> Cell:
        """A cell from `2,1` or `2 1`."""
        words = text.replace(",", " ").strip("() ").split()
        if len(words) == 2 and all(word.isdecimal() for word in words):
            cell = int(words[0]), int(words[1])
            if cell in self.crosses:
                return cell
        raise ValueError(
            f"{text!r} is not a row and a column such as '0,2', from 0,0 to {self.rows - 1},{self.cols - 1}"
        )

    def parse_state(self, text: str) -> str:
        """The text itself, checked to be a board."""
        for place, letter in enumerate(text):
            if letter not in self.letters:
                raise ValueError(f"{text!r} has {letter!r} at place {place + 1}; use {' or '.join(self.letters)}")
        if len(text) != self.rows * self.cols:
            raise ValueError(
                f"{text!r} has {len(text)} letters, but {self.rows} x {self.cols} cells need {self.rows * self.cols}"
            )
        return text

    # How boards are drawn: what all possible boards agree on, and a question mark elsewhere.

    def svg_belief(self, states: Collection[str]) -> Drawing:
        return self.svg_state("".join(agreed(states, "?")))

    # For speed: the results of a move in all states at once.

    def all_states(self) -> Boards | None:
        cells = self.rows * self.cols
        return Boards(self.letters, cells) if cells <= _MOST_NUMBERED else None

    def all_results(self, action: Cell) -> NDArray[np.integer[Any]]:
        """Boards are numbered in alphabetical order of their sides, so a move flips bits of the number."""
        import numpy as np

        cells = self.rows * self.cols
        cross = sum(1 << (cells - 1 - place) for place in self.crosses[action])
        return (np.arange(1 << cells) ^ cross)[:, None]

    # For counting: many boards at once, a bit for each cell; the first cell is the lowest bit of the first word.

    def codes(self, states: Sequence[str]) -> Codes:
        import numpy as np

        from ._ranks import packed

        letters = np.frombuffer("".join(states).encode(), np.uint8).reshape(-1, self.rows * self.cols)
        return packed(letters == ord(self.letters[1]), 1)

    def states_of(self, codes: Codes) -> list[str]:
        import numpy as np

        from ._ranks import unpacked

        letters = np.frombuffer("".join(self.letters).encode(), np.uint8)
        return [bytes(board).decode() for board in letters[unpacked(codes, 1, self.rows * self.cols)]]

    def code_bound(self) -> int | None:
        return 1 << self.rows * self.cols if self.rows * self.cols < 64 else None

    def all_actions(self) -> list[Cell]:
        return list(self.crosses)

    def results_of(self, codes: Codes, action: Cell) -> tuple[Codes, Flags | None]:
        return codes ^ self._cross_codes[action], None

    def goal_codes(self) -> Codes:
        return self.codes(list(self.goal_states()))

    def origins_of(self, codes: Codes, action: Cell) -> Codes:
        origins, _ = self.results_of(codes, action)
        _, applies = self.results_of(origins, action)
        return origins if applies is None else origins[applies]

    @cached_property
    def _cross_codes(self) -> dict[Cell, Codes]:
        """The code of a board that differs from that of zeros in the cross of a cell alone."""
        zero, one = self.letters
        places = range(self.rows * self.cols)
        boards = ["".join(one if place in cross else zero for place in places) for cross in self.crosses.values()]
        return dict(zip(self.crosses, self.codes(boards)[:, None], strict=True))


@frozen
class Boards(Sequence[str]):
    """All boards of `cells` cells, in alphabetical order of the sides; made on demand."""

    letters: tuple[str, str]
    cells: int

    def __len__(self) -> int:
        return 1 << self.cells

    def __getitem__(self, place: Any) -> Any:
        found = range(len(self))[place]
        return self._at(found) if isinstance(found, int) else [*map(self._at, found)]

    def _at(self, number: int) -> str:
        bits = f"{number:0{self.cells}b}"
        return bits.translate({ord("0"): self.letters[0], ord("1"): self.letters[1]})
