"""Lower bounds on the number of slides to the goal, looked up by row and by column."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

Estimate: TypeAlias = Literal["linear-conflict", "manhattan", "misplaced"]
"""Misplaced tiles; Manhattan distance; Manhattan distance with linear conflicts, two slides for each conflict."""


class LineTable(dict[bytes, int]):
    """The contribution of a row or column to the estimate, by its tiles; computed when it first comes up."""

    def __init__(self, share: Callable[[bytes], int]) -> None:
        super().__init__()
        self._share = share

    def __missing__(self, tiles: bytes) -> int:
        share = self[tiles] = self._share(tiles)
        return share


def line_tables(rows: int, cols: int, estimate: Estimate) -> list[tuple[slice, LineTable]]:
    """Each row and column as a slice of the board, with the table of its contribution.

    A row has what its tiles are away from their rows, a column what they are away from their columns. So a board is
    estimated by looking up as many tables as it has lines.
    """
    cells = rows * cols
    row_slices = [slice(row * cols, (row + 1) * cols) for row in range(rows)]
    if estimate == "misplaced":
        goal = bytes([*range(1, cells), 0])
        return [(line, LineTable(_misplaced(goal[line]))) for line in row_slices]
    conflicts = estimate == "linear-conflict"
    return [
        *(
            (line, LineTable(_far_from(row, lambda tile: (tile - 1) // cols, conflicts)))
            for row, line in enumerate(row_slices)
        ),
        *(
            (slice(col, cells, cols), LineTable(_far_from(col, lambda tile: (tile - 1) % cols, conflicts)))
            for col in range(cols)
        ),
    ]


def _misplaced(goal: bytes) -> Callable[[bytes], int]:
    return lambda tiles: sum(tile not in (0, own) for tile, own in zip(tiles, goal, strict=True))


def _far_from(line: int, line_of: Callable[[int], int], conflicts: bool) -> Callable[[bytes], int]:
    """The total distance of the tiles in `line` from their own lines by `line_of`, with conflicts if wanted."""

    def share(tiles: bytes) -> int:
        away = sum(abs(line_of(tile) - line) for tile in tiles if tile)
        if not conflicts:
            return away
        # Tiles of this line that need not leave it are in order; each of the others takes a slide out and one in.
        at_home = [tile for tile in tiles if tile and line_of(tile) == line]
        return away + 2 * (len(at_home) - _longest_rise(at_home))

    return share


def _longest_rise(numbers: Sequence[int]) -> int:
    """The length of a longest increasing subsequence."""
    longest: list[int] = []  # of those that end at each place
    for place, number in enumerate(numbers):
        before = (length for length, other in zip(longest, numbers[:place], strict=True) if other < number)
        longest.append(1 + max(before, default=0))
    return max(longest, default=0)
