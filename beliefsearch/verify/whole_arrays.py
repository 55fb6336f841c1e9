"""Arrays of whole numbers without overflow, and their products, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

_LARGEST = 2**62
# Whole numbers up to this are floats exactly.
_BITS_OF_FLOATS = 53


def wide_enough(bound: int) -> type:
    """The type of an array whose numbers, all intermediate results included, are at most `bound` in absolute value."""
    return np.int64 if bound < _LARGEST else object


def whole_array(numbers: Sequence[int]) -> NDArray[Any]:
    """Whole numbers as an array: of 64 bits if all of them fit, else of Python's own numbers."""
    return np.array(numbers, wide_enough(max(map(abs, numbers), default=0)))


def bits_of_digits(terms: int) -> int:
    """Return the number of bits of digits whose sum of so many products is exact in floats."""
    return (_BITS_OF_FLOATS - terms.bit_length()) // 2


def digits(numbers: NDArray[Any], bits: int) -> list[Floats]:
    """Whole numbers, written with digits of so many bits, the lowest first; the last digit has the sign.

    Each digit is a whole number of at most `bits` bits, held in a float exactly.
    """
    found = []
    while True:
        low = numbers & ((1 << bits) - 1)
        high = numbers >> bits
        if not ((high != 0) & (high != -1)).any():
            found.append((low + (high << bits)).astype(np.float64))
            return found
        found.append(low.astype(np.float64))
        numbers = high


def exact_product(left: Sequence[Floats], right: Sequence[Floats], bits: int) -> NDArray[Any]:
    """The product of two matrices that are given by their digits, as Python's own whole numbers.

    Each product of two digits, and each sum of them, is a whole number below 2^53, which floats hold exactly; that is
    what `bits_of_digits` is for.
    """
    by_place = [np.zeros((left[0].shape[0], right[0].shape[1]), np.int64) for _ in range(len(left) + len(right) - 1)]
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            by_place[i + j] += (one @ other).astype(np.int64)
    found = by_place[-1].astype(object)
    for sums in reversed(by_place[:-1]):
        found = (found << bits) + sums
    return found
