"""Points that are shown by what a search kept of them, many at a time by array operations, as nearly as can be.

How large the numbers are of which sums are taken is counted: so their errors of rounding can be bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..solvers.pomdp.arrays import PomdpArrays
from ..solvers.pomdp.joint import entries_of, means_of, sums_between
from ..solvers.pomdp.trials import BY_CORNERS, BY_PLANES, Witnesses
from .pomdp_points import Points, ShownAction

if TYPE_CHECKING:
    from ..solvers.pomdp.arrays import Floats, Integers


class KeptPoints:
    """Points and the witnesses that a search kept; `numbers` are those of the points in the search.

    `most` is the largest number of products of which anything so far was the sum.
    """

    def __init__(self, points: Points, arrays: PomdpArrays, kept: Witnesses, numbers: Integers) -> None:
        self._points, self._arrays = points, arrays
        place_of = np.append(np.full(len(kept.bounds) - 1, BY_PLANES), [BY_CORNERS, BY_PLANES])  # by their own names
        place_of[numbers] = np.arange(len(numbers))
        counts, entries = entries_of(kept.bounds, numbers)
        self._keys = np.repeat(np.arange(len(numbers)), counts) * (arrays.A * arrays.O) + kept.keys[entries]
        self._witnesses = place_of[kept.witnesses[entries]]
        self._planes = np.ascontiguousarray(points.finite.T)
        self._is_barred = bool(points.barred.any())
        self.most = 1

    def shown(self, places: Integers) -> dict[int, dict[int, ShownAction]]:
        """Return, for each of these points, the same as `Points.shown`."""
        points = self._points
        applies = points.applies[places]
        simple = applies & (points.worth[places] <= points.values[places, None])
        found: dict[int, dict[int, ShownAction]] = {place: {} for place in places.tolist()}
        worth = np.where(simple, points.worth[places], -np.inf)
        best = worth.argmax(axis=1)  # of actions that need no witness one tells enough
        greatest = worth.max(axis=1).tolist()
        for place, action, number in zip(places.tolist(), best.tolist(), greatest, strict=True):
            if number > -np.inf:
                found[place][action] = ShownAction(number)
        owners, actions = np.nonzero(applies & ~simple)
        if len(owners):
            self._show(places[owners], actions, found)
        return found

    def _show(self, places: Integers, actions: Integers, found: dict[int, dict[int, ShownAction]]) -> None:
        """Enter how these pairs of a point and an action are shown."""
        points, discount = self._points, float(self._arrays.discount)
        paid, keys, weights = self._children(places, actions)
        size, percepts = self._arrays.S, self._arrays.O
        states, starts = keys % size, np.flatnonzero(np.diff(keys // size, prepend=-1))
        groups = keys[starts] // size
        owners = groups // percepts
        ends = np.append(starts, len(keys))
        worth = means_of(self._planes, states, weights, ends)
        if self._is_barred:
            worth[np.logical_or.reduceat(points.barred[:, states], starts, axis=1).T] = -np.inf
        simple = worth.max(axis=1)
        named = places[owners] * (self._arrays.A * percepts) + actions[owners] * percepts + groups % percepts
        entries = np.minimum(np.searchsorted(self._keys, named), max(0, len(self._keys) - 1))
        kept = self._keys[entries] == named if len(self._keys) else np.zeros(len(named), np.bool_)
        witnesses = np.where(kept, self._witnesses[entries] if len(self._keys) else BY_PLANES, BY_PLANES)
        witnesses[(witnesses >= 0) & ~points.witnesses[witnesses]] = BY_PLANES
        bounds, shares = simple.copy(), np.zeros(len(groups))
        by_corners = np.flatnonzero(witnesses == BY_CORNERS)
        if len(by_corners):
            bounds[by_corners] = np.add.reduceat(points.corners[states] * weights, starts)[by_corners]
        by_points = np.flatnonzero(witnesses >= 0)
        if len(by_points):
            shares[by_points] = self._shares(groups[by_points], witnesses[by_points], keys, weights)
            rest = worth[by_points] - shares[by_points, None] * points.worth[witnesses[by_points]]
            bounds[by_points] = rest.max(axis=1) + shares[by_points] * points.values[witnesses[by_points]]
        goes_on, gains = simple > -np.inf, np.zeros(len(groups))
        gains[goes_on] = discount * np.maximum(simple[goes_on] - bounds[goes_on], 0)
        # Those that gain most come first, and no more than are needed.
        order = np.lexsort((-gains, owners))
        before = np.cumsum(gains[order]) - gains[order]
        first = np.searchsorted(owners[order], np.arange(len(places)))
        before -= before[first][owners[order]]
        fixed = paid + discount * np.bincount(owners, simple, len(places))
        needed = order[(gains[order] > 0) & ((fixed - points.values[places])[owners[order]] > before)]
        ways = [ShownAction(number) for number in fixed.tolist()]
        for place, action, way in zip(places.tolist(), actions.tolist(), ways, strict=True):
            if way.fixed > -np.inf:  # else no action applies to what follows, and so not this one
                found[place][action] = way
        for group in needed.tolist():
            way, witness, share = ways[owners[group]], int(witnesses[group]), float(shares[group])
            way.witnesses.append((int(groups[group] % percepts), witness, share))
            way.fixed -= discount * float(simple[group])
            if witness == BY_CORNERS:
                inside = slice(ends[group], ends[group + 1])
                way.by_corners(points, states[inside], discount * weights[inside], discount * float(bounds[group]))
            else:
                way.fixed += discount * (float(bounds[group]) - share * float(points.values[witness]))
                way.shares.append((discount * share, witness))

    def _children(self, places: Integers, actions: Integers) -> tuple[Floats, Integers, Floats]:
        """Return what each pair earns at once; and weights of what may follow, sorted by pair, percept and state.

        Their keys are the three numbers as one.
        """
        points, arrays = self._points, self._arrays
        counts, entries = entries_of(points.bounds, places)
        pairs, states, weights = np.repeat(np.arange(len(places)), counts), points.states[entries], points.weights
        weights = weights[entries]
        paid = sums_between(arrays.rewards[actions[pairs], states] * weights, np.append(0, np.cumsum(counts)))
        counts, entries = entries_of(arrays.to_pointers, actions[pairs] * arrays.S + states)
        pairs, weights = np.repeat(pairs, counts), np.repeat(weights, counts) * arrays.to_weights[entries]
        states = np.asarray(arrays.to_states, np.int64)[entries]
        counts, entries = entries_of(arrays.percept_pointers, arrays.percept_rows[actions[pairs] * arrays.S + states])
        pairs, states = np.repeat(pairs, counts), np.repeat(states, counts)
        weights = np.repeat(weights, counts) * arrays.percept_weights[entries]
        keys: Integers = (pairs * arrays.O + arrays.percept_numbers[entries]) * arrays.S + states
        self.most = max(self.most, int(np.bincount(pairs).max(initial=0)))
        if (weights <= 0).any():  # too small for floats
            keys, weights = keys[weights > 0], weights[weights > 0]
        order = np.argsort(keys, kind="stable")
        keys, weights = keys[order], weights[order]
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        if len(first) < len(keys):
            keys, weights = keys[first], np.add.reduceat(weights, first)
        return paid, keys, weights

    def _shares(self, groups: Integers, witnesses: Integers, keys: Integers, weights: Floats) -> Floats:
        """Return the share of its witness in each of these groups."""
        points = self._points
        counts, entries = entries_of(points.bounds, witnesses)
        wanted = np.repeat(groups, counts) * self._arrays.S + points.states[entries]
        places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        there = np.where(keys[places] == wanted, weights[places], 0.0)
        found: Floats = np.minimum.reduceat(there / points.weights[entries], np.cumsum(counts) - counts)
        return found
