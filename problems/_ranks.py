"""Permutations as numbers: ranks in which what happens at some places changes the digits of these places alone.

A place of a permutation has as its digit how many of the places before it have a smaller value; the rank is the sum of
the digits, each times the factorial of its place, counted from 0. So all digits of places first, first + 1, ... are one
number, the rank divided by first! (and its remainder by a later factorial), which is the same whatever comes after
them, and whatever the order of what comes before.

Source: C.-A. Laisant, "Sur la numération factorielle, application aux permutations" (1888); D. H. Lehmer, "Teaching
combinatorial tricks to a computer" (1960).

Rows of small numbers as 64-bit words.
"""

from __future__ import annotations

from math import perm
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_RANKED = 20
"""The ranks of permutations of more things than this do not fit in 64 bits."""


def ranks(values: NDArray[Any], first: int = 0) -> NDArray[np.uint64]:
    """The digits of the last places of permutations as one number, less than (`first` + places)! / `first`!.

    `values` are those at the places `first`, `first` + 1, ..., in an array of shape (permutations, places): each of 0,
    1, ..., `first` + places - 1 that is not in a row stands before them.
    """
    total = np.zeros(len(values), np.uint64)
    for place in reversed(range(values.shape[1])):
        digit = values[:, place].astype(np.int64)
        for after in range(place + 1, values.shape[1]):
            digit -= values[:, after] < values[:, place]  # all other smaller ones are before it
        total = total * np.uint64(first + place + 1) + digit.view(np.uint64)
    return total


def values_of(numbers: NDArray[Any], places: int, first: int = 0) -> NDArray[np.int8]:
    """The values at the last places of permutations of at most 128 things: the inverse of `ranks`."""
    values = np.empty((len(numbers), places), np.int8)
    left = numbers.astype(np.uint64)
    for place in range(places):
        radix = np.uint64(first + place + 1)
        after = left // radix
        digit = (left - after * radix).astype(np.int8)
        left = after
        # It comes among those before it, and what is not smaller makes room.
        values[:, :place] += values[:, :place] >= digit[:, None]
        values[:, place] = digit
    return values


def window(places: int, first: int = 0) -> NDArray[np.int8]:
    """The values at these places of all permutations that differ there, in the order of their ranks."""
    return values_of(np.arange(perm(first + places, places)), places, first)


def packed(rows: NDArray[Any], bits: int) -> NDArray[np.uint64]:
    """The numbers of each row side by side in words: shape (rows, numbers) becomes (rows, words).

    `bits` is 1, 2, 4 or 8, and every number less than 2**bits. The first number has the lowest bits of the first word.
    """
    in_words: NDArray[np.uint8] = np.zeros((len(rows), words_for(rows.shape[1], bits) * 64 // bits), np.uint8)
    in_words[:, : rows.shape[1]] = rows
    while bits < 8:
        in_words = in_words[:, ::2] | in_words[:, 1::2] << np.uint8(bits)
        bits *= 2
    return np.ascontiguousarray(in_words).view("<u8").astype(np.uint64, copy=False)


def unpacked(words: NDArray[Any], bits: int, numbers: int) -> NDArray[np.uint8]:
    """The inverse of `packed`: so many numbers of each row."""
    rows = np.ascontiguousarray(words.astype("<u8", copy=False)).view(np.uint8)
    size = 8
    while size > bits:
        size //= 2
        rows = np.stack([rows & (1 << size) - 1, rows >> size], axis=2).reshape(len(rows), 2 * rows.shape[1])
    return rows[:, :numbers]


def words_for(numbers: int, bits: int) -> int:
    """The number of words that a row of so many numbers takes; at least one."""
    return max(1, -(-numbers * bits // 64))
