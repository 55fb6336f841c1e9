"""Kernels of the beliefs of trials: what may become of one, and what it is worth at least and at most."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...solvers.pomdp.joint import LEAST_END, NEVER, RULED_OUT
from ...solvers.pomdp.trials import BY_CORNERS, BY_PLANES
from ..compiled.jit import kernel, lean_kernel
from . import trial_tables as tables
from .belief_tree import found_at
from .trial_tables import Search

# A percept of a smaller probability is taken for rounding.
_LEAST = 1e-290


@lean_kernel
def raise_low(belief: int, search: Search) -> None:
    """Compare a belief with the vectors of its block that are new to it.

    What is written to tables is written at the end: in between, numbers that others might change are read again.
    """
    beliefs, vectors = search.beliefs, search.vectors
    seen: Any = beliefs.vectors_seen[belief]
    begin, end = beliefs.begin[belief], beliefs.end[belief]
    block = search.rows.block[beliefs.states[begin]]
    vector: Any = vectors.of[block, 0] if seen < 0 else vectors.later[seen]
    if vector < 0:
        return
    first, count = search.rows.bounds[block], end - begin
    is_whole = count == search.rows.bounds[block + 1] - first  # all states, and so in their order
    best, which, looked = beliefs.low[belief], beliefs.vector[belief], 0
    states, shares, values = beliefs.states[begin:end], beliefs.shares[begin:end], vectors.values
    while vector >= 0:
        if vectors.instead[vector] == vector:
            place, total = vectors.begin[vector], 0.0
            if is_whole:
                for k in range(count):
                    total += shares[k] * values[place + k]
            else:
                for k in range(count):
                    total += shares[k] * values[place + states[k] - first]
            looked += 1
            if total > best:
                best, which = total, vector
        seen = vector
        vector = vectors.later[vector]
    beliefs.low[belief], beliefs.vector[belief], beliefs.vectors_seen[belief] = best, which, seen
    search.counters[tables.WORK] += looked * count


@kernel
def compare(belief: int, search: Search) -> None:
    """As `raise_low`, to be called from Python."""
    raise_low(belief, search)


@lean_kernel
def lower_high(belief: int, search: Search) -> None:
    """Compare a belief with the points of its block that are new to it; see `solvers/pomdp/plain_hsvi.py`."""
    beliefs, points, counters = search.beliefs, search.points, search.counters
    begin, end = beliefs.begin[belief], beliefs.end[belief]
    seen = beliefs.points_seen[belief]
    place = points.ends[search.rows.block[beliefs.states[begin]], 0] if seen < 0 else points.later[seen]
    if place < 0:
        return
    simple = beliefs.simple[belief]
    if simple <= RULED_OUT:
        beliefs.high[belief] = NEVER
        return
    dense = search.work.dense
    corners = 0.0
    for entry in range(begin, end):
        dense[beliefs.states[entry]] = beliefs.shares[entry]
        corners += beliefs.shares[entry] * points.corners[beliefs.states[entry]]
    best = beliefs.high[belief]
    if corners < best:
        best, beliefs.witness[belief] = corners, BY_CORNERS
    while place >= 0:
        other, value = points.of[place], points.values[place]
        beliefs.points_seen[belief] = place
        place = points.later[place]
        size = beliefs.end[other] - beliefs.begin[other]
        counters[tables.WORK] += 2
        # One that got a better value later; one that cannot be a part; this belief itself.
        if value > beliefs.point[other] or size > end - begin or other == belief:
            continue
        gain = beliefs.simple[other] - value
        if gain <= simple - best:
            continue  # even if it were all of this belief
        needed = (simple - best) / gain
        share = 1e300
        for entry in range(beliefs.begin[other], beliefs.end[other]):
            counters[tables.WORK] += 1
            if dense[beliefs.states[entry]] < share * beliefs.shares[entry]:
                share = dense[beliefs.states[entry]] / beliefs.shares[entry]
                if share <= needed:
                    break
        if share <= needed:
            continue
        rest = -np.inf
        for plane in range(beliefs.worth.shape[1]):
            if beliefs.worth[belief, plane] > RULED_OUT:
                rest = max(rest, beliefs.worth[belief, plane] - share * beliefs.worth[other, plane])
        if share * value + rest < best:
            best, beliefs.witness[belief] = share * value + rest, other
    for entry in range(begin, end):
        dense[beliefs.states[entry]] = 0.0
    beliefs.high[belief] = min(beliefs.high[belief], best)


@kernel
def number_of(start: int, count: int, search: Search) -> int:
    """Return the number of the belief whose entries stand from `start` on; a new one is kept, its entries moved up."""
    beliefs, counters, planes = search.beliefs, search.counters, search.rows.planes
    known: int
    known, place, code = found_at(start, count, beliefs, counters)
    if known >= 0:
        return known
    begin = counters[tables.ENTRIES]
    number: int = counters[tables.BELIEFS]
    counters[tables.BELIEFS] += 1
    counters[tables.ENTRIES] += count
    counters[tables.WORK] += count * planes.shape[1]
    beliefs.places[place], beliefs.hashes[number] = number, code
    beliefs.begin[number], beliefs.end[number] = begin, begin + count
    beliefs.node[number] = beliefs.vectors_seen[number] = beliefs.points_seen[number] = -1
    beliefs.low[number], beliefs.point[number], beliefs.witness[number] = NEVER, np.inf, BY_PLANES
    beliefs.vector[number] = search.vectors.of[search.rows.block[beliefs.states[begin]], 2]
    for plane in range(planes.shape[1]):
        beliefs.worth[number, plane] = 0.0
    for entry in range(begin, begin + count):
        state, share = beliefs.states[entry], beliefs.shares[entry]
        for plane in range(planes.shape[1]):
            beliefs.worth[number, plane] += share * planes[state, plane]
    simple = NEVER
    for plane in range(planes.shape[1]):
        simple = max(simple, beliefs.worth[number, plane])
    beliefs.simple[number] = beliefs.high[number] = simple
    return number


@lean_kernel
def node_of(belief: int, search: Search) -> int:
    """Return the node of a belief, a new one if it has none; -1 if there is no room for that."""
    beliefs, nodes, counters, rewards = search.beliefs, search.nodes, search.counters, search.rows.rewards
    node: int = beliefs.node[belief]
    if node >= 0:
        return node
    node = counters[tables.NODES]
    if node >= len(nodes.owner):
        return -1
    counters[tables.NODES] += 1
    beliefs.node[belief], nodes.owner[node] = node, belief
    for action in range(rewards.shape[1]):
        nodes.high[node, action], nodes.first[node, action] = beliefs.worth[belief, action], -1
        nodes.paid[node, action] = 0.0
    for entry in range(beliefs.begin[belief], beliefs.end[belief]):
        state, share = beliefs.states[entry], beliefs.shares[entry]
        for action in range(rewards.shape[1]):
            nodes.paid[node, action] += share * rewards[state, action]
    return node


@lean_kernel
def _sort(numbers: Any, count: int) -> None:
    """Sort the first numbers: Shell's sort."""
    gap = count // 2
    while gap > 0:
        for i in range(gap, count):
            one, j = numbers[i], i
            while j >= gap and numbers[j - gap] > one:
                numbers[j] = numbers[j - gap]
                j -= gap
            numbers[j] = one
        gap //= 2


