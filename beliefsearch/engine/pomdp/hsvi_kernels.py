"""The kernels of the trials of `solvers/pomdp/plain_hsvi.py`, which can be left and taken up again after each step.

Less is compared than there: an upper bound that is not up to date is too high, but no less a bound. So of the actions
that look best only those have to be looked at that still do when they have been; and an action need not be asked for a
better lower bound if even its upper bound is no better.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import typeof

from ...solvers.pomdp.joint import NEVER, RULED_OUT
from ..compiled.jit import inner_kernel, kernel
from . import belief_tree as tables
from .belief_tree import Points, Rows, Search, Tree, Vectors


@inner_kernel
def raise_low(belief: int, tree: Tree, vectors: Vectors, counters: Any) -> None:
    """Compare a belief with the new vectors."""
    begin, end = tree.begin[belief], tree.end[belief]
    best, which = tree.low[belief], tree.vector[belief]
    for number in range(tree.vectors_seen[belief], counters[tables.VECTORS]):
        if vectors.instead[number] != number:
            continue
        worth = 0.0
        for entry in range(begin, end):
            worth += tree.shares[entry] * vectors.values[number, tree.states[entry]]
        counters[tables.WORK] += end - begin
        if worth > best:
            best, which = worth, number
    tree.low[belief], tree.vector[belief] = best, which
    tree.vectors_seen[belief] = counters[tables.VECTORS]


@inner_kernel
def lower_high(belief: int, tree: Tree, points: Points, dense: Any, counters: Any) -> None:
    """Compare a belief with the new points; see `solvers/pomdp/plain_hsvi.py`."""
    seen = tree.points_seen[belief]
    if seen == counters[tables.POINTS]:
        return
    tree.points_seen[belief] = counters[tables.POINTS]
    simple = tree.simple[belief]
    if simple <= RULED_OUT:
        tree.high[belief] = NEVER
        return
    begin, end = tree.begin[belief], tree.end[belief]
    corners = 0.0
    for entry in range(begin, end):
        dense[tree.states[entry]] = tree.shares[entry]
        corners += tree.shares[entry] * points.corners[tree.states[entry]]
    best = min(tree.high[belief], simple, corners)
    for place in range(seen, counters[tables.POINTS]):
        other, value = points.of[place], points.values[place]
        size = tree.end[other] - tree.begin[other]
        counters[tables.WORK] += 2
        # One that got a better value later; one that cannot be a part; this belief itself.
        if value > tree.point[other] or size > end - begin or other == belief:
            continue
        gain = tree.simple[other] - value
        if gain <= simple - best:
            continue  # even if it were all of this belief
        needed = (simple - best) / gain
        share = 1e300
        for entry in range(tree.begin[other], tree.end[other]):
            ratio = dense[tree.states[entry]] / tree.shares[entry]
            counters[tables.WORK] += 1
            if ratio < share:
                share = ratio
                if share <= needed:
                    break
        if share <= needed:
            continue
        rest = -np.inf
        for plane in range(tree.worth.shape[1]):
            if tree.worth[belief, plane] > RULED_OUT:
                rest = max(rest, tree.worth[belief, plane] - share * tree.worth[other, plane])
        best = min(best, share * value + rest)
    for entry in range(begin, end):
        dense[tree.states[entry]] = 0.0
    tree.high[belief] = min(tree.high[belief], best)


@kernel
def go_on(search: Search, gain: float, most_work: int) -> int:
    """Go on with a trial; return why it stopped."""
    while search.counters[tables.WORK] < most_work:
        why = _descend(search) if search.counters[tables.DOWN] else _back_up(search, gain)
        if why != tables.USED_UP:
            return why
    return tables.USED_UP


@inner_kernel
def _descend(search: Search) -> int:
    """Take one step down, or turn at the end of the path."""
    rows, tree, counters = search.rows, search.tree, search.counters
    path, targets = search.path, search.targets
    depth = counters[tables.DEPTH]
    belief = path[depth]
    if tree.first_branch[belief] < 0:
        why = tables.branch(belief, rows, tree, search.dense, search.vectors.successors.shape[1], counters)
        if why != tables.USED_UP:
            return why
    high = np.empty(rows.rewards.shape[0])
    action = _best_high(belief, rows, tree, search.points, search.dense, counters, high)
    target = targets[depth] / rows.discount
    widest = 0.0
    following: Any = np.int64(-1)
    for place in range(tables.first_of(belief, action, tree), tree.branch_end[belief, action]):
        other = tree.next[place]
        raise_low(other, tree, search.vectors, counters)
        excess = tree.chances[place] * (tree.high[other] - tree.low[other] - target)
        if excess > widest:
            widest, following = excess, other
    if following < 0 or depth + 1 >= len(path):
        counters[tables.DOWN] = 0
        counters[tables.CUT_OFF] += following >= 0
        return tables.USED_UP
    path[depth + 1] = following
    targets[depth + 1] = target
    counters[tables.DEPTH] = depth + 1
    return tables.USED_UP


@inner_kernel
def _mean(belief: int, action: int, rows: Rows, tree: Tree, of: Any) -> float:
    """Return the mean value of an action, if beliefs have the values `of`."""
    reward = 0.0
    for entry in range(tree.begin[belief], tree.end[belief]):
        reward += tree.shares[entry] * rows.rewards[action, tree.states[entry]]
    if reward <= RULED_OUT:
        return NEVER
    mean = 0.0
    for place in range(tables.first_of(belief, action, tree), tree.branch_end[belief, action]):
        mean += tree.chances[place] * of[tree.next[place]]
    return reward + rows.discount * mean


@inner_kernel
def _best_high(belief: int, rows: Rows, tree: Tree, points: Points, dense: Any, counters: Any, high: Any) -> int:
    """Return the action of the greatest upper bound; `high` gets bounds of all, the best one's up to date."""
    actions = len(high)
    fresh = np.empty(actions, np.bool_)
    for action in range(actions):
        ruled_out = tree.worth[belief, action] <= RULED_OUT
        high[action] = NEVER if ruled_out else _mean(belief, action, rows, tree, tree.high)
        fresh[action] = ruled_out
        counters[tables.WORK] += 1 + tree.branch_end[belief, action] - tables.first_of(belief, action, tree)
    while True:
        best: Any = np.int64(0)  # of one type from the beginning, or kernels are compiled twice
        for action in range(1, actions):
            if high[action] > high[best]:
                best = action
        if fresh[best]:
            return best  # type: ignore[no-any-return]
        for place in range(tables.first_of(belief, best, tree), tree.branch_end[belief, best]):
            lower_high(tree.next[place], tree, points, dense, counters)
        high[best] = _mean(belief, best, rows, tree, tree.high)
        fresh[best] = True


