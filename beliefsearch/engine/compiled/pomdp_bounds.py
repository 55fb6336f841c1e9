"""Kernels: the bounds of single beliefs, compared with what was found since they were looked at last."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...solvers.pomdp.joint import NEVER, RULED_OUT
from .jit import inner_kernel
from .pomdp_tables import POINTS, VECTORS, WORK, Points, Scratch, Tree, Vectors


@inner_kernel
def raise_low(belief: int, tree: Tree, vectors: Vectors, counters: Any) -> None:
    """Compare a belief with the new vectors."""
    begin, end = tree.begin[belief], tree.end[belief]
    best, which = tree.low[belief], tree.vector[belief]
    for number in range(tree.vectors_seen[belief], counters[VECTORS]):
        if vectors.instead[number] != number:
            continue
        worth = 0.0
        for entry in range(begin, end):
            worth += tree.shares[entry] * vectors.values[number, tree.states[entry]]
        counters[WORK] += end - begin
        if worth > best:
            best, which = worth, number
    tree.low[belief], tree.vector[belief] = best, which
    tree.vectors_seen[belief] = counters[VECTORS]


@inner_kernel
def lower_high(belief: int, tree: Tree, points: Points, scratch: Scratch, counters: Any) -> None:
    """Compare a belief with the new points; see `solvers/pomdp/upper.py`."""
    seen = tree.points_seen[belief]
    if seen == counters[POINTS]:
        return
    tree.points_seen[belief] = counters[POINTS]
    simple = tree.simple[belief]
    if simple <= RULED_OUT:
        tree.high[belief] = NEVER
        return
    begin, end = tree.begin[belief], tree.end[belief]
    corners = 0.0
    for entry in range(begin, end):
        scratch.dense[tree.states[entry]] = tree.shares[entry]
        corners += tree.shares[entry] * points.corners[tree.states[entry]]
    best = min(tree.high[belief], simple, corners)
    for place in range(seen, counters[POINTS]):
        other, value = points.of[place], points.values[place]
        size = tree.end[other] - tree.begin[other]
        counters[WORK] += 2
        # One that got a better value later; one that cannot be a part; this belief itself.
        if value > tree.point[other] or size > end - begin or other == belief:
            continue
        gain = tree.simple[other] - value
        if gain <= simple - best:
            continue  # even if it were all of this belief
        needed = (simple - best) / gain
        share = 1e300
        for entry in range(tree.begin[other], tree.end[other]):
            ratio = scratch.dense[tree.states[entry]] / tree.shares[entry]
            counters[WORK] += 1
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
        scratch.dense[tree.states[entry]] = 0.0
    tree.high[belief] = min(tree.high[belief], best)
