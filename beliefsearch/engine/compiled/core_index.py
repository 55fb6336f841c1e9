"""Subset queries: an index of many small sets that finds one that lies inside a query.

Each set has a value, and each value has an index of its own. A set is filed under its five rarest members, which seldom
lie together in a query. A query goes through its members from the rarest on, as far as they are the rarest of some set:
a bit says so, which is mostly in the processor's cache. Or it compares all sets of the value if these are few.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .bitset_kernels import includes, list_members
from .bitset_words import Integers, Integers32, Words
from .jit import inner_kernel

# The most places of the hash table of one value, and of all values together.
_MOST_PLACES = 1 << 18
_MOST_IN_ALL = 1 << 24
# A comparison of two sets takes about so many times as long as a look-up of a bit.
_CHEAPER = 4
# So many times as many bits as places say whether a set may be filed.
_BITS_EACH = 16
# A set is filed under so many of its members.
_FILED = 5
_LOW = np.uint64(63)
_SIX = np.uint64(6)
_ONE = np.uint64(1)


class InsideIndex(NamedTuple):
    """An index of the first rows of an array of sets, by value; row i has the number i + 1 in it, and 0 means none."""

    heads: Integers32
    """By value and place, the last set filed there."""
    marks: Words
    """By value, a bit for the rarest two, three and more members of each set."""
    ranks: Integers
    """By state, its place in an order from rare to common."""
    newest: Integers32
    """By value, the last set."""
    counts: Integers
    """By value, the number of sets."""
    links: Integers32
    """By row, the number of the set filed before it at the same place, and of the set before it of the same value."""


def inside_index(values: int, ranks: Integers, rows: int) -> InsideIndex:
    """Return an empty index for values from 0 to below `values`, with room for so many rows."""
    places = 1 << min(_MOST_PLACES.bit_length(), max(7, (_MOST_IN_ALL // values).bit_length())) - 1
    return InsideIndex(
        np.zeros((values, places), dtype=np.int32),
        np.zeros((values, places * _BITS_EACH // 64), dtype=np.uint64),
        ranks,
        np.zeros(values, dtype=np.int32),
        np.zeros(values, dtype=np.int64),
        np.zeros((rows, 2), dtype=np.int32),
    )


@inner_kernel
def room_for(width: int) -> Any:
    """Return the length of the working memory for queries of so many words."""
    return 64 * width + 2 * _FILED


@inner_kernel
def _mixed(key: np.uint64, rank: int) -> Any:
    """Return the key of some members and one more, or that of the first member if `key` is 0."""
    mixed = (key ^ np.uint64(rank + 1)) * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ mixed >> np.uint64(29)


@inner_kernel
def _ranked(belief: Words, ranks: Integers, members: Integers) -> Any:
    """Make `members` the ranks of a belief, the rarest first; return how many they are."""
    size = list_members(belief, members)
    for i in range(size):
        rank = ranks[members[i]]
        j = i
        while j > 0 and members[j - 1] > rank:
            members[j] = members[j - 1]
            j -= 1
        members[j] = rank
    return size


@inner_kernel
def find_inside(sets: Words, index: InsideIndex, query: Words, value: int, members: Integers) -> Any:
    """Return the row of a set of exactly this value inside the query; -1 if there is none.

    `members` is working memory of `room_for` numbers.
    """
    heads, marks, ranks, newest, counts, links = index
    if counts[value] == 0:
        return -1
    size = _ranked(query, ranks, members)
    if counts[value] * _CHEAPER <= size * size:
        row = newest[value] - 1
        while row >= 0:
            if includes(query, sets[row]):
                return row
            row = links[row, 1] - 1
        return -1
    at_value, marked, mask = heads[value], marks[value], np.uint64(heads.shape[1] - 1)
    places, keys = members[size : size + _FILED], members[size + _FILED : size + 2 * _FILED]
    depth, places[0] = 0, 0
    while depth >= 0:
        place = places[depth]
        if place == size:
            depth -= 1
            continue
        places[depth] += 1
        key = _mixed(np.uint64(keys[depth - 1]) if depth > 0 else np.uint64(0), members[place])
        if depth > 0 and not _is_marked(marked, key):
            continue
        if depth + 1 < _FILED:
            keys[depth] = np.int64(key)
            depth += 1
            places[depth] = place  # again: a set of fewer members is filed as if its last came several times
            continue
        row = at_value[key & mask] - 1
        while row >= 0:
            if includes(query, sets[row]):
                return row
            row = links[row, 0] - 1
    return -1


@inner_kernel
def _is_marked(marked: Words, key: np.uint64) -> Any:
    bit = key & np.uint64(64 * marked.size - 1)
    return marked[bit >> _SIX] >> (bit & _LOW) & _ONE != 0


@inner_kernel
def file_set(sets: Words, index: InsideIndex, row: int, value: int, members: Integers) -> None:
    """Add a row, a set that is not empty, to the index."""
    heads, marks, ranks, newest, counts, links = index
    size = _ranked(sets[row], ranks, members)
    key = _mixed(np.uint64(0), members[0])
    for place in range(1, _FILED):
        key = _mixed(key, members[min(place, size - 1)])
        bit = key & np.uint64(64 * marks.shape[1] - 1)
        marks[value, bit >> _SIX] |= _ONE << (bit & _LOW)
    at = key & np.uint64(heads.shape[1] - 1)
    links[row, 0], heads[value, at] = heads[value, at], row + 1
    links[row, 1], newest[value] = newest[value], row + 1
    counts[value] += 1