@inner_kernel
def _back_up(search: Search, gain: float) -> int:
    """Back up the last belief of the path, and leave it."""
    rows, tree, vectors, points = search.rows, search.tree, search.vectors, search.points
    dense, counters = search.dense, search.counters
    if counters[tables.VECTORS] >= len(vectors.actions):
        return tables.NO_VECTORS
    if counters[tables.POINTS] >= len(points.of):
        return tables.NO_POINTS
    belief = search.path[counters[tables.DEPTH]]
    counters[tables.BACKUPS] += 1
    counters[tables.WORK] += 10
    bounds = np.empty(rows.rewards.shape[0])
    promising = _best_high(belief, rows, tree, points, dense, counters, bounds)
    high = bounds[promising]
    lower_high(belief, tree, points, dense, counters)
    if high < tree.high[belief] - gain:
        tree.high[belief] = tree.point[belief] = high
        place = counters[tables.POINTS]
        points.of[place], points.values[place] = belief, high
        counters[tables.POINTS] += 1
        if tree.end[belief] - tree.begin[belief] == 1:
            state = tree.states[tree.begin[belief]]
            points.corners[state] = min(points.corners[state], high)
    raise_low(belief, tree, vectors, counters)
    best = tree.low[belief] + gain
    chosen: Any = np.int64(-1)
    for turn in range(-1, rows.rewards.shape[0]):
        action = promising if turn < 0 else turn
        if turn == promising or bounds[action] <= best:
            continue
        for place in range(tables.first_of(belief, action, tree), tree.branch_end[belief, action]):
            raise_low(tree.next[place], tree, vectors, counters)
        low = _mean(belief, action, rows, tree, tree.low)
        if low > best and low > RULED_OUT:
            best, chosen = low, action
    if chosen >= 0:
        _add_vector(belief, chosen, rows, tree, vectors, counters)
        raise_low(belief, tree, vectors, counters)
    counters[tables.DEPTH] -= 1
    return tables.OVER if counters[tables.DEPTH] < 0 else tables.USED_UP