@lean_kernel
def _spread(belief: int, action: int, search: Search) -> int:
    """Write what follows a belief to `after`, and the states in ascending order to `touched`; return how many."""
    rows, beliefs, after, touched = search.rows, search.beliefs, search.work.after, search.work.touched
    found, lowest, highest = 0, len(after), -1
    in_order = True
    for entry in range(beliefs.begin[belief], beliefs.end[belief]):
        row = action * len(after) + beliefs.states[entry]
        search.counters[tables.WORK] += 2 * (rows.to_pointers[row + 1] - rows.to_pointers[row])
        for place in range(rows.to_pointers[row], rows.to_pointers[row + 1]):
            state, chance = rows.to_states[place], beliefs.shares[entry] * rows.to_weights[place]
            if chance <= 0.0:  # too small for a float
                continue
            if after[state] == 0.0:
                touched[found] = state
                found += 1
                in_order &= state > highest
                lowest, highest = min(lowest, state), max(highest, state)
            after[state] += chance
    if in_order:
        return found
    if highest - lowest < 8 * found:
        found = 0
        for state in range(lowest, highest + 1):
            if after[state] > 0.0:
                touched[found] = state
                found += 1
    else:
        _sort(touched, found)
    return found


@lean_kernel
def expand(node: int, action: int, search: Search) -> int:
    """Find the branches of an action that applies; returns `USED_UP`, or which table is full."""
    rows, beliefs, nodes, work, counters = search.rows, search.beliefs, search.nodes, search.work, search.counters
    size, percepts = len(work.after), len(work.counts)
    found = _spread(nodes.owner[node], action, search)
    work.counts[:] = 0
    work.totals[:] = 0.0
    for i in range(found):
        state = work.touched[i]
        row = rows.percept_rows[action * size + state]
        for place in range(rows.percept_pointers[row], rows.percept_pointers[row + 1]):
            chance = work.after[state] * rows.percept_weights[place]
            if chance > 0.0:
                work.counts[rows.percept_numbers[place]] += 1
                work.totals[rows.percept_numbers[place]] += chance
    total = 0
    for percept in range(percepts):
        work.starts[percept] = work.filled[percept] = counters[tables.ENTRIES] + total
        total += work.counts[percept]
    full = tables.USED_UP
    if counters[tables.ENTRIES] + total > len(beliefs.states):
        full = tables.NO_ENTRIES
    elif counters[tables.BELIEFS] + percepts > len(beliefs.low):
        full = tables.NO_BELIEFS
    elif 2 * (counters[tables.BELIEFS] + percepts) > len(beliefs.places):
        full = tables.NO_PLACES
    elif counters[tables.BRANCHES] + percepts > len(nodes.next):
        full = tables.NO_BRANCHES
    for i in range(found):
        state = work.touched[i]
        row = rows.percept_rows[action * size + state]
        if full == tables.USED_UP:
            for place in range(rows.percept_pointers[row], rows.percept_pointers[row + 1]):
                chance = work.after[state] * rows.percept_weights[place]
                if chance > 0.0:
                    percept = rows.percept_numbers[place]
                    beliefs.states[work.filled[percept]] = state
                    beliefs.shares[work.filled[percept]] = chance / work.totals[percept]
                    work.filled[percept] += 1
        work.after[state] = 0.0
    if full != tables.USED_UP:
        return full
    counters[tables.WORK] += 4 * total
    nodes.first[node, action] = counters[tables.BRANCHES]
    stays = 0.0
    for percept in range(percepts):
        if work.counts[percept] > 0 and work.totals[percept] > _LEAST:
            place = counters[tables.BRANCHES]
            nodes.percepts[place], nodes.chances[place] = percept, work.totals[percept]
            nodes.next[place] = number_of(work.starts[percept], work.counts[percept], search)
            if nodes.next[place] == nodes.owner[node]:
                stays += nodes.chances[place]
            counters[tables.BRANCHES] += 1
    if rows.has_to_end and stays > 1 - LEAST_END:
        nodes.high[node, action] = NEVER  # nothing comes of it
    nodes.end[node, action] = counters[tables.BRANCHES]
    return tables.USED_UP
