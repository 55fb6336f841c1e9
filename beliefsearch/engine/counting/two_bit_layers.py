"""Breadth-first layers of a space whose codes lie below a bound: a table with two bits for each code.

The nodes of a layer are marked in the table, which is scanned for them (Korf, *Minimizing disk I/O in two-bit
breadth-first search*, AAAI 2008). The first nodes of each layer are listed instead, so that small layers need no scan
of a large table.

A word of the table has 32 cells, the first in the lowest bits. A cell tells that its code is not reached, that it is
old, or that it has one of two marks.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...running.run import Run
from ..compiled.bitset_kernels import lowest_bit
from ..compiled.bitset_words import Words
from ..compiled.jit import inner_kernel, kernel
from .codes import Codes, Space, least
from .executors import Engine
from .memory_layers import Walk

CELLS = 32  # in a word
OLD = 1
_ONE = np.uint64(1)
_THREE = np.uint64(3)
_FIVE = np.uint64(5)
_CELL = np.uint64(31)
_LOWS = np.uint64(0x5555555555555555)


@kernel
def unreached(table: Words, codes: Codes) -> Codes:
    """Return the codes that are not reached.

    The look-ups have no branch, which could not be predicted; so the processor does many at the same time.
    """
    cells = np.empty(codes.shape[0], dtype=np.uint8)
    for row in range(codes.shape[0]):
        code = codes[row, 0]
        cells[row] = (table[code >> _FIVE] >> ((code & _CELL) << _ONE)) & _THREE
    found = np.empty_like(codes)
    count = 0
    for row in range(codes.shape[0]):
        found[count, 0] = codes[row, 0]
        count += int(cells[row] == 0)
    return found[:count]


@kernel
def enter(table: Words, codes: Codes, mark: int, listed: NDArray[Any], count: int) -> Any:
    """Add the codes that are not reached: to the list while there is room, as old codes; else as marks of the table.

    The list has `count` codes. Returns the number of new codes, and the new length of the list.
    """
    new = 0
    label = np.uint64(mark)
    for row in range(codes.shape[0]):
        code = codes[row, 0]
        word, shift = code >> _FIVE, (code & _CELL) << _ONE
        if (table[word] >> shift) & _THREE == 0:
            new += 1
            if count < listed.size:
                table[word] |= _ONE << shift
                listed[count] = code
                count += 1
            else:
                table[word] |= label << shift
    return new, count


@kernel
def marked(table: Words, first: int, mark: int, codes: Codes) -> Any:
    """Write the codes with this mark, from the word `first` on, while there is room for those of one more word.

    Returns their number and the word to continue with, which is the size of the table at the end.
    """
    count = 0
    pattern = np.uint64(mark) * _LOWS
    for word in range(first, table.size):
        if count + 32 > codes.shape[0]:
            return count, word
        found = _with_mark(table[word], pattern)
        while found != 0:
            codes[count, 0] = np.uint64(32 * word + lowest_bit(found) // 2)
            count += 1
            found &= found - _ONE
    return count, table.size


@kernel
def forget(table: Words, mark: int) -> None:
    """Turn all codes with this mark into old ones."""
    pattern = np.uint64(mark) * _LOWS
    for word in range(table.size):
        found = _with_mark(table[word], pattern)
        table[word] = (table[word] & ~(found * _THREE)) | found


@inner_kernel
def _with_mark(cells: np.uint64, pattern: np.uint64) -> np.uint64:
    """Set the lowest bit of each cell that equals the pattern."""
    other = cells ^ pattern
    return ~(other | (other >> _ONE)) & _LOWS


# A list has room for one of so many codes; both lists together then take a sixteenth of the memory of the table.
_LISTED = 512
_FEWEST_LISTED = 1 << 10
# Words of the table that are scanned between two checks of the limits, and codes that are yielded at a time.
_STRETCH = 1 << 20
_SOUGHT = 1 << 16


class TableLayers(Walk):
    """A breadth-first search that keeps two bits for each number below the bound.

    Memory: 17/64 of a byte for each number below the bound; 9/32 if that is above 2**32.
    """

    def __init__(
        self, space: Space, run: Run | None = None, *, engine: Engine | None = None, before: Walk | None = None
    ) -> None:
        assert space.bound is not None
        self._bound = space.bound
        self._entering = Lock()
        # No code is reached. The system allocates a page of zeros only when it is written to.
        self._table: Words = np.zeros(-(-self._bound // CELLS), dtype=np.uint64)
        room = max(_FEWEST_LISTED, self._bound // _LISTED)
        self._listed, self._next = (np.empty(room, dtype=_kind(self._bound)) for _ in range(2))
        self._next_count = 0  # the listed nodes of the layer under construction
        super().__init__(space, run, engine=engine, before=before)

    @staticmethod
    def nbytes_for(bound: int) -> int:
        """Return the memory of the table and the lists, in bytes."""
        return bound // 4 + 2 * bound // _LISTED * int(np.dtype(_kind(bound)).itemsize)

    def advance(self) -> int:
        if self.reached == self._bound:
            return 0
        marks = self._is_marked
        found = super().advance()
        if found and marks:
            for start in range(0, len(self._table), _STRETCH):
                self._run.tick()
                forget(self._table[start : start + _STRETCH], _mark(len(self.counts) - 2))
        return found

    def _enter(self, codes: Codes) -> int:
        new = unreached(self._table, codes)
        with self._entering:
            count, self._next_count = enter(self._table, new, _mark(len(self.counts)), self._next, self._next_count)
        return int(count)

    def _remember(self, codes: Codes) -> None:
        enter(self._table, codes, OLD, self._next[:0], 0)

    def _end_layer(self, found: int) -> None:
        super()._end_layer(found)
        self._listed, self._next = self._next, self._listed
        self._count, self._next_count = self._next_count, 0

    @property
    def _is_marked(self) -> bool:
        """Whether some nodes of the last layer are marked in the table instead of listed."""
        return self._count < self.counts[-1]

    def layer(self) -> Iterator[Codes]:
        """Yield the listed nodes of the last layer, and then the marked ones in ascending order."""
        for start in range(0, self._count, _SOUGHT):
            yield self._listed[start : min(start + _SOUGHT, self._count), np.newaxis].astype(np.uint64)
        if self._is_marked:
            yield from self._marked()

    def _marked(self) -> Iterator[Codes]:
        mark = _mark(len(self.counts) - 1)
        for start in range(0, len(self._table), _STRETCH):
            stretch = self._table[start : start + _STRETCH]
            word = 0
            while word < len(stretch):
                codes: Codes = np.empty((_SOUGHT, 1), dtype=np.uint64)
                count, word = marked(stretch, word, mark, codes)
                if count:
                    codes[:count] += np.uint64(start * CELLS)
                    yield codes[:count]

    def release(self) -> Iterator[Codes]:
        raise NotImplementedError("no other layers take less memory")

    def last(self, most: int) -> Codes:
        found = [least(self._listed[: self._count, np.newaxis].astype(np.uint64), most)]
        for codes in self._marked() if self._is_marked else ():
            found.append(codes[:most])
            if sum(map(len, found[1:])) >= most:
                break
        return least(np.concatenate(found), most)


def _kind(bound: int) -> Any:
    """Return the type of listed codes."""
    return np.uint32 if bound <= 2**32 else np.uint64


def _mark(layer: int) -> int:
    """Return the mark of the nodes of a layer in the table."""
    return 2 + (layer & 1)
