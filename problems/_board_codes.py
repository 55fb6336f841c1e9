"""Boards of sliding tiles as 64-bit words, and what a slide does to many boards at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import factorial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ._ranks import MOST_RANKED, packed, ranks, unpacked, values_of, window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[np.uint64]
    Flags: TypeAlias = NDArray[np.bool_]


class RankedBoards:
    """Boards by the cell of the gap and the rank of the tiles in their order, line by line without the gap.

    Lines are rows or columns, whichever are shorter. Along a line the gap moves without a change of the order. Across
    lines a tile moves past all others of a line, so that as many places of the order change as a line has cells.
    """

    def __init__(self, rows: int, cols: int) -> None:
        self.cells = rows * cols
        self.line = min(rows, cols)
        self.by_columns = cols > rows
        cells = np.arange(self.cells).reshape(rows, cols)
        self.reading = (cells.T if self.by_columns else cells).ravel()
        self.orders = factorial(self.cells - 1)
        # No code reaches this, and half or all of them belong to boards that come up. Tiles that cannot pass each other
        # have one order.
        self.bound = factorial(self.cells) if self.line > 1 else None

    def codes(self, boards: Sequence[bytes]) -> Codes:
        """The codes of boards, which are given as bytes with 0 for the gap, one row each."""
        tiles = np.frombuffer(b"".join(boards), np.uint8).reshape(-1, self.cells)[:, self.reading]
        gap = (tiles == 0).argmax(axis=1)
        order = tiles[tiles > 0].reshape(len(tiles), -1).astype(np.int8) - 1
        codes: Codes = gap.astype(np.uint64)[:, None] * np.uint64(self.orders)
        return codes + ranks(order)[:, None]

    def boards(self, codes: Codes) -> list[bytes]:
        """The inverse of `codes`."""
        gap, order = np.divmod(codes[:, 0], np.uint64(self.orders))
        is_gap = np.arange(self.cells) == gap.astype(np.int64)[:, None]
        tiles = np.zeros((len(codes), self.cells), np.uint8)
        tiles[~is_gap] = values_of(order, self.cells - 1).ravel() + 1
        return list(map(bytes, tiles[:, self.reading.argsort()]))

    def moved(self, codes: Codes, down: int, right: int) -> tuple[Codes, Flags]:
        """The codes when the gap has moved by a row or a column, and where it can."""
        along, across = (down, right) if self.by_columns else (right, down)
        gap = (codes[:, 0] // np.uint64(self.orders)).view(np.int64)
        if along:
            edge = self.line - 1 if along > 0 else 0
            applies = np.arange(self.cells) % self.line != edge
            return codes + _wrapped(along * self.orders), applies.take(gap)
        crossing = self._crossings[across]
        digits = codes[:, 0] // crossing.radix.take(gap)
        size = crossing.size.take(gap)
        digits -= digits // size * size  # which is quicker than the remainder
        digits += crossing.begins.take(gap)
        return codes + crossing.changes.take(digits.view(np.int64))[:, None], crossing.applies.take(gap)

    @cached_property
    def _crossings(self) -> dict[int, _Crossing]:
        """The changes for each direction across lines."""
        return {across: _Crossing(self.cells, self.line, across, self.orders) for across in (1, -1)}


class _Crossing:
    """Changes of codes when the gap moves to the next line or to the one before.

    By its cell: whether it can; the number that a code is divided by so that the digits of the places that change are
    the remainder by another number; and where the changes for these digits begin.
    """

    def __init__(self, cells: int, line: int, across: int, orders: int) -> None:
        self.applies = np.zeros(cells, bool)
        self.radix = np.ones(cells, np.uint64)
        self.size = np.ones(cells, np.uint64)
        self.begins = np.zeros(cells, np.uint64)
        changes: list[NDArray[np.uint64]] = [np.zeros(1, np.uint64)]
        total = 1
        for gap in range(cells):
            if not 0 <= gap + across * line < cells:
                continue
            first = gap if across > 0 else gap - line
            values = window(line, first)
            # The tile of the next line comes before all between, one of the line before comes after them.
            digits = ranks(np.roll(values, across, axis=1), first)
            digits -= np.arange(len(values), dtype=np.uint64)
            radix = factorial(first)
            self.applies[gap], self.radix[gap], self.size[gap], self.begins[gap] = True, radix, len(values), total
            digits *= np.uint64(radix)
            digits += _wrapped(across * line * orders)
            changes.append(digits)
            total += len(values)
        self.changes = np.concatenate(changes)


def _wrapped(step: int) -> np.uint64:
    """A number to add that may be negative: unsigned sums wrap round."""
    return np.uint64(step % 2**64)


class PackedBoards:
    """Boards as one byte for each cell."""

    bound = None

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols

    def codes(self, boards: Sequence[bytes]) -> Codes:
        return packed(np.frombuffer(b"".join(boards), np.uint8).reshape(-1, self.rows * self.cols), 8)

    def boards(self, codes: Codes) -> list[bytes]:
        return list(map(bytes, unpacked(codes, 8, self.rows * self.cols)))

    def moved(self, codes: Codes, down: int, right: int) -> tuple[Codes, Flags]:
        tiles = unpacked(codes, 8, self.rows * self.cols).copy()
        row, col = np.divmod((tiles == 0).argmax(axis=1), self.cols)
        applies = (row + down) // self.rows == 0
        applies &= (col + right) // self.cols == 0
        boards = np.flatnonzero(applies)
        gap = (row * self.cols + col)[boards]
        tile = gap + down * self.cols + right
        tiles[boards, gap] = tiles[boards, tile]
        tiles[boards, tile] = 0
        return packed(tiles, 8), applies


def board_codes(rows: int, cols: int) -> RankedBoards | PackedBoards:
    """The writing of boards of this size as words."""
    return RankedBoards(rows, cols) if rows * cols <= MOST_RANKED else PackedBoards(rows, cols)
