"""Subset queries: an index of many small sets that finds one that lies inside a query.

Each set has a value, and each value has an index of its own. A set is filed under a pair of its members, the pair with
the fewest sets so far; if even that pair has many, the set is filed under three members. A query looks up all pairs or
triples of its members, or compares all sets of the value if these are fewer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bitset_kernels import includes, list_members
from .bitset_words import Words
from .jit import inner_kernel

# The most places of the hash table of one value, and of all values together.
_MOST_PLACES = 1 << 18
_MOST_IN_ALL = 1 << 24
# A comparison of two sets takes about so many times as long as a look-up in the hash table.
_CHEAPER = 4
# If every pair of members of a set has so many sets already, the set is filed under three members.
_MANY = 4


class InsideIndex(NamedTuple):
    """An index of the first rows of an array of sets, by value; row i has the number i + 1 in it, and 0 means none."""

    heads: NDArray[np.int32]
    """By value and place, the last set filed there."""
    filed: NDArray[np.uint8]
    """By value and place, the number of sets filed there, at most 255."""
    newest: NDArray[np.int32]
    """By value, the last set."""
    counts: NDArray[np.int64]
    """By value, the number of sets."""
    threes: NDArray[np.bool_]
    """By value, whether some set is filed under three members."""


def inside_index(values: int) -> InsideIndex:
    """Return an empty index for values from 0 to below `values`."""
    places = 1 << min(_MOST_PLACES.bit_length(), max(7, (_MOST_IN_ALL // values).bit_length())) - 1
    return InsideIndex(
        np.zeros((values, places), dtype=np.int32),
        np.zeros((values, places), dtype=np.uint8),
        np.zeros(values, dtype=np.int32),
        np.zeros(values, dtype=np.int64),
        np.zeros(values, dtype=np.bool_),
    )


@inner_kernel
def _place(first: int, second: int, third: int, mask: int) -> Any:
    """Return the place of one, two or three members in the hash table; those that are lacking are -1."""
    mixed = np.uint64(first) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= np.uint64(second) * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= np.uint64(third) * np.uint64(0x165667B19E3779F9)
    return np.int64((mixed ^ mixed >> np.uint64(29)) >> np.uint64(3) & np.uint64(mask))


@inner_kernel
def find_inside(
    sets: Words,
    links: NDArray[np.int32],
    heads: NDArray[np.int32],
    newest: NDArray[np.int32],
    counts: NDArray[np.int64],
    threes: NDArray[np.bool_],
    query: Words,
    value: int,
    members: NDArray[np.int64],
) -> Any:
    """Return the row of a set of exactly this value inside the query; -1 if there is none.

    `links[row]` has the number of the set filed before it at the same place, and of the set before it of the same
    value. `members` is working memory for the members of the query.
    """
    if counts[value] == 0:
        return -1
    size = list_members(query, members)
    if counts[value] * _CHEAPER <= (size * size * size // 6 if threes[value] else size * size):
        row = newest[value] - 1
        while row >= 0:
            if includes(query, sets[row]):
                return row
            row = links[row, 1] - 1
        return -1
    mask = heads.shape[1] - 1
    at_value = heads[value]
    for i in range(size):
        for j in range(i, size):
            for k in range(j, size if j > i and threes[value] else j + 1):
                second = members[j] if j > i else -1
                third = members[k] if k > j else -1
                row = at_value[_place(members[i], second, third, mask)] - 1
                while row >= 0:
                    if includes(query, sets[row]):
                        return row
                    row = links[row, 0] - 1
    return -1


@inner_kernel
def file_set(
    sets: Words,
    links: NDArray[np.int32],
    heads: NDArray[np.int32],
    filed: NDArray[np.uint8],
    newest: NDArray[np.int32],
    counts: NDArray[np.int64],
    threes: NDArray[np.bool_],
    row: int,
    value: int,
    members: NDArray[np.int64],
) -> None:
    """Add a row, a set that is not empty, to the index."""
    size = list_members(sets[row], members)
    mask = heads.shape[1] - 1
    fewest, best = np.int64(256), np.int64(0)
    for i in range(size):
        for j in range(min(i + 1, size - 1), size):  # a set of one member is filed under that alone
            place = _place(members[i], members[j] if j > i else -1, -1, mask)
            if filed[value, place] < fewest:
                fewest, best = np.int64(filed[value, place]), place
    if size > 2 and fewest >= _MANY:
        threes[value] = True
        fewest = np.int64(256)
        for i in range(size):
            for j in range(i + 1, size):
                for k in range(j + 1, size):
                    place = _place(members[i], members[j], members[k], mask)
                    if filed[value, place] < fewest:
                        fewest, best = np.int64(filed[value, place]), place
                if fewest == 0:
                    break
            if fewest == 0:
                break
    if fewest < 255:
        filed[value, best] += np.uint8(1)
    links[row, 0], heads[value, best] = heads[value, best], row + 1
    links[row, 1], newest[value] = newest[value], row + 1
    counts[value] += 1
