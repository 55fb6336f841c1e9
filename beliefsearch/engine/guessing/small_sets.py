"""The least totals of small sets of starts, whole within one kernel: a set is the bits of one word.

It is the search of `branch_and_bound.py` once more, where a set is so small that to split it on arrays would take
longer than all the rest. Nothing is asked and nothing is made in between: ways are bounded by the sizes of their
blocks, and those that may be better than the best are followed, in the order of their bounds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.jit import kernel
from .outcome_table import OutcomeTable, Places
from .ways import Ways, lightest_of, ways_of

MOST = 64
"""The most starts of a small set."""
_WON = MOST  # in place of an outcome: won
# Where a set takes more it is given up: rows looked at, 30 nanoseconds each, and subsets.
_MOST_WORK = 4_000_000
_MOST_SETS = 2**14
# Of a size so many may be given up more than were found, before none of it, or larger, is tried any more.
_PATIENCE = 3
_SETS, _WORK = range(2)
_GIVEN_UP = -1


class Memo(NamedTuple):
    """The subsets met, in a hash table: the bound known of each, and its best row if that is its total, else -1."""

    keys: NDArray[np.uint64]
    known: NDArray[np.int64]
    best: NDArray[np.int64]


class Scratch(NamedTuple):
    """Room by depth, for a set that is being split: its members, the ways to follow with their bounds, and the blocks.

    `left` has the number of subsets and of rows that may still be looked at.
    """

    members: NDArray[np.int64]
    ways: NDArray[np.int64]
    bounds: NDArray[np.int64]
    parts: NDArray[np.uint64]
    left: NDArray[np.int64]


class SmallTotals:
    """The least totals of sets of at most `MOST` starts; see `find`."""

    def __init__(self, outcomes: OutcomeTable[Any]) -> None:
        self._outcomes = outcomes
        actions = len(outcomes.actions)
        self._memo = Memo(
            np.empty(2 * _MOST_SETS, dtype=np.uint64),
            np.empty(2 * _MOST_SETS, dtype=np.int64),
            np.empty(2 * _MOST_SETS, dtype=np.int64),
        )
        self._most = MOST
        self._given_up = [0] * (MOST + 1)  # by size: how many more were given up than found
        self._scratch = Scratch(
            np.empty((MOST, MOST), dtype=np.int64),
            np.empty((MOST, actions), dtype=np.int64),
            np.empty((MOST, actions), dtype=np.int64),
            np.empty((MOST, MOST), dtype=np.uint64),
            np.empty(2, dtype=np.int64),
        )

    def find(
        self, larger: Ways, members: Places, limit: int
    ) -> tuple[int, list[tuple[NDArray[np.intp], int, int]]] | None:
        """Return the total of these members of a `larger` set, or only a lower bound of it that is above `limit`.

        None if it is too large, or not found soon.

        With the total there is a plan:
        of the set, and of all that its plan makes of it, the places among `members`, the total, and the row to begin
        with, but for base cases. It usually takes a few milliseconds, and at most a few times as long as to split the
        set on arrays.
        """
        size = len(members)
        if size > self._most:
            return None
        outcomes = self._outcomes
        outcomes.tick()
        weights = larger.weights[members]
        ways, rows, _, _ = ways_of(
            outcomes, larger.labels, larger.costs, members, weights, larger.won, np.uint8, _WON, by_row=False
        )
        floors = outcomes.floors(ways.by_size, np.arange(size + 1), MOST, lightest_of(weights))
        self._memo.keys[:] = 0
        self._scratch.left[:] = _MOST_SETS, _MOST_WORK
        whole = np.uint64((1 << size) - 1)
        total = least_total_within(ways, floors, self._memo, self._scratch, whole, limit, 0)
        self._given_up[size] += 1 if total == _GIVEN_UP else -1
        if total == _GIVEN_UP:
            if self._given_up[size] > _PATIENCE:
                self._most = size - 1
            return None
        if total > limit:
            return int(total), []
        return int(total), [(of, least, int(rows[row])) for of, least, row in self._plan(ways.labels, size)]

    def _plan(self, labels: NDArray[np.uint8], size: int) -> list[tuple[NDArray[np.intp], int, int]]:
        """Return the places, the total and the row of a set whose total is known, and of its blocks."""
        found = []
        frontier = [np.arange(size)]
        for places in frontier:  # grows while it is walked
            if len(places) <= self._outcomes.most_obvious:
                continue
            key = np.uint64(sum(1 << place for place in places.tolist()))
            known = place_of_set(self._memo.keys, key)
            row = int(self._memo.best[known])
            found.append((places, int(self._memo.known[known]), row))
            of_row = labels[row, places]
            frontier += [places[of_row == label] for label in np.unique(of_row[of_row != _WON]).tolist()]
        return found


@kernel
def place_of_set(keys: NDArray[np.uint64], key: Any) -> Any:
    """Return the place of a set in the hash table, or the free one where it belongs."""
    mask = len(keys) - 1
    place = np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(34)) & mask
    while keys[place] != 0 and keys[place] != key:
        place = (place + 1) & mask
    return place


@kernel
def least_total_within(
    ways: Ways, floors: NDArray[np.int64], memo: Memo, scratch: Scratch, key: Any, limit: int, depth: int
) -> Any:
    """Return the least total of the set with these bits, searched no further than to see that it is above `limit`.

    Rows that win a member are looked at first, as they are often the best; then the rows in descending order of the
    number of blocks that they make of the whole set, by which `floors` bound them. What is found of each set is
    stored. If no work is left, or no room for another set, the answer is that it was given up.
    """
    labels, _, costs, finest, by_size, growth, winners, weights, most_obvious, most_won = ways
    keys, known, best_row, left = memo.keys, memo.known, memo.best, scratch.left
    size = weight = 0
    members = scratch.members[depth]
    for place in range(labels.shape[1]):
        if key >> np.uint64(place) & np.uint64(1):
            members[size] = place
            weight += weights[place]
            size += 1
    floor = by_size[size]
    if size <= most_obvious or floor > limit:
        return floor
    place = place_of_set(keys, key)
    if keys[place] == key and (best_row[place] >= 0 or known[place] > limit):
        return known[place]
    if left[_WORK] <= 0 or left[_SETS] <= 0:
        return _GIVEN_UP
    least_growth = growth[:size].min()
    best = limit + 1
    found = -1
    to_follow, bounds, parts = scratch.ways[depth], scratch.bounds[depth], scratch.parts[depth]
    counts = np.zeros(_WON + 1, dtype=np.int64)
    followed = 0
    for turn in range(-size, labels.shape[0]):
        row = turn if turn >= 0 else winners[members[size + turn]]
        if row < 0:
            continue
        if turn >= 0 and floors[size, finest[row]] >= best:
            break
        left[_WORK] -= 1
        total = costs[row] * weight + least_growth * (size - most_won)
        largest = 0
        looked = 0
        wins = 0
        for i in range(size):
            label = labels[row, members[i]]
            looked += 1
            if label == _WON:
                wins += 1
                continue
            before = counts[label]
            counts[label] = before + 1
            total += growth[before] - least_growth
            largest = max(largest, before + 1)
            if total >= best:
                break
        for i in range(looked):
            counts[labels[row, members[i]]] = 0
        total += least_growth * (most_won - wins)
        if looked < size or largest == size or total >= best:
            continue
        if largest <= most_obvious:
            best = total
            found = row
            if best <= floor:
                break
        elif turn >= 0:
            to_follow[followed] = row
            bounds[followed] = total
            followed += 1
    bound = best  # a way may come to less than `floor` says of the set, where starts have weights
    for turn in range(followed):
        bound = min(bound, bounds[turn])
    while bound < best:
        following = best
        for turn in range(followed):
            if bounds[turn] > bound and bounds[turn] < following:
                following = bounds[turn]
            if bounds[turn] != bound or bound >= best:
                continue
            row = to_follow[turn]
            parts[: finest[0]] = np.uint64(0)
            for i in range(size):
                if labels[row, members[i]] != _WON:
                    parts[labels[row, members[i]]] |= np.uint64(1) << np.uint64(members[i])
            total = bound
            for label in range(finest[0]):
                part = parts[label]
                count = 0
                rest = part
                while rest:
                    rest &= rest - np.uint64(1)
                    count += 1
                if count <= most_obvious:
                    continue
                total -= by_size[count]
                of_part = least_total_within(ways, floors, memo, scratch, part, best - 1 - total, depth + 1)
                if of_part == _GIVEN_UP:
                    return _GIVEN_UP
                total += of_part
                if total >= best:
                    break
            if total < best:
                best = total
                found = row
        bound = following
    place = place_of_set(keys, key)
    if keys[place] == 0:
        keys[place] = key
        left[_SETS] -= 1
    known[place] = best
    best_row[place] = found
    return best
