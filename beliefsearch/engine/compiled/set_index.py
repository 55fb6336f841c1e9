"""Superset queries: a bit-sliced index of many sets that finds those that include a query.

The index has a column for each state, with a bit for each set that says whether the state is a member. The sets that
include a query are the AND of the columns of its members. The rarest members come first, so that the AND is mostly zero
after a few columns; the sets that are left after some more columns are compared in full. The columns are cut into
chunks of 4,096 sets, so that the columns of a chunk stay in the processor's cache for many queries. If there are very
many pairs, the sets are split by a state first: a query is compared only with the sets that have its rarest member.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.base import Cost
from ...model.belief import no_tick
from .array_model import narrowest
from .bitset_kernels import includes, lowest_bit, size_of
from .bitset_words import Integers, Truths, Words, words_of_bytes
from .jit import inner_kernel, kernel

# Sets in a chunk, and words of a column in it.
CHUNK = 4096
_CHUNK = CHUNK // 64
# Columns whose AND is taken before the remaining sets are compared in full.
_SIEVE = 16
# Queries that are looked up in a chunk before the next chunk.
_BATCH = 2048

# The number of pairs of a query and a set from which on columns pay.
_FEW_PAIRS = 1 << 15

# With more pairs than this the sets are split.
_MANY_PAIRS = 1 << 26
# The pairs of one call of a kernel, about a tenth of a second.
_PAIRS_AT_ONCE = 1 << 32
# The members that one call of a kernel puts into an index, at the most about as long.
_MEMBERS_AT_ONCE = 1 << 25

# The time to compare a pair, and to put a set into an index, in nanoseconds.
PAIR = 0.012
_SLICE = 60.0

_ONE = np.uint64(1)
_NO_PLACES: Integers = np.zeros(0, dtype=np.int64)
_NO_MARKS: Truths = np.zeros(0, dtype=np.bool_)


class SetIndex:
    """An index of sets of states, shape (sets, words), that finds those that include a query.

    It takes a bit for each set and state. It is quicker with the largest sets first, because a chunk of sets that are
    all smaller than the query is skipped. `tick` is called with the number of pairs that are compared next, or could be
    in the time that the index takes, and may raise.
    """

    def __init__(self, sets: Words, states: int, tick: Callable[[int], None] = lambda pairs: no_tick()) -> None:
        self.sets = sets
        self._tick = tick
        self._states = states
        self._asked = 0
        self._columns: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self._counts = self._order = _NO_PLACES
        self._largest = np.zeros(0, dtype=np.int64)

    def find(self, queries: Words, before: Integers | None = None) -> Integers:
        """Return for each query the number of the first set that includes it; -1 if there is none.

        With `before`, query i finds only sets with a number below `before[i]`.
        """
        found = np.full(len(queries), -1, dtype=np.int64)
        limits = np.full(len(queries), len(self.sets), dtype=np.int64) if before is None else before
        self._look(queries, limits, found, _NO_MARKS)
        return found

    def including(self, queries: Words, after: Integers | None = None) -> Truths:
        """Mark the sets that include some query.

        With `after`, query i is the set with the number `after[i]`, and only sets with a larger number are marked.
        """
        marks = np.zeros(len(self.sets), dtype=np.bool_)
        own = np.full(len(queries), -1, dtype=np.int64) if after is None else after
        self._look(queries, own, _NO_PLACES, marks)
        return marks

    def _look(self, queries: Words, own: Integers, found: Integers, marks: Truths) -> None:
        """Fill `found` as `find` does, or `marks` as `including` does; the other one is empty.

        `own` is `before` or `after`.
        """
        pairs = len(queries) * len(self.sets)
        if not pairs:
            return
        self._asked += pairs
        if self._asked < _FEW_PAIRS:
            _scan(queries, self.sets, own, found, marks)
            return
        if not len(self._columns):
            self._slice()
        rest = np.arange(len(queries))
        if pairs > _MANY_PAIRS:
            rest = rest[self._look_split(queries, own, found, marks)]
        stretch = max(_BATCH, _PAIRS_AT_ONCE // len(self.sets))
        for start in range(0, len(rest), stretch):
            places = rest[start : start + stretch]
            self._tick(len(places) * len(self.sets))
            some = found[places] if len(found) else found
            _sieve(queries[places], own[places], self.sets, self._columns, self._order, self._largest, some, marks)
            if len(found):
                found[places] = some

    def _slice(self) -> None:
        """Make the columns, by chunk and state, with the number of sets with each state and the largest of each chunk.

        Limits are heard in between, so what is kept is whole or nothing.
        """
        chunks = -(-len(self.sets) // CHUNK)
        columns = np.zeros(chunks * self._states * _CHUNK, dtype=np.uint64)
        counts, largest = np.zeros(self._states, dtype=np.int64), np.zeros(chunks, dtype=np.int64)
        some = max(1, _MEMBERS_AT_ONCE // max(1, self._states))
        for first in range(0, len(self.sets), some):
            self._tick(int(min(some, len(self.sets) - first) * _SLICE / PAIR))
            _fill_columns(self.sets, first, min(first + some, len(self.sets)), columns, counts, largest)
        self._columns, self._counts, self._largest = columns, counts, largest
        self._order = np.argsort(counts, kind="stable")

    def _look_split(self, queries: Words, own: Integers, found: Integers, marks: Truths) -> Truths:
        """Look up queries among the sets with their rarest member, if that pays; return which queries are left."""
        left = np.ones(len(queries), dtype=np.bool_)
        ranks = np.empty(len(queries), dtype=narrowest(self._states))  # 16 bits are sorted faster
        _rarest(queries, self._order, ranks)
        by_rank = np.argsort(ranks, kind="stable")
        ends = np.searchsorted(ranks[by_rank], np.arange(self._states + 1))
        columns = self._columns.reshape(-1, self._states, _CHUNK)
        allowed: Words = np.full(self.sets.shape[1], ~np.uint64(0))  # no query of the group has the rarer members
        for rank, state in enumerate(self._order):
            group = by_rank[ends[rank] : ends[rank + 1]]
            holders = int(self._counts[state])
            saved = len(group) * (len(self.sets) - holders) * PAIR
            if saved > holders * _SLICE + len(self.sets):
                self._tick(0)
                left[group] = False
                if holders:
                    bits = np.ascontiguousarray(columns[:, state]).view(np.uint8)
                    places = np.flatnonzero(np.unpackbits(bits, bitorder="little"))
                    part = SetIndex(_chosen(self.sets, places, allowed), self._states, self._tick)
                    asked, limits = _chosen(queries, group, allowed), own[group]
                    if len(found):
                        inner = part.find(asked, np.searchsorted(places, limits))
                        found[group] = np.where(inner < 0, -1, places[inner])
                    else:
                        some = marks[places]
                        after = np.searchsorted(places, limits, side="right") - 1
                        part._look(asked, after, _NO_PLACES, some)
                        marks[places] = some
            allowed[state >> 6] &= ~(_ONE << np.uint64(state & 63))
        return left


@kernel
def _chosen(sets: Words, places: Integers, allowed: Words) -> Words:
    """Return the sets at these places without the members that are not in `allowed`."""
    out = np.empty((places.size, sets.shape[1]), dtype=np.uint64)
    for number in range(places.size):
        for word in range(sets.shape[1]):
            out[number, word] = sets[places[number], word] & allowed[word]
    return out


@kernel
def _scan(queries: Words, sets: Words, own: Integers, found: Integers, marks: Truths) -> None:
    """Fill `found` or `marks` by a comparison of all pairs."""
    for number in range(queries.shape[0]):
        if marks.size > 0:
            for other in range(own[number] + 1, sets.shape[0]):
                if not marks[other] and includes(sets[other], queries[number]):
                    marks[other] = True
            continue
        for other in range(own[number]):
            if includes(sets[other], queries[number]):
                found[number] = other
                break


@kernel
def _fill_columns(
    sets: Words, start: int, stop: int, columns: NDArray[np.uint64], counts: Integers, largest: Integers
) -> None:
    """Put the sets from `start` to before `stop` into the columns, and count their members."""
    states = counts.size
    for number in range(start, stop):
        chunk, place = divmod(number, 64 * _CHUNK)
        first = chunk * states * _CHUNK + (place >> 6)
        bit = _ONE << np.uint64(place & 63)
        size = 0
        for word in range(sets.shape[1]):
            rest = sets[number, word]
            while rest != 0:
                state = 64 * word + lowest_bit(rest)
                rest &= rest - _ONE
                columns[first + state * _CHUNK] |= bit
                counts[state] += 1
                size += 1
        largest[chunk] = max(largest[chunk], size)


@kernel
def _rarest(queries: Words, order: Integers, ranks: NDArray[Any]) -> None:
    """Write the place in `order` of the rarest member of each query."""
    for number in range(queries.shape[0]):
        rank = 0
        while (queries[number, order[rank] >> 6] >> np.uint64(order[rank] & 63)) & _ONE == 0:
            rank += 1
        ranks[number] = rank


@kernel
def _sieve(
    queries: Words,
    own: Integers,
    sets: Words,
    columns: NDArray[np.uint64],
    order: Integers,
    largest: Integers,
    found: Integers,
    marks: Truths,
) -> None:
    """Fill `found` or `marks` by the AND of columns.

    A query finds the first set before `own` that includes it, or marks all sets after `own` that do.
    """
    marking = marks.size > 0
    states = order.size
    span = 64 * _CHUNK
    batch = min(_BATCH, queries.shape[0])
    members = np.empty((batch, _SIEVE), dtype=np.int64)
    lengths, sizes = np.empty(batch, dtype=np.int64), np.empty(batch, dtype=np.int64)
    both = np.empty(_CHUNK, dtype=np.uint64)
    for start in range(0, queries.shape[0], _BATCH):
        stop = min(start + _BATCH, queries.shape[0])
        for number in range(start, stop):
            sizes[number - start] = size_of(queries[number])
            lengths[number - start] = _rarest_columns(queries[number], order, members[number - start])
        for chunk in range(largest.size):
            first = chunk * span
            base = chunk * states * _CHUNK
            for number in range(start, stop):
                i = number - start
                limit = own[number]
                if marking:
                    # A marked set includes an earlier query, which marks all sets that this query would mark.
                    if first + span <= limit + 1 or (limit >= 0 and marks[limit]):
                        continue
                elif found[number] >= 0 or first >= limit:
                    continue
                if largest[chunk] < sizes[i]:
                    continue
                if not _and_columns(columns, base, members[i], lengths[i], both):
                    continue
                for word in range(_CHUNK):
                    left = both[word]
                    while left != 0:
                        other = first + 64 * word + lowest_bit(left)
                        left &= left - _ONE
                        if other <= limit if marking else other >= limit:
                            continue
                        if includes(sets[other], queries[number]):
                            if marking:
                                marks[other] = True
                            else:
                                found[number] = other
                                break
                    if not marking and found[number] >= 0:
                        break


@inner_kernel
def _rarest_columns(query: Words, order: Integers, places: Integers) -> int:
    """Write the places of the columns of the rarest members in a chunk; return their number.

    It is even and at least 4, by repetition of the last column, because `_and_columns` takes four at first and then two
    at a time.
    """
    wanted = min(size_of(query), _SIEVE)
    length = 0
    rank = 0
    while length < wanted:
        state = order[rank]
        if (query[state >> 6] >> np.uint64(state & 63)) & _ONE != 0:
            places[length] = state * _CHUNK
            length += 1
        rank += 1
    while length < 4 or length & 1:
        places[length] = places[length - 1]
        length += 1
    return length


@inner_kernel
def _and_columns(
    columns: NDArray[np.uint64], base: int, places: Integers, length: int, both: NDArray[np.uint64]
) -> bool:
    """Write the AND of some columns of a chunk, which begins at `base`; return False as soon as it is zero."""
    p, q, r, s = base + places[0], base + places[1], base + places[2], base + places[3]
    a, b = columns[p : p + _CHUNK], columns[q : q + _CHUNK]
    c, d = columns[r : r + _CHUNK], columns[s : s + _CHUNK]
    some = np.uint64(0)
    for word in range(_CHUNK):
        left = a[word] & b[word] & c[word] & d[word]
        both[word] = left
        some |= left
    place = 4
    while some != 0 and place < length:
        p, q = base + places[place], base + places[place + 1]
        a, b = columns[p : p + _CHUNK], columns[q : q + _CHUNK]
        some = np.uint64(0)
        for word in range(_CHUNK):
            left = both[word] & a[word] & b[word]
            both[word] = left
            some |= left
        place += 2
    return bool(some != 0)


# The number of recent beliefs that are compared one by one; then they are put into an index.
_RECENT = 8192


class ArrayDominance:
    """Beliefs of `width` words with their costs, for dominance tests; see `solvers.dominance`.

    The last beliefs are in an array, the others in indexes. A belief lies in another exactly if its complement includes
    the other's complement; so the indexes contain complements. An index absorbs earlier ones of at most its size, so
    there are few. Costs are compared as floats, rounded up for known beliefs and down for queries, so that rounding
    never prunes too much.
    """

    def __init__(self, width: int) -> None:
        self._beliefs: Words = np.empty((_RECENT, width), dtype=np.uint64)
        self._costs = np.empty(_RECENT)
        self._count = 0
        self._parts: list[_Part] = []

    def dominates(self, state: bytes, g: Cost) -> bool:
        near = _near(g)
        below = near if near <= g else np.nextafter(near, -inf)
        belief = words_of_bytes(state)
        if _dominates(self._beliefs, self._costs, self._count, belief, below):
            return True
        return any(part.dominates(~belief, below) for part in self._parts)

    def add(self, state: bytes, g: Cost) -> None:
        self._beliefs[self._count] = words_of_bytes(state)
        near = _near(g)
        self._costs[self._count] = near if near >= g else np.nextafter(near, inf)
        self._count += 1
        if self._count < _RECENT:
            return
        self._count = 0
        complements, costs = ~self._beliefs, self._costs.copy()
        while self._parts and len(self._parts[-1].costs) <= len(costs):
            last = self._parts.pop()
            complements, costs = np.concatenate([last.complements, complements]), np.concatenate([last.costs, costs])
        order = np.argsort(costs, kind="stable")
        self._parts.append(_Part(complements[order], costs[order]))


def _near(cost: Cost) -> float:
    """Return the float nearest to a cost; infinity if the cost is too large."""
    try:
        return float(cost)
    except OverflowError:
        return inf


class _Part:
    """The complements of some beliefs in ascending order of costs, with an index."""

    def __init__(self, complements: Words, costs: NDArray[np.float64]) -> None:
        self.complements = complements
        self.costs = costs
        self._index = SetIndex(complements, 64 * complements.shape[1])

    def dominates(self, complement: Words, cost: float) -> bool:
        """Whether one of these beliefs lies in the belief with this complement and costs no more."""
        cheap = np.searchsorted(self.costs, [cost], side="right")
        if not complement.any():
            return bool(cheap[0])
        return bool(self._index.find(complement[np.newaxis], cheap)[0] >= 0)


@kernel
def _dominates(beliefs: Words, costs: NDArray[np.float64], count: int, belief: Words, cost: float) -> bool:
    for number in range(count):  # noqa: SIM110  # a generator cannot be compiled
        if costs[number] <= cost and includes(belief, beliefs[number]):
            return True
    return False
