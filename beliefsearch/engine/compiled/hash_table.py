"""Hash table for kernels: the places of rows of words, all different. Open addressing with linear probing.

The rows stand in an array of their own. A slot holds the place of a row plus 1, or `FREE`. The number of slots is a
power of two, and some are always free. An integer key is a row of one word.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bitset_kernels import hash_of
from .bitset_words import Words
from .jit import inner_kernel, kernel

FREE = np.uint32(0)

_ONE = np.uint64(1)


def slots_for(capacity: int) -> NDArray[np.uint32]:
    """Return free slots for so many rows: they fill at most half of them."""
    return np.zeros(1 << (2 * capacity - 1).bit_length(), dtype=np.uint32)


def enlarged(array: NDArray[Any], capacity: int) -> NDArray[Any]:
    """Return a copy with so many rows, the new ones zero."""
    large = np.zeros((capacity, *array.shape[1:]), dtype=array.dtype)
    large[: len(array)] = array
    return large


@inner_kernel
def find_or_insert(rows: Words, slots: NDArray[np.uint32], count: int, row: Words) -> Any:
    """Return the place of `row` among the first `count` of `rows`; a new row is copied to the place `count`."""
    last = np.uint64(slots.size - 1)
    slot = hash_of(row) & last
    while slots[slot] != FREE:
        place = np.int64(slots[slot]) - 1
        word = 0
        while word < row.size and rows[place, word] == row[word]:
            word += 1
        if word == row.size:
            return place
        slot = (slot + _ONE) & last
    slots[slot] = np.uint32(count + 1)
    for word in range(row.size):
        rows[count, word] = row[word]
    return np.int64(count)


@kernel
def rehash(rows: Words, count: int, slots: NDArray[np.uint32]) -> None:
    """Enter the first `count` rows into `slots`, which are all free."""
    for place in range(count):
        find_or_insert(rows, slots, place, rows[place])
