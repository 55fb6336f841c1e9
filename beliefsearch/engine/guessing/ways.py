"""The distinct ways to split a set of starts, as kernels take them, and the search for one that distinguishes all."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.bitset_kernels import find_or_insert, slots_for
from ..compiled.bitset_words import Words
from ..compiled.jit import inner_kernel, kernel
from .outcome_table import OutcomeTable, Places


class Ways(NamedTuple):
    """The distinct ways to split a set, the finest first, and bounds of what they come to.

    By row: `labels`, the block of each start, `won` if it is won; its cost; the number of blocks, `parts`. By size: the
    least total, and how much it grows by one start more. `winners` has by start the first row that wins it, or -1. For
    the rest see `OutcomeTable`.
    """

    labels: NDArray[Any]
    won: int
    costs: NDArray[np.int64]
    parts: NDArray[np.int64]
    by_size: NDArray[np.int64]
    growth: NDArray[np.int64]
    winners: Places
    weights: NDArray[np.int64]
    most_obvious: int
    most_won: int


def ways_of(
    outcomes: OutcomeTable[Any],
    table: NDArray[Any],
    costs: NDArray[np.int64],
    members: Places,
    weights: NDArray[np.int64],
    won: int,
    kind: Any,
    won_label: int,
    *,
    by_row: bool,
) -> tuple[Ways, Places, NDArray[np.int32], NDArray[np.int64]]:
    """Return the ways to split the set of these columns of a table, with these weights; its rows have these costs.

    Outcomes from `won` on are won. Also returns, by way, its row, the cheapest that splits the set so, and the sizes of
    its blocks, in the last column the number of starts won; and by row the one that stands for it, or -1. Ways with
    equally many blocks are in the order of their rows, or else first of their costs. Labels are of this `kind`.
    """
    rows, same_as = np.empty(len(table), dtype=np.int64), np.full(len(table) + 1, -1)
    by_cost = np.argsort(costs, kind="stable")
    words = np.zeros((len(table), -(-len(members) * np.dtype(kind).itemsize // 8)), dtype=np.uint64)
    labels = words.view(kind)
    slots = slots_for(len(table))
    count = distinct_rows(table, by_cost, members, won, won_label, labels, words, slots, rows, same_as)
    labels, rows = np.ascontiguousarray(labels[:count, : len(members)]), rows[:count]
    sizes = np.zeros((count, won_label + 1), dtype=np.int32)
    count_parts(labels, np.arange(len(members)), sizes)
    parts = np.count_nonzero(sizes[:, :won_label], axis=1)
    order = np.lexsort((rows, -parts)) if by_row else np.argsort(-parts, kind="stable")
    labels, rows, sizes = labels[order], rows[order], sizes[order]
    winners = np.full(len(members), -1)
    winning, places = np.nonzero(labels == won_label)
    winners[places[::-1]] = winning[::-1]
    by_size = outcomes.totals_by_size(sizes, lightest_of(weights))
    most = outcomes.most_obvious, outcomes.most_won
    ways = Ways(labels, won_label, costs[rows], parts[order], by_size, np.diff(by_size), winners, weights, *most)
    return ways, rows, sizes, same_as


def lightest_of(weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, by number, the weight of so many of the lightest starts."""
    return np.concatenate([[0], np.cumsum(np.sort(weights))])


@kernel
def count_parts(table: NDArray[Any], members: NDArray[np.int64], sizes: NDArray[np.int32]) -> None:
    """Add to `sizes`, by row of `table` and outcome, the number of `members` that have it."""
    for row in range(table.shape[0]):
        for member in members:
            sizes[row, table[row, member]] += 1


