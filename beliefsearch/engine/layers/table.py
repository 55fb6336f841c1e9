"""A table of two bits for each number below a bound, by kernels: 32 cells a word, the first in the lowest bits.

A cell says that its code is not reached, that it is old, or that it bears one of two marks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..compiled.jit import inner_kernel, kernel
from ..compiled.kernels import lowest_bit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..compiled.words import Words
    from .space import Codes

CELLS = 32
"""Cells in a word."""
OLD = 1

_ONE = np.uint64(1)
_THREE = np.uint64(3)
_FIVE = np.uint64(5)
_CELL = np.uint64(31)
_LOWS = np.uint64(0x5555555555555555)


def table_for(bound: int) -> Words:
    """A table with all cells not reached; the system gives it memory where it is written to."""
    return np.zeros(-(-bound // CELLS), dtype=np.uint64)


@kernel
def unreached(table: Words, codes: Codes) -> Codes:
    """Those of these codes that are not reached.

    Cells are looked up without a branch, which is hard to foresee: the processor then looks up many at the same time.
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
    """Enter what of these codes is not reached: in the list as long as there is room, and old; else marked.

    `count` are in the list. Returns how many codes are new, and how many are in the list now.
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
    """Write codes with this mark, from the word `first` on, while there is room for those of one more word.

    Returns how many they are, and the word to go on with, which is the end of the table at last.
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
    """Make all that bears this mark old."""
    pattern = np.uint64(mark) * _LOWS
    for word in range(table.size):
        found = _with_mark(table[word], pattern)
        table[word] = (table[word] & ~(found * _THREE)) | found


@inner_kernel
def _with_mark(cells: np.uint64, pattern: np.uint64) -> np.uint64:
    """Of each cell the lowest bit is set if it is that of the pattern."""
    other = cells ^ pattern
    return ~(other | (other >> _ONE)) & _LOWS