@inner_kernel
def _add_vector(belief: int, action: int, rows: Rows, tree: Tree, vectors: Vectors, counters: Any) -> None:
    """Add the vector of an action at a belief, which goes on with the best vectors of what may become of it."""
    number = counters[tables.VECTORS]
    size = vectors.values.shape[1]
    successors = vectors.successors[number]
    for percept in range(len(successors)):
        successors[percept] = tree.vector[belief]
    for place in range(tables.first_of(belief, action, tree), tree.branch_end[belief, action]):
        successors[tree.percepts[place]] = tree.vector[tree.next[place]]
    following = np.full(size, np.nan)
    vector = vectors.values[number]
    for state in range(size):
        row = action * size + state
        total = 0.0
        for entry in range(rows.to_pointers[row], rows.to_pointers[row + 1]):
            target = rows.to_states[entry]
            if np.isnan(following[target]):
                mean = 0.0
                arriving = rows.percept_rows[action * size + target]
                for place in range(rows.percept_pointers[arriving], rows.percept_pointers[arriving + 1]):
                    after = vectors.values[successors[rows.percept_numbers[place]], target]
                    mean += rows.percept_weights[place] * after
                following[target] = mean
            total += rows.to_weights[entry] * following[target]
        value = rows.rewards[action, state] + rows.discount * total
        vector[state] = value if value > RULED_OUT else NEVER
    counters[tables.WORK] += size * 4
    vectors.actions[number] = action
    vectors.instead[number] = number
    counters[tables.VECTORS] += 1
    for other in range(number):
        if vectors.instead[other] != other:
            continue
        covered = True
        for state in range(size):
            if vectors.values[other, state] > vector[state]:
                covered = False
                break
        counters[tables.WORK] += 4
        if covered:
            vectors.instead[other] = number


def load_kernels(search: Search, tick: Callable[[], None]) -> None:
    """Load all kernels for tables like these, or compile them if this was not done yet.

    Each is compiled before those that call it: limits are heard after each kernel, not after all of them.
    """
    rows, tree, vectors, points, dense, counters, _, bounds = search
    belief, action, gain = 0, 0, 0.0
    steps: tuple[tuple[Any, tuple[Any, ...]], ...] = (
        (raise_low, (belief, tree, vectors, counters)),
        (lower_high, (belief, tree, points, dense, counters)),
        (tables.number_of, (0, 0, rows, tree, counters)),
        (tables.branch, (belief, rows, tree, dense, 0, counters)),
        (_best_high, (belief, rows, tree, points, dense, counters, bounds)),
        (_descend, (search,)),
        (_add_vector, (belief, action, rows, tree, vectors, counters)),
        (_back_up, (search, gain)),
        (go_on, (search, gain, 0)),
    )
    for function, arguments in steps:
        tick()
        function.compile(tuple(map(typeof, arguments)))
