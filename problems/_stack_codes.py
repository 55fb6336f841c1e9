"""Stacks of pancakes as 64-bit words, and what turning over the upper ones does to many stacks at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ._ranks import packed, ranks, unpacked, values_of, window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[np.uint64]

# More pancakes than this are not ranked: the tables of turns would become too large.
_MOST_RANKED = 13
# A turn of so many is looked up in one table, one of more in two halves.
_MOST_WHOLE = 8


class RankedStacks:
    """Stacks as the rank of their order; of burnt pancakes, its bits moved up by one for each pancake, and the sides.

    Bit i says whether pancake i from the top, counted from 0, lies burnt side up.
    """

    def __init__(self, count: int, burnt: bool) -> None:
        self.count = count
        self.sides = np.uint64(count if burnt else 0)
        self.bound = factorial(count) << int(self.sides)  # which no code reaches; they are numbers without gaps

    def codes(self, stacks: Sequence[tuple[int, ...]]) -> Codes:
        """The codes of stacks, one row each."""
        sizes = np.array(stacks, np.int64).reshape(-1, self.count)
        codes = ranks(np.abs(sizes) - 1)
        if self.sides:
            codes = codes << self.sides | packed(sizes < 0, 1)[:, 0]
        return codes[:, None]

    def stacks(self, codes: Codes) -> list[tuple[int, ...]]:
        """The inverse of `codes`."""
        sizes = values_of(codes[:, 0] >> self.sides, self.count).astype(np.int64) + 1
        if self.sides:
            sizes[unpacked(codes, 1, self.count) == 1] *= -1
        return list(map(tuple, sizes.tolist()))

    def turned(self, codes: Codes, count: int) -> Codes:
        """The codes after turning over so many pancakes."""
        if not self.sides:
            return _turn(count)(codes[:, 0])[:, None]
        after = _turn(count)(codes[:, 0] >> self.sides) << self.sides
        upper = np.uint64((1 << count) - 1)
        sides = codes[:, 0] & np.uint64((1 << self.count) - 1)
        after |= sides & ~upper | _turned_sides(count)[sides & upper]
        return after[:, None]


class PackedStacks:
    """Stacks as their sizes less 1 side by side: four bits each, or a byte whose highest bit says burnt side up."""

    bound = None

    def __init__(self, count: int, burnt: bool) -> None:
        self.count = count
        self.bits = 4 if count <= 16 and not burnt else 8
        self.turn = np.uint8(0x80 if burnt else 0)

    def codes(self, stacks: Sequence[tuple[int, ...]]) -> Codes:
        sizes = np.array(stacks, np.int64).reshape(-1, self.count)
        return packed(np.abs(sizes) - 1 + 0x80 * (sizes < 0), self.bits)

    def stacks(self, codes: Codes) -> list[tuple[int, ...]]:
        rows = unpacked(codes, self.bits, self.count).astype(np.int64)
        return list(map(tuple, np.where(rows < 0x80, rows + 1, 0x7F - rows).tolist()))

    def turned(self, codes: Codes, count: int) -> Codes:
        rows = unpacked(codes, self.bits, self.count).copy()
        rows[:, :count] = rows[:, :count][:, ::-1] ^ self.turn
        return packed(rows, self.bits)


def stack_codes(count: int, burnt: bool) -> RankedStacks | PackedStacks:
    """The writing of stacks of so many pancakes as words."""
    return RankedStacks(count, burnt) if count <= _MOST_RANKED else PackedStacks(count, burnt)


class _Turn:
    """Changes of ranks when the first `count` places are reversed.

    The digits of these places are a number below count!, and the others stay. In two halves: the lower digits say
    which values are in the lower half and in which order. Reversed these come to lie above, where nothing else
    matters for their digits. The upper digits say in which order the other values are; with which ones that are, they
    give the digits below. For 12 places these are two tables of 665,280 numbers each, 8 MB together.
    """

    def __init__(self, count: int) -> None:
        lower = count // 2
        upper = count - lower
        self.radix, self.upper_radix = np.uint64(factorial(count)), np.uint64(factorial(upper))
        small = np.uint32 if count <= 12 else np.uint64  # 12! is below 2**32
        chosen = np.array(list(combinations(range(count), upper)), np.int8)
        # By set of values in the upper half, and their order: the digits that they have below.
        order = window(upper)[:, ::-1]
        below = np.empty((len(chosen), len(order)), small)
        for place, values in enumerate(chosen):
            below[place] = ranks(values[order], lower)
        below *= small(factorial(lower))
        self.below = below.ravel()
        # By the lower digits: where the numbers of the set that is left begin there, and the digits they have above.
        values = window(lower, upper)
        number_of = np.zeros(1 << count, np.uint64)
        number_of[(1 << count) - 1 - _members(chosen)] = np.arange(len(chosen))
        self.begins = (number_of[_members(values)] * self.upper_radix).astype(np.uint32)
        self.above = ranks(_order(values[:, ::-1])).astype(np.uint32)
        self.whole = self.halves(np.arange(self.radix, dtype=np.uint64)) if count <= _MOST_WHOLE else None

    def __call__(self, ranked: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The ranks after it."""
        digits = ranked - ranked // self.radix * self.radix  # which is quicker than the remainder
        after = ranked - digits
        after += self.halves(digits) if self.whole is None else self.whole.take(digits.view(np.int64))
        return after

    def halves(self, digits: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The digits after it."""
        lower = digits // self.upper_radix
        place = digits - lower * self.upper_radix
        lower_place = lower.view(np.int64)  # as indices, so that none are converted
        place += self.begins.take(lower_place)
        after = self.above.take(lower_place).astype(np.uint64)
        after += self.below.take(place.view(np.int64))
        return after


def _members(sets: NDArray[np.int8]) -> NDArray[np.int64]:
    """Each row as the bits of a number."""
    members = np.zeros(len(sets), np.int64)
    for place in range(sets.shape[1]):
        members |= np.left_shift(1, sets[:, place], dtype=np.int64)
    return members


def _order(values: NDArray[np.int8]) -> NDArray[np.int8]:
    """The number of values of its row that each is larger than."""
    order: NDArray[np.int8] = (values[:, :, None] > values[:, None, :]).sum(axis=2, dtype=np.int8)
    return order


@cache
def _turn(count: int) -> _Turn:
    return _Turn(count)


@cache
def _turned_sides(count: int) -> NDArray[np.uint64]:
    """The sides of so many pancakes when they are turned over, by their sides before."""
    sides = unpacked(np.arange(1 << count, dtype=np.uint64)[:, None], 1, count)
    return packed(sides[:, ::-1] ^ 1, 1)[:, 0]
