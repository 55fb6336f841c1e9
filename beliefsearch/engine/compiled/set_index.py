"""Finding subsets and supersets among many sets, by an index on members, so that few pairs are compared.

To find a subset of a set, every set of the index is filed under one of its members, the one that is
rarest; only the files of the members of the query can hold a subset. To find a superset, every set is
filed under each of its members; the supersets are in every file of a member of the query, so the
shortest will do. Against the comparison of all pairs this saves a factor of about states / members.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .jit import kernel
from .kernels import includes
from .words import Words

# With fewer pairs than this an index does not pay; with more entries it takes too much memory.
_FEW_PAIRS = 1 << 15
_MOST_ENTRIES = 1 << 26


class SetIndex:
    """An index of sets, shape (sets, words), to find those that include a query, or those that it includes.

    `queries` is how many there will be.
    """

    def __init__(self, sets: Words, *, supersets: bool, queries: int) -> None:
        self._sets = sets
        self._supersets = supersets
        states = 64 * sets.shape[1]
        self._offsets: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._items: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        if len(sets) * queries < _FEW_PAIRS:
            return
        counts = _member_counts(sets, states)
        if supersets and counts.sum() > _MOST_ENTRIES:
            return
        file = _file_under_all if supersets else _file_under_rarest
        self._offsets, self._items = file(sets, counts)

    @property
    def cost(self) -> float:
        """The estimated cost of a look-up, in comparisons for each set in the index."""
        return 1 / 8 if len(self._offsets) else 1

    def find(self, queries: Words, before: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """For each query, the number of the first superset, or of some subset; -1 if there is none.

        With `before`, only sets with a smaller number than that of the query count.
        """
        limits = np.full(len(queries), len(self._sets), dtype=np.int64) if before is None else before
        if not len(self._offsets):
            return _scan(queries, self._sets, self._supersets, limits)
        if self._supersets:
            return _first_superset(queries, self._sets, self._offsets, self._items, limits)
        return _some_subset(queries, self._sets, self._offsets, self._items, limits)


@kernel
def _scan(queries: Words, sets: Words, supersets: bool, limits: NDArray[np.int64]) -> NDArray[np.int64]:
    found = np.full(queries.shape[0], -1, dtype=np.int64)
    for number in range(queries.shape[0]):
        for other in range(limits[number]):
            if includes(sets[other], queries[number]) if supersets else includes(queries[number], sets[other]):
                found[number] = other
                break
    return found


@kernel
def _member_counts(sets: Words, states: int) -> NDArray[np.int64]:
    """By state: how many sets it is a member of."""
    counts = np.zeros(states, dtype=np.int64)
    for number in range(sets.shape[0]):
        for word in range(sets.shape[1]):
            rest = sets[number, word]
            state = 64 * word
            while rest != 0:
                if rest & np.uint64(1):
                    counts[state] += 1
                rest >>= np.uint64(1)
                state += 1
    return counts


@kernel
def _file_under_all(sets: Words, counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    offsets = np.zeros(counts.size + 1, dtype=np.int64)
    offsets[1:] = np.cumsum(counts)
    places = offsets[:-1].copy()
    items = np.empty(offsets[-1], dtype=np.int32)
    for number in range(sets.shape[0]):
        for word in range(sets.shape[1]):
            rest = sets[number, word]
            state = 64 * word
            while rest != 0:
                if rest & np.uint64(1):
                    items[places[state]] = number
                    places[state] += 1
                rest >>= np.uint64(1)
                state += 1
    return offsets, items


@kernel
def _file_under_rarest(sets: Words, counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    chosen = np.zeros(sets.shape[0], dtype=np.int64)
    offsets = np.zeros(counts.size + 1, dtype=np.int64)
    for number in range(sets.shape[0]):
        rarest = -1
        for word in range(sets.shape[1]):
            rest = sets[number, word]
            state = 64 * word
            while rest != 0:
                if rest & np.uint64(1) and (rarest < 0 or counts[state] < counts[rarest]):
                    rarest = state
                rest >>= np.uint64(1)
                state += 1
        chosen[number] = rarest
        offsets[rarest + 1] += 1
    offsets = np.cumsum(offsets)
    places = offsets[:-1].copy()
    items = np.empty(sets.shape[0], dtype=np.int32)
    for number in range(sets.shape[0]):
        items[places[chosen[number]]] = number
        places[chosen[number]] += 1
    return offsets, items


@kernel
def _first_superset(
    queries: Words,
    sets: Words,
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    limits: NDArray[np.int64],
) -> NDArray[np.int64]:
    found = np.full(queries.shape[0], -1, dtype=np.int64)
    for number in range(queries.shape[0]):
        shortest = -1
        for word in range(queries.shape[1]):
            rest = queries[number, word]
            state = 64 * word
            while rest != 0:
                if rest & np.uint64(1):
                    length = offsets[state + 1] - offsets[state]
                    if shortest < 0 or length < offsets[shortest + 1] - offsets[shortest]:
                        shortest = state
                rest >>= np.uint64(1)
                state += 1
        for place in range(offsets[shortest], offsets[shortest + 1]):
            other = items[place]
            if other >= limits[number]:
                break  # files are in ascending order
            if includes(sets[other], queries[number]):
                found[number] = other
                break
    return found


@kernel
def _some_subset(
    queries: Words,
    sets: Words,
    offsets: NDArray[np.int64],
    items: NDArray[np.int32],
    limits: NDArray[np.int64],
) -> NDArray[np.int64]:
    found = np.full(queries.shape[0], -1, dtype=np.int64)
    for number in range(queries.shape[0]):
        for word in range(queries.shape[1]):
            rest = queries[number, word]
            state = 64 * word
            while rest != 0 and found[number] < 0:
                if rest & np.uint64(1):
                    for place in range(offsets[state], offsets[state + 1]):
                        other = items[place]
                        if other >= limits[number]:
                            break  # files are in ascending order
                        if includes(queries[number], sets[other]):
                            found[number] = other
                            break
                rest >>= np.uint64(1)
                state += 1
    return found
