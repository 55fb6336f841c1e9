"""The least totals of small sets of starts, whole within one kernel: a set is the bits of one word.

It is the search of `branch_and_bound.py` once more, where a set is so small that to divide it on arrays would take
longer than all the rest. Nothing is asked and nothing is made in between: ways are bounded by the sizes of their
parts, and those that may be better than the best are followed, in the order of their bounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled.jit import kernel
from .outcome_table import Places, StartSets, bounds_by_size

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


class SmallTotals:
    """The least totals of sets of at most `MOST` starts; see `find`."""

    def __init__(self, sets: StartSets) -> None:
        self._sets = sets
        actions = len(sets.partitions.actions)
        self._labels = np.empty((actions, MOST), dtype=np.uint8)
        self._kept = np.empty(actions, dtype=np.int64)
        self._slots = np.empty(1 << (4 * actions).bit_length(), dtype=np.int32)
        # The subsets met, in a hash table: what is known of each, and its best row.
        self._keys = np.empty(2 * _MOST_SETS, dtype=np.uint64)
        self._known = np.empty(2 * _MOST_SETS, dtype=np.int64)
        self._best = np.empty(2 * _MOST_SETS, dtype=np.int64)
        self._most = MOST
        self._given_up = [0] * (MOST + 1)  # by size: how many more were given up than found
        # By depth, of a set that is being divided: its members, the ways to follow with their bounds, and the parts.
        self._members = np.empty((MOST, MOST), dtype=np.int64)
        self._ways = np.empty((MOST, actions), dtype=np.int64)
        self._bounds = np.empty((MOST, actions), dtype=np.int64)
        self._parts = np.empty((MOST, MOST), dtype=np.uint64)

    def find(
        self, table: NDArray[Any], costs: NDArray[np.int64], members: Places, won: int, limit: int
    ) -> tuple[int, list[tuple[NDArray[np.intp], int, int]]] | None:
        """The total of the set of these columns of a table, or only a lower bound of it that is above `limit`.

        None if it is too large, or not found soon.

        The outcomes in `table` from `won` on are won, and its rows have these `costs`. With the total there is a plan:
        of the set, and of all that its plan makes of it, the places among `members`, the total, and the row to begin
        with, as far as that is not plain to see. It usually takes a few milliseconds, and at most a few times as long
        as to divide the set on arrays.
        """
        size = len(members)
        if size > self._most:
            return None
        sets = self._sets
        sets.tick()
        by_cost = np.argsort(costs, kind="stable")
        count = distinct_rows(table, by_cost, members, won, self._slots, self._labels, self._kept)
        labels = np.ascontiguousarray(self._labels[:count, :size])
        rows = self._kept[:count]
        sizes = np.zeros((count, MOST + 1), dtype=np.int32)
        count_labels(labels, sizes)
        parts = np.count_nonzero(sizes[:, :_WON], axis=1)
        order = np.argsort(-parts, kind="stable")  # what divides finely comes first
        labels, rows, parts = labels[order], rows[order], parts[order]
        by_size = bounds_by_size(sizes, size, sets.partitions.knowing_wins) * sets.least_cost
        floors = sets.floors(by_size, np.arange(size + 1), MOST)
        winners = np.full(MOST, -1)
        winning, places = np.nonzero(labels == _WON)
        winners[places[::-1]] = winning[::-1]
        self._keys[:] = 0
        left = np.array([_MOST_SETS, _MOST_WORK])
        total = least_total_within(
            labels, costs[rows], parts, by_size, floors, winners, sets.most_obvious, sets.most_won,
            np.uint64((1 << size) - 1), limit, 0, self._keys, self._known, self._best,
            self._members, self._ways, self._bounds, self._parts, left,
        )  # fmt: skip
        self._given_up[size] += 1 if total == _GIVEN_UP else -1
        if total == _GIVEN_UP:
            if self._given_up[size] > _PATIENCE:
                self._most = size - 1
            return None
        if total > limit:
            return int(total), []
        return int(total), [(of, least, int(rows[row])) for of, least, row in self._plan(labels, size)]

    def _plan(self, labels: NDArray[np.uint8], size: int) -> list[tuple[NDArray[np.intp], int, int]]:
        """What is known of a set of which the total is: of it and its parts the places, the total, and the row."""
        found = []
        frontier = [np.arange(size)]
        for places in frontier:  # grows while it is walked
            if len(places) <= self._sets.most_obvious:
                continue
            key = np.uint64(sum(1 << place for place in places.tolist()))
            known = place_of_set(self._keys, key)
            row = int(self._best[known])
            found.append((places, int(self._known[known]), row))
            of_row = labels[row, places]
            frontier += [places[of_row == label] for label in np.unique(of_row[of_row != _WON]).tolist()]
        return found


@kernel
def distinct_rows(
    table: NDArray[Any],
    by_cost: Places,
    members: Places,
    won: int,
    slots: NDArray[np.int32],
    labels: NDArray[np.uint8],
    kept: NDArray[np.int64],
) -> int:
    """Write the distinct ways to divide `members` into `labels`, of actions that divide alike the first; how many.

    Parts are numbered in the order in which they come up; what is won is labelled `_WON`. What leaves the set whole is
    left out. `kept` has the actions.
    """
    slots[:] = -1
    mask = len(slots) - 1
    number_of = np.full(won + 1, -1, dtype=np.int64)
    count = 0
    for action in by_cost:
        parts = 0
        wins = 0
        mixed = np.uint64(14695981039346656037)
        for place in range(len(members)):
            outcome = table[action, members[place]]
            if outcome >= won:
                label = _WON
                wins += 1
            else:
                if number_of[outcome] < 0:
                    number_of[outcome] = parts
                    parts += 1
                label = number_of[outcome]
            labels[count, place] = label
            mixed = (mixed ^ np.uint64(label)) * np.uint64(1099511628211)
        for place in range(len(members)):
            outcome = table[action, members[place]]
            if outcome < won:
                number_of[outcome] = -1
        if wins == 0 and parts == 1:
            continue
        slot = np.int64(mixed >> np.uint64(20)) & mask
        while slots[slot] >= 0:
            same = True
            for place in range(len(members)):
                if labels[slots[slot], place] != labels[count, place]:
                    same = False
                    break
            if same:
                break
            slot = (slot + 1) & mask
        if slots[slot] >= 0:
            continue
        slots[slot] = count
        kept[count] = action
        count += 1
        if count == len(labels):
            break
    return count


@kernel
def count_labels(labels: NDArray[np.uint8], sizes: NDArray[np.int32]) -> None:
    """Count, by row, how many have each label."""
    for row in range(labels.shape[0]):
        for place in range(labels.shape[1]):
            sizes[row, labels[row, place]] += 1


@kernel
def place_of_set(keys: NDArray[np.uint64], key: Any) -> Any:
    """The place of a set in the hash table, or the free one where it belongs."""
    mask = len(keys) - 1
    place = np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(34)) & mask
    while keys[place] != 0 and keys[place] != key:
        place = (place + 1) & mask
    return place


@kernel
def least_total_within(
    labels: NDArray[np.uint8],
    costs: NDArray[np.int64],
    parts_of: NDArray[np.int64],
    by_size: NDArray[np.int64],
    floors: NDArray[np.int64],
    winners: Places,
    most_obvious: int,
    most_won: int,
    key: Any,
    limit: int,
    depth: int,
    keys: NDArray[np.uint64],
    known: NDArray[np.int64],
    best_row: NDArray[np.int64],
    members_at: NDArray[np.int64],
    ways_at: NDArray[np.int64],
    bounds_at: NDArray[np.int64],
    parts_at: NDArray[np.uint64],
    left: NDArray[np.int64],
) -> Any:
    """The least total of the set with these bits, which is searched no further than to see that it is above `limit`.

    Rows that win a member are looked at first, as they are often the best; then the rows in descending order of how
    many parts they make of the whole set, of which `floors` says what that comes to at the least. What is found of
    each set is kept, in `known`, with the row if it is its total, or -1. If no work is `left`, or no room for another
    set, the answer is that it was given up.
    """
    size = 0
    members = members_at[depth]
    for place in range(labels.shape[1]):
        if key >> np.uint64(place) & np.uint64(1):
            members[size] = place
            size += 1
    floor = by_size[size]
    if size <= most_obvious or floor > limit:
        return floor
    place = place_of_set(keys, key)
    if keys[place] == key and (best_row[place] >= 0 or known[place] > limit):
        return known[place]
    if left[_WORK] <= 0 or left[_SETS] <= 0:
        return _GIVEN_UP
    least_growth = by_size[size]
    for count in range(size):
        least_growth = min(least_growth, by_size[count + 1] - by_size[count])
    best = limit + 1
    found = -1
    ways, bounds, parts = ways_at[depth], bounds_at[depth], parts_at[depth]
    counts = np.zeros(_WON + 1, dtype=np.int64)
    followed = 0
    for turn in range(-size, labels.shape[0]):
        row = turn if turn >= 0 else winners[members[size + turn]]
        if row < 0:
            continue
        if turn >= 0 and floors[size, parts_of[row]] >= best:
            break
        left[_WORK] -= 1
        total = costs[row] * size + least_growth * (size - most_won)
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
            total += by_size[before + 1] - by_size[before] - least_growth
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
            ways[followed] = row
            bounds[followed] = total
            followed += 1
    bound = floor
    while bound < best:
        following = best
        for turn in range(followed):
            if bounds[turn] > bound and bounds[turn] < following:
                following = bounds[turn]
            if bounds[turn] != bound or bound >= best:
                continue
            row = ways[turn]
            parts[: parts_of[0]] = np.uint64(0)
            for i in range(size):
                if labels[row, members[i]] != _WON:
                    parts[labels[row, members[i]]] |= np.uint64(1) << np.uint64(members[i])
            total = bound
            for label in range(parts_of[0]):
                part = parts[label]
                count = 0
                rest = part
                while rest:
                    rest &= rest - np.uint64(1)
                    count += 1
                if count <= most_obvious:
                    continue
                total -= by_size[count]
                of_part = least_total_within(
                    labels, costs, parts_of, by_size, floors, winners, most_obvious, most_won,
                    part, best - 1 - total, depth + 1, keys, known, best_row,
                    members_at, ways_at, bounds_at, parts_at, left,
                )  # fmt: skip
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
