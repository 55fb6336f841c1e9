"""Kernels on a graph of beliefs without a discount: expanding, comparing with points, and mixtures of a grid's points.

A belief that is expanded has branches by action, as in `belief_tree.py`, and `paid` has what its actions earn at once,
`NEVER` where one does not apply. A mixture is expanded as if its only action were to draw one of its parts.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...solvers.pomdp.joint import NEVER, RULED_OUT
from ..compiled.jit import kernel
from . import belief_tree as tables
from .belief_tree import Rows, Tree, Work

FRONTIER, EXPANDED, GRID, MIXTURE = range(4)
"""The kinds of beliefs: not expanded, expanded from the start, a point of a grid, a mean of such points."""

BY_PLANES, BY_PARTS = -1, -2
"""What shows an upper bound, if it is no point."""

# Weights in a mixture below this are rounding.
_LEAST_WEIGHT = 1e-13


class Notes(NamedTuple):
    """Notes of the search by belief, beside the tree.

    Its `kind`; what shows its upper bound: a point that is a part of it, or `BY_PLANES`, or `BY_PARTS`, the branches
    from `first_part` to `last_part` to points of a grid that is so `fine`; what each action earns at once, `paid`, and
    would be worth to a discounted player who soon sees all, `hints`; and the actions of three policies, or -1: that of
    the lower bound (-1: go on by the vector), that of the upper bound, and the discounted one.
    """

    kind: Any
    shown: Any
    first_part: Any
    last_part: Any
    fine: Any
    paid: Any
    hints: Any
    lower: Any
    upper: Any
    dive: Any


@kernel
def expand(todo: Any, rows: Rows, tree: Tree, notes: Notes, work: Work, hints: Any, counters: Any) -> Any:
    """Expand these beliefs; returns how many were, and which table is full."""
    actions = rows.rewards.shape[0]
    for done in range(len(todo)):
        belief = todo[done]
        why = tables.branch(belief, rows, tree, work, counters)
        if why != tables.DONE:
            return done, why
        best = NEVER
        for action in range(actions):
            paid, hint = 0.0, 0.0
            for entry in range(tree.begin[belief], tree.end[belief]):
                paid += tree.shares[entry] * rows.rewards[action, tree.states[entry]]
                hint += tree.shares[entry] * hints[action, tree.states[entry]]
            if paid <= RULED_OUT or tree.worth[belief, action] <= RULED_OUT:
                paid = hint = NEVER
            notes.paid[belief, action], notes.hints[belief, action] = paid, hint
            if hint > best:
                best = hint
                notes.dive[belief] = action
        notes.kind[belief] = EXPANDED
    return len(todo), tables.DONE


@kernel
def lower_by_points(some: Any, tree: Tree, notes: Notes, points: Any, bounds: Any, classes: Any, dense: Any) -> int:
    """Lower the upper bounds of beliefs by points of the same class that are a part of them; returns the work.

    A belief that is c times a point and a rest is worth at most c times the point and what planes say of the rest.
    The points of a class stand from one of the `bounds` to the next; `dense` is room to work in, zeros by state.
    """
    work = 0
    for belief in some:
        begin, end = tree.begin[belief], tree.end[belief]
        home = classes[tree.states[begin]]
        if bounds[home] == bounds[home + 1]:
            continue
        for entry in range(begin, end):
            dense[tree.states[entry]] = tree.shares[entry]
        for place in range(bounds[home], bounds[home + 1]):
            point = points[place]
            gain = tree.simple[point] - tree.high[point]
            if point == belief or gain <= tree.simple[belief] - tree.high[belief]:
                continue  # even if it were all of this belief
            needed = (tree.simple[belief] - tree.high[belief]) / gain
            share = 1.0
            for entry in range(tree.begin[point], tree.end[point]):
                work += 1
                share = min(share, dense[tree.states[entry]] / tree.shares[entry])
                if share <= needed:
                    break
            share *= 1 - 1e-12
            if share <= needed:
                continue
            rest = NEVER
            for plane in range(tree.worth.shape[1]):
                if tree.worth[belief, plane] > RULED_OUT:
                    rest = max(rest, tree.worth[belief, plane] - share * tree.worth[point, plane])
            bound = share * tree.high[point] + rest + 1e-14
            if bound < tree.high[belief]:
                tree.high[belief], notes.shown[belief] = bound, point
        for entry in range(begin, end):
            dense[tree.states[entry]] = 0.0
    return work


@kernel
def mix(todo: Any, fine: int, rows: Rows, tree: Tree, notes: Notes, counters: Any) -> Any:
    """Write beliefs as means of the corners of their cell in the grid of shares with the denominator `fine`.

    The cells are those of Freudenthal's triangulation. A belief that is a point of the grid stays as it is. Returns how
    many beliefs were looked at, and which table is full.
    """
    for done in range(len(todo)):
        belief = todo[done]
        begin = tree.begin[belief]
        size = tree.end[belief] - begin
        if counters[tables.ENTRIES] + (size + 1) * size + size > len(tree.states):
            return done, tables.NO_ENTRIES
        if counters[tables.BELIEFS] + size + 1 > len(tree.low):
            return done, tables.NO_BELIEFS
        if counters[tables.BRANCHES] + size + 1 > len(tree.next):
            return done, tables.NO_BRANCHES
        corner, rest = np.empty(size + 1, np.int64), np.empty(size)
        total = 0.0
        for k in range(size - 1, -1, -1):
            total += tree.shares[begin + k]
            scaled = total * fine if k else float(fine)
            corner[k] = np.int64(np.floor(scaled + 1e-12))
            rest[k] = max(scaled - corner[k], 0.0)
        corner[size] = 0
        order = np.argsort(-rest)
        if rest[order[0]] <= _LEAST_WEIGHT:
            notes.kind[belief] = GRID
            tree.first_branch[belief] = -1  # of a coarser grid it may have been a mixture
            continue
        first = counters[tables.BRANCHES]
        last = 1.0
        for turn in range(size + 1):
            weight = last - (rest[order[turn]] if turn < size else 0.0)
            if weight > _LEAST_WEIGHT:
                start = counters[tables.ENTRIES]
                count: Any = np.int64(0)
                for k in range(size):
                    share = corner[k] - corner[k + 1]
                    if share > 0:
                        tree.states[start + count] = tree.states[begin + k]
                        tree.shares[start + count] = share / fine
                        count += 1
                place = counters[tables.BRANCHES]
                tree.percepts[place], tree.chances[place] = 0, weight
                tree.next[place] = tables.number_of(start, count, rows, tree, counters)
                counters[tables.BRANCHES] += 1
            if turn < size:
                last = rest[order[turn]]
                corner[order[turn]] += 1
        notes.kind[belief] = MIXTURE
        notes.paid[belief, :] = NEVER
        notes.paid[belief, 0] = 0.0
        notes.upper[belief] = 0
        tree.branch_end[belief, :] = counters[tables.BRANCHES]
        tree.first_branch[belief] = first
    return len(todo), tables.DONE
