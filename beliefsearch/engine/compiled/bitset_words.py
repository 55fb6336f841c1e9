"""Bit sets as rows of 64-bit words, and conversions to and from Python ints."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
"""One bit set (shape: words) or many (shape: sets, words); bit i is bit i % 64 of word i // 64.

All of them are writable, because Numba would compile each kernel a second time for read-only arrays.
"""
Integers: TypeAlias = NDArray[np.int64]
Integers32: TypeAlias = NDArray[np.int32]
Truths: TypeAlias = NDArray[np.bool_]


def word_count(states: int) -> int:
    """Return the width, in words, of a bit set over `states` states."""
    return max(1, -(-states // 64))


def words_of_bytes(data: bytes) -> Words:
    """Return the bytes of a bit set as a row of words."""
    return np.frombuffer(bytearray(data), dtype=np.uint64)


def words_of_mask(mask: int, width: int) -> Words:
    """Return the Python int `mask` as a row of `width` words."""
    return words_of_bytes(mask.to_bytes(width * 8, "little"))


def mask_of_words(row: Words) -> int:
    """Return the row as a Python int."""
    return int.from_bytes(row.tobytes(), "little")


def words_of_members(members: Truths, width: int) -> Words:
    """Return the bit set of the places where `members` is true."""
    data = np.packbits(members, bitorder="little")
    return words_of_bytes(data.tobytes().ljust(width * 8, b"\0"))


def members_of_words(row: Words) -> NDArray[np.intp]:
    """Return the members of one bit set, in ascending order."""
    return np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))
