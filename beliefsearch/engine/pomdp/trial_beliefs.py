"""Kernels of the beliefs of trials: what may become of one, and what it is worth at least and at most."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...solvers.pomdp.joint import LEAST_END, NEVER, RULED_OUT
from ...solvers.pomdp.trials import BY_CORNERS, BY_PLANES
from ..compiled.jit import kernel, lean_kernel
from . import trial_tables as tables
from .belief_tree import LEAST_CHANCE, entered, part
from .trial_tables import Search


@lean_kernel
def raise_low(belief: int, search: Search) -> None:
    """Compare a belief with the vectors of its block that are new to it.

    What is written to tables is written at the end: in between, numbers that others might change are read again.
    """
    beliefs, vectors = search.beliefs, search.vectors
    seen: Any = beliefs.vectors_seen[belief]
    begin, end = beliefs.begin[belief], beliefs.end[belief]
    names = begin + beliefs.shift[belief]
    block = search.rows.block[beliefs.states[names]]
    vector: Any = vectors.of[block, 0] if seen < 0 else vectors.later[seen]
    if vector < 0:
        return
    first, count = search.rows.bounds[block], end - begin
    is_whole = count == search.rows.bounds[block + 1] - first  # all states, and so in their order
    best, which, looked = beliefs.low[belief], beliefs.vector[belief], 0
    states, shares, values = beliefs.states[names : names + count], beliefs.shares[begin:end], vectors.values
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
    begin, end, shift = beliefs.begin[belief], beliefs.end[belief], beliefs.shift[belief]
    seen = beliefs.points_seen[belief]
    place = points.ends[search.rows.block[beliefs.states[begin + shift]], 0] if seen < 0 else points.later[seen]
    if place < 0:
        return
    simple = beliefs.simple[belief]
    if simple <= RULED_OUT:
        beliefs.high[belief] = NEVER
        return
    dense = search.work.dense
    corners = 0.0
    for entry in range(begin, end):
        state, share = beliefs.states[entry + shift], beliefs.shares[entry]
        dense[state] = share
        corners += share * points.corners[state]
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
        share, names = 1e300, beliefs.shift[other]
        for entry in range(beliefs.begin[other], beliefs.end[other]):
            counters[tables.WORK] += 1
            if dense[beliefs.states[entry + names]] < share * beliefs.shares[entry]:
                share = dense[beliefs.states[entry + names]] / beliefs.shares[entry]
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
        dense[beliefs.states[entry + shift]] = 0.0
    beliefs.high[belief] = min(beliefs.high[belief], best)


@kernel
def number_of(start: int, count: int, shift: int, before_it: int, search: Search) -> int:
    """As `entered`; a new belief that has all states of its block, or those of the one `before_it`, does not keep them.

    The table of states begins with all of them in order.
    """
    beliefs, counters, before = search.beliefs, search.counters, search.counters[tables.BELIEFS]
    number = entered(start, count, shift, search.rows.planes, beliefs, counters)
    if number == before:
        counters[tables.WORK] += count * search.rows.planes.shape[1]
        beliefs.node[number] = beliefs.vectors_seen[number] = beliefs.points_seen[number] = -1
        beliefs.point[number], beliefs.witness[number] = np.inf, BY_PLANES
        names = counters[tables.NAMES] - count
        block = search.rows.block[beliefs.states[names]]
        beliefs.vector[number] = search.vectors.of[block, 2]
        known = search.rows.bounds[block]
        if count < search.rows.bounds[block + 1] - known:
            known = beliefs.begin[before_it] + beliefs.shift[before_it]
        k = 0
        while k < count and known + count <= names and beliefs.states[known + k] == beliefs.states[names + k]:
            k += 1
        if k == count:
            beliefs.shift[number], counters[tables.NAMES] = known - beliefs.begin[number], names
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
        state, share = beliefs.states[entry + beliefs.shift[belief]], beliefs.shares[entry]
        for action in range(rewards.shape[1]):
            nodes.paid[node, action] += share * rewards[state, action]
    return node


@lean_kernel
def expand(node: int, action: int, search: Search) -> int:
    """Find the branches of an action that applies; returns `USED_UP`, or which table is full."""
    rows, beliefs, nodes, work, counters = search.rows, search.beliefs, search.nodes, search.work, search.counters
    percepts = len(work.counts)
    if counters[tables.BELIEFS] + percepts > len(beliefs.low):
        return tables.NO_BELIEFS
    if 2 * (counters[tables.BELIEFS] + percepts) > len(beliefs.places):
        return tables.NO_PLACES
    if counters[tables.BRANCHES] + percepts > len(nodes.next):
        return tables.NO_BRANCHES
    owner: Any = np.int64(nodes.owner[node])
    total = part(owner, action, rows, beliefs, work, counters)
    if counters[tables.ENTRIES] + total > len(beliefs.shares):
        return tables.NO_ENTRIES
    if counters[tables.NAMES] + total > len(beliefs.states):
        return tables.NO_NAMES
    counters[tables.WORK] += 4 * total
    shift = counters[tables.NAMES] - counters[tables.ENTRIES]
    nodes.first[node, action] = counters[tables.BRANCHES]
    stays = 0.0
    for percept in range(percepts):
        if work.counts[percept] > 0 and work.totals[percept] > LEAST_CHANCE:
            place = counters[tables.BRANCHES]
            nodes.percepts[place], nodes.chances[place] = percept, work.totals[percept]
            nodes.next[place] = number_of(work.starts[percept], work.counts[percept], shift, owner, search)
            if nodes.next[place] == owner:
                stays += nodes.chances[place]
            counters[tables.BRANCHES] += 1
    if rows.has_to_end and stays > 1 - LEAST_END:
        nodes.high[node, action] = NEVER  # nothing comes of it
    nodes.end[node, action] = counters[tables.BRANCHES]
    return tables.USED_UP