@kernel
def distinct_rows(
    table: NDArray[Any],
    by_cost: Places,
    members: Places,
    won: int,
    won_label: int,
    labels: NDArray[Any],
    words: Words,
    slots: NDArray[np.uint32],
    chosen: NDArray[np.int64],
    same_as: NDArray[np.int64],
) -> int:
    """Write the distinct ways to split `members` into `labels`, of rows that split alike the first; return their count.

    Blocks are numbered in the order in which they come up; starts that are won are labelled `won_label`. Rows that
    leave the set whole are left out. `chosen` gets the rows written, and `same_as`, by row, the one that stands for it,
    or -1. `words` are the same labels as rows of a hash table, with these `slots`.
    """
    number_of = np.full(won + 1, -1, dtype=np.int64)
    count = 0
    for action in by_cost:
        parts = 0
        wins = 0
        for place in range(len(members)):
            outcome = table[action, members[place]]
            if outcome >= won:
                label = won_label
                wins += 1
            else:
                if number_of[outcome] < 0:
                    number_of[outcome] = parts
                    parts += 1
                label = number_of[outcome]
            labels[count, place] = label
        for place in range(len(members)):
            outcome = table[action, members[place]]
            if outcome < won:
                number_of[outcome] = -1
        same_as[action] = -1
        if wins == 0 and parts == 1:
            continue
        found = find_or_insert(words, slots, count, words[count])
        if found == count:
            chosen[count] = action
            count += 1
        same_as[action] = chosen[found]
    return count


# So many actions are looked at first; mostly few others distinguish starts that none of these does.
_FIRST = 1024


@kernel
def distinguishing_action(rows: NDArray[Any], won: int, chosen: NDArray[np.bool_]) -> int:
    """Return the number of an action under which no two of some starts have the same outcome that is not won.

    If there is none, it returns -1, and marks in `chosen` a few of the starts for which there is none either; without
    any of these there would be one. They are gathered one by one, each time the one that stops most of the actions
    that are still left: under which its outcome is that of one gathered before.

    `rows` has the outcomes by start and action, uint16; those from `won` on are won.
    """
    count, actions = rows.shape
    left = np.arange(min(actions, _FIRST))
    hit = np.zeros((len(left), count), np.bool_)  # by place of an action: the starts with the outcome of a chosen one
    gains = np.zeros(count, np.int64)
    met = np.zeros(won, np.int64)
    mark = 0
    latest = 0
    chosen[:] = False
    while True:
        chosen[latest] = True
        gains[:] = 0
        kept = 0
        for place in range(len(left)):
            if hit[place, latest]:
                continue
            action = left[place]
            left[kept] = action
            outcome = rows[latest, action]
            for start in range(count):
                hit[kept, start] = hit[place, start] or (outcome < won and rows[start, action] == outcome)
                gains[start] += hit[kept, start]
            kept += 1
        left = left[:kept]
        if not kept:
            members = np.flatnonzero(chosen)
            left = _not_stopped(rows, won, members, actions)
            if not len(left):
                break
            hit = np.zeros((len(left), count), np.bool_)
            for place in range(len(left)):
                for start in range(count):
                    for one in range(len(members)):
                        outcome = rows[members[one], left[place]]
                        if outcome < won and rows[start, left[place]] == outcome:
                            hit[place, start] = True
                    gains[start] += hit[place, start]
        best, most = -1, -1
        for start in range(count):
            if not chosen[start] and gains[start] > most:
                best, most = start, gains[start]
        if most <= 0:  # what is left to be chosen meets none of those before, but two of them may meet
            for place in range(len(left)):
                mark += 1
                different = True
                for start in range(count):
                    outcome = rows[start, left[place]]
                    if outcome < won:
                        different = different and met[outcome] != mark
                        met[outcome] = mark
                if different:
                    return int(left[place])
        latest = best
    for member in np.flatnonzero(chosen):  # those that are not needed are left out
        chosen[member] = False
        chosen[member] = len(_not_stopped(rows, won, np.flatnonzero(chosen), 1)) > 0
    return -1


@inner_kernel
def _not_stopped(rows: NDArray[Any], won: int, members: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return the first actions, so many at the most, under which no two of these starts have the same outcome."""
    left = np.empty(most, np.intp)
    count = 0
    for action in range(rows.shape[1]):
        meet = False
        for one in range(1, len(members)):
            outcome = rows[members[one], action]
            for other in range(one):
                meet = meet or (outcome < won and rows[members[other], action] == outcome)
            if meet:
                break
        if not meet:
            left[count] = action
            count += 1
            if count == most:
                break
    return left[:count]
