"""Rows of small numbers as 64-bit words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    """How many words a row of so many numbers takes; at least one."""
    return max(1, -(-numbers * bits // 64))
