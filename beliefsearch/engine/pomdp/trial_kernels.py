"""The kernels of the trials of `solvers/pomdp/plain_hsvi.py`, which can be left and taken up again after each step.

Less is looked at than there. An upper bound that is not up to date is too high, but no less a bound: so an action is
gone on by only when its bound is the best, which at first is that of its plane, and none but these are asked for a
better lower bound. Vectors and points are compared with the beliefs of their own block only, and some trials choose by
the planes and by lot; see `hsvi.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import typeof

from ...solvers.pomdp.joint import NEVER, RULED_OUT
from ..compiled.jit import kernel, lean_kernel
from . import trial_beliefs
from . import trial_tables as tables
from .trial_beliefs import expand, lower_high, node_of, raise_low
from .trial_tables import Search

# A congruential generator: R. Jain, "The Art of Computer Systems Performance Analysis" (1991), chapter 26.
_FACTOR, _MORE, _MODULUS = 1103515245, 12345, 2**31


@lean_kernel
def _worth(node: int, action: int, bounds: Any, search: Search) -> float:
    """Return the bound of an action that was gone on by, from those of the beliefs that may follow."""
    nodes = search.nodes
    mean = 0.0
    for place in range(nodes.first[node, action], nodes.end[node, action]):
        mean += nodes.chances[place] * bounds[nodes.next[place]]
    worth: float = nodes.paid[node, action] + search.rows.discount * mean
    return worth


@lean_kernel
def _best_high(node: int, search: Search) -> tuple[int, int]:
    """Return the action of the greatest upper bound, which is up to date; and `USED_UP`, or which table is full."""
    nodes, fresh = search.nodes, search.work.fresh
    for action in range(len(fresh)):
        fresh[action] = nodes.high[node, action] <= RULED_OUT
        if nodes.first[node, action] >= 0:
            nodes.high[node, action] = min(nodes.high[node, action], _worth(node, action, search.beliefs.high, search))
    while True:
        best: Any = np.int64(0)  # of one type from the beginning, or kernels are compiled twice
        for action in range(1, len(fresh)):
            if nodes.high[node, action] > nodes.high[node, best]:
                best = action
        if fresh[best]:
            return best, tables.USED_UP
        if nodes.first[node, best] < 0:
            full = expand(node, best, search)
            if full != tables.USED_UP:
                return best, full
        for place in range(nodes.first[node, best], nodes.end[node, best]):
            following: Any = np.int64(nodes.next[place])
            lower_high(following, search)
        nodes.high[node, best] = min(nodes.high[node, best], _worth(node, best, search.beliefs.high, search))
        fresh[best] = True


@lean_kernel
def _best_plane(node: int, search: Search) -> tuple[int, int]:
    """Return the action whose plane says most, with what may follow it; and `USED_UP`, or which table is full."""
    worth, nodes = search.beliefs.worth, search.nodes
    belief = nodes.owner[node]
    best: Any = np.int64(0)
    for action in range(1, worth.shape[1]):
        if worth[belief, action] > worth[belief, best] and nodes.high[node, action] > RULED_OUT:
            best = action
    if worth[belief, best] > RULED_OUT and nodes.first[node, best] < 0:
        return best, expand(node, best, search)
    return best, tables.USED_UP


@lean_kernel
def _descend(search: Search) -> int:
    """Take one step down, or turn at the end of the path."""
    nodes, beliefs, counters = search.nodes, search.beliefs, search.counters
    depth = counters[tables.DEPTH]
    node = node_of(search.path[depth], search)
    if node < 0:
        return tables.NO_NODES
    by_lot = counters[tables.BY_LOT] > 0
    action, full = _best_plane(node, search) if by_lot else _best_high(node, search)
    if full != tables.USED_UP:
        return full
    target = search.targets[depth] / search.rows.discount
    widest = 0.0
    following: Any = np.int64(-1)
    drawn, passed = counters[tables.SEED] / _MODULUS, 0.0
    counters[tables.SEED] = (counters[tables.SEED] * _FACTOR + _MORE) % _MODULUS
    anchor = 1  # nothing is learned in a circle, which this finds within three rounds (R. Brent, BIT 20, 1980)
    while 2 * anchor <= depth:
        anchor *= 2
    before = search.path[min(anchor, depth)]
    first = nodes.first[node, action]
    for place in range(first, nodes.end[node, action] if first >= 0 else first):
        other: Any = np.int64(nodes.next[place])
        raise_low(other, search)
        if by_lot:
            lower_high(other, search)
        excess = nodes.chances[place] * (beliefs.high[other] - beliefs.low[other] - target) * (other != before)
        if by_lot:  # the last at or before the lot that is still too wide
            if excess > 0 and passed <= drawn:
                widest, following = excess, other
            passed += nodes.chances[place]
        elif excess > widest:
            widest, following = excess, other
    if following < 0 or depth + 1 >= len(search.path):
        counters[tables.DOWN] = 0
        counters[tables.CUT_OFF] += following >= 0
        return tables.USED_UP
    search.path[depth + 1], search.targets[depth + 1] = following, target
    counters[tables.DEPTH] = depth + 1
    return tables.USED_UP


@lean_kernel
def _back_up(search: Search, gain: float) -> int:
    """Back up the last belief of the path, and leave it."""
    rows, beliefs, nodes, vectors, points = search.rows, search.beliefs, search.nodes, search.vectors, search.points
    counters = search.counters
    belief = search.path[counters[tables.DEPTH]]
    block: Any = np.int64(rows.block[beliefs.states[beliefs.begin[belief] + beliefs.shift[belief]]])
    if counters[tables.VECTORS] >= len(vectors.actions):
        return tables.NO_VECTORS
    if counters[tables.VALUES] + rows.bounds[block + 1] - rows.bounds[block] > len(vectors.values):
        return tables.NO_VALUES
    if counters[tables.POINTS] >= len(points.of):
        return tables.NO_POINTS
    node = node_of(belief, search)
    if node < 0:
        return tables.NO_NODES
    promising, full = _best_high(node, search)
    if full != tables.USED_UP:
        return full
    high = nodes.high[node, promising]
    lower_high(belief, search)
    if high < beliefs.high[belief] - gain:
        _log_point(belief, high, block, search)
    raise_low(belief, search)
    best = beliefs.low[belief] + gain
    chosen: Any = np.int64(-1)
    for turn in range(-1, nodes.high.shape[1]):
        action = promising if turn < 0 else turn
        if turn == promising or nodes.first[node, action] < 0 or nodes.high[node, action] <= best:
            continue
        for place in range(nodes.first[node, action], nodes.end[node, action]):
            following: Any = np.int64(nodes.next[place])
            raise_low(following, search)
        low = _worth(node, action, beliefs.low, search)
        if low > best and low > RULED_OUT:
            best, chosen = low, action
    if chosen >= 0:
        _add_vector(node, chosen, block, search)
        raise_low(belief, search)
    counters[tables.BACKUPS] += 1
    counters[tables.WORK] += 10
    counters[tables.DEPTH] -= 1
    return tables.OVER if counters[tables.DEPTH] < 0 else tables.USED_UP


@lean_kernel
def _log_point(belief: int, high: float, block: int, search: Search) -> None:
    """Log an upper bound of a belief, by which others may be bounded."""
    beliefs, points = search.beliefs, search.points
    beliefs.high[belief] = beliefs.point[belief] = high
    beliefs.witness[belief] = belief
    place = search.counters[tables.POINTS]
    search.counters[tables.POINTS] += 1
    points.of[place], points.values[place], points.later[place] = belief, high, -1
    if points.ends[block, 0] < 0:
        points.ends[block, 0] = place
    else:
        points.later[points.ends[block, 1]] = place
    points.ends[block, 1] = place
    if beliefs.end[belief] - beliefs.begin[belief] == 1:
        state = beliefs.states[beliefs.begin[belief] + beliefs.shift[belief]]
        points.corners[state] = min(points.corners[state], high)


@lean_kernel
def _add_vector(node: int, action: int, block: int, search: Search) -> None:
    """Add the vector of an action at a belief, which goes on with the best vectors of what may become of it.

    A percept that cannot come there, but from other states of the block, goes on with the vector that the new one may
    replace, or else with the best of its block as a whole.
    """
    rows, beliefs, nodes, vectors = search.rows, search.beliefs, search.nodes, search.vectors
    follow, stamps, counters = search.work.follow, search.work.stamps, search.counters
    belief, number, size = nodes.owner[node], counters[tables.VECTORS], len(search.work.follow)
    successors, before = vectors.successors[number], beliefs.vector[belief]
    successors[:] = -1
    for place in range(nodes.first[node, action], nodes.end[node, action]):
        successors[nodes.percepts[place]] = beliefs.vector[nodes.next[place]]
    begin = vectors.begin[number] = counters[tables.VALUES]
    for place in range(rows.bounds[block + 1] - rows.bounds[block]):
        state = rows.bounds[block] + place
        row = action * size + state
        total = 0.0
        for entry in range(rows.to_pointers[row], rows.to_pointers[row + 1]):
            target = rows.to_states[entry]
            if stamps[target] != number:
                stamps[target] = number
                mean = 0.0
                seen = rows.percept_rows[action * size + target]
                for k in range(rows.percept_pointers[seen], rows.percept_pointers[seen + 1]):
                    percept = rows.percept_numbers[k]
                    if successors[percept] < 0:
                        there = rows.block[target]
                        successors[percept] = before if there == block else vectors.of[there, 2]
                    after = successors[percept]
                    mean += (
                        rows.percept_weights[k]
                        * vectors.values[vectors.begin[after] + target - rows.bounds[vectors.block[after]]]
                    )
                follow[target] = mean
            total += rows.to_weights[entry] * follow[target]
        value = rows.rewards[state, action] + rows.discount * total
        vectors.values[begin + place] = value if value > RULED_OUT else NEVER
    counters[tables.WORK] += 4 * (rows.bounds[block + 1] - rows.bounds[block])
    vectors.actions[number] = action
    counters[tables.VECTORS] += 1
    counters[tables.VALUES] += rows.bounds[block + 1] - rows.bounds[block]
    enter_vector(number, block, search)


@kernel
def enter_vector(number: int, block: int, search: Search) -> None:
    """Put a vector, whose values are written, behind those of its block; drop those that it covers."""
    vectors, bounds = search.vectors, search.rows.bounds
    begin, size = vectors.begin[number], bounds[block + 1] - bounds[block]
    total = 0.0
    for k in range(size):
        total += vectors.values[begin + k]
    vectors.block[number], vectors.later[number], vectors.instead[number] = block, -1, number
    vectors.total[number] = total
    other = vectors.of[block, 0]
    while other >= 0:
        if vectors.instead[other] == other and vectors.total[other] <= total + 1e-9 * abs(total):
            covered = True
            for k in range(size):
                if vectors.values[vectors.begin[other] + k] > vectors.values[begin + k]:
                    covered = False
                    break
            search.counters[tables.WORK] += 4
            if covered:
                vectors.instead[other] = number
        other = vectors.later[other]
    if vectors.of[block, 0] < 0:
        vectors.of[block, 0] = vectors.of[block, 2] = number
    else:
        vectors.later[vectors.of[block, 1]] = number
        if total > vectors.total[vectors.of[block, 2]]:
            vectors.of[block, 2] = number
    vectors.of[block, 1] = number


@kernel
def link_first(successors: Any, search: Search) -> None:
    """Say what follows the first vectors, which stand node by node, block by block; `successors` are by node."""
    rows, vectors = search.rows, search.vectors
    blocks, size = len(rows.bounds) - 1, len(rows.block)
    for number in range(len(successors) * blocks):
        node, block = number // blocks, number % blocks
        vectors.successors[number] = -1
        for state in range(rows.bounds[block], rows.bounds[block + 1]):
            row = vectors.actions[number] * size + state
            for entry in range(rows.to_pointers[row], rows.to_pointers[row + 1]):
                target = rows.to_states[entry]
                seen = rows.percept_rows[vectors.actions[number] * size + target]
                for k in range(rows.percept_pointers[seen], rows.percept_pointers[seen + 1]):
                    percept = rows.percept_numbers[k]
                    vectors.successors[number, percept] = successors[node, percept] * blocks + rows.block[target]


@kernel
def go_on(search: Search, gain: float, most_work: int) -> int:
    """Go on with a trial; return why it stopped."""
    while search.counters[tables.WORK] < most_work:
        why = _descend(search) if search.counters[tables.DOWN] else _back_up(search, gain)
        if why != tables.USED_UP:
            return why
    return tables.USED_UP


def load_kernels(search: Search, tick: Callable[[], None]) -> None:
    """Load all kernels for tables like these, or compile them if this was not done yet.

    Each is compiled before those that call it: limits are heard after each kernel, not after all of them.
    """
    number, gain = 0, 0.0
    steps: tuple[tuple[Any, tuple[Any, ...]], ...] = (
        (trial_beliefs.number_of, (number, number, number, number, search)),
        (raise_low, (number, search)),
        (lower_high, (number, search)),
        (expand, (number, number, search)),
        (_best_high, (number, search)),
        (_descend, (search,)),
        (enter_vector, (number, number, search)),
        (_add_vector, (number, number, number, search)),
        (_back_up, (search, gain)),
        (go_on, (search, gain, number)),
    )
    for function, arguments in steps:
        tick()
        function.compile(tuple(map(typeof, arguments)))
