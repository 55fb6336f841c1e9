"""Kernels: what may become of a belief, for each action and percept; equal beliefs get the same number."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...solvers.pomdp.joint import NEVER, RULED_OUT
from ..compiled.jit import inner_kernel, kernel
from .tables import BELIEFS, BRANCHES, ENTRIES, NO_BELIEFS, NO_BRANCHES, NO_ENTRIES, USED_UP, WORK, Rows, Scratch, Tree

# As in `solvers/pomdp/plain_hsvi.py`.
_SAME = 1e-11
_LOGARITHM_UNIT = 1e-6
_LEAST = 1e-290


@inner_kernel
def branch(belief: int, rows: Rows, tree: Tree, scratch: Scratch, counters: Any) -> int:
    """Work out the branches of a belief; returns `USED_UP` if that is done, or which table is full."""
    actions, percepts = rows.rewards.shape[0], len(scratch.counts)
    first = counters[BRANCHES]
    if first + actions * percepts > len(tree.next):
        return NO_BRANCHES
    if counters[BELIEFS] + actions * percepts > len(tree.low):
        return NO_BELIEFS
    for action in range(actions):
        leads_on = tree.worth[belief, action] > RULED_OUT
        if leads_on and not _branch_by(belief, action, rows, tree, scratch, counters):
            counters[BRANCHES] = first
            return NO_ENTRIES
        tree.branch_end[belief, action] = counters[BRANCHES]
    tree.first_branch[belief] = first
    return USED_UP


@inner_kernel
def _branch_by(belief: int, action: int, rows: Rows, tree: Tree, scratch: Scratch, counters: Any) -> bool:
    """The branches of an action; False if there is no room for them."""
    size = len(scratch.after)
    after, support = scratch.after, scratch.support
    lowest, highest = size, np.int64(-1)
    for entry in range(tree.begin[belief], tree.end[belief]):
        row = action * size + tree.states[entry]
        for place in range(rows.to_pointers[row], rows.to_pointers[row + 1]):
            state = rows.to_states[place]
            lowest, highest = min(lowest, state), max(highest, state)
            after[state] += tree.shares[entry] * rows.to_weights[place]
    found = 0
    for state in range(lowest, highest + 1):
        if after[state] > 0:
            support[found] = state
            found += 1
    counts, totals, starts, filled = scratch.counts, scratch.totals, scratch.starts, scratch.filled
    for percept in range(len(counts)):
        counts[percept], totals[percept] = 0, 0.0
    for i in range(found):
        row = action * size + support[i]
        for place in range(rows.percept_pointers[row], rows.percept_pointers[row + 1]):
            if after[support[i]] * rows.percept_weights[place] > 0:
                counts[rows.percept_numbers[place]] += 1
                totals[rows.percept_numbers[place]] += after[support[i]] * rows.percept_weights[place]
    begin = counters[ENTRIES]
    total = 0
    for percept in range(len(counts)):
        starts[percept] = filled[percept] = begin + total
        total += counts[percept]
    counters[WORK] += 4 * total + highest - lowest
    enough = begin + total <= len(tree.states)
    for i in range(found):
        state = support[i]
        row = action * size + state
        if enough:
            for place in range(rows.percept_pointers[row], rows.percept_pointers[row + 1]):
                weight = after[state] * rows.percept_weights[place]
                if weight > 0:
                    percept = rows.percept_numbers[place]
                    tree.states[filled[percept]] = state
                    tree.shares[filled[percept]] = weight / totals[percept]
                    filled[percept] += 1
        after[state] = 0.0
    if not enough:
        return False
    for percept in range(len(counts)):
        if counts[percept] and totals[percept] > _LEAST:
            place = counters[BRANCHES]
            tree.percepts[place], tree.chances[place] = percept, totals[percept]
            tree.next[place] = number_of(starts[percept], counts[percept], rows, tree, counters)
            counters[BRANCHES] += 1
    return True


@kernel
def number_of(start: int, count: int, rows: Rows, tree: Tree, counters: Any) -> int:
    """The number of the belief whose entries stand from `start` on; a new one is kept, its entries moved up."""
    begin = counters[ENTRIES]
    code = np.uint64(14695981039346656037)
    for k in range(count):
        tree.states[begin + k], tree.shares[begin + k] = tree.states[start + k], tree.shares[start + k]
        rounded = np.int64(np.rint(np.log(tree.shares[begin + k]) / _LOGARITHM_UNIT))
        code = (code ^ np.uint64(rounded * 1000003 + tree.states[begin + k])) * np.uint64(1099511628211)
    mask = len(tree.places) - 1
    place = np.int64(code >> np.uint64(20)) & mask
    while tree.places[place] >= 0:
        other = tree.places[place]
        if tree.hashes[other] == code and tree.end[other] - tree.begin[other] == count:
            same = True
            for k in range(count):
                here, there = begin + k, tree.begin[other] + k
                if (
                    tree.states[here] != tree.states[there]
                    or abs(tree.shares[here] - tree.shares[there]) > _SAME * tree.shares[here]
                ):
                    same = False
                    break
            if same:
                return other  # type: ignore[no-any-return]  # an array's
        place = (place + 1) & mask
    number = counters[BELIEFS]
    counters[BELIEFS] += 1
    tree.places[place], tree.hashes[number] = number, code
    tree.begin[number], tree.end[number] = begin, begin + count
    counters[ENTRIES] += count
    tree.first_branch[number] = -1
    tree.vector[number] = tree.vectors_seen[number] = tree.points_seen[number] = 0
    tree.low[number], tree.point[number] = NEVER, np.inf
    simple = NEVER
    for plane in range(rows.planes.shape[0]):
        worth = 0.0
        for k in range(begin, begin + count):
            worth += tree.shares[k] * rows.planes[plane, tree.states[k]]
        tree.worth[number, plane] = worth
        simple = max(simple, worth)
    tree.simple[number] = tree.high[number] = simple
    return number  # type: ignore[no-any-return]


@kernel
def enter_all(tree: Tree, count: int) -> None:
    """Enter the first beliefs in a new hash table."""
    mask = len(tree.places) - 1
    for number in range(count):
        place = np.int64(tree.hashes[number] >> np.uint64(20)) & mask
        while tree.places[place] >= 0:
            place = (place + 1) & mask
        tree.places[place] = number
