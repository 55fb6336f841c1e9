"""The points of an upper bound that a proof needs, and their witnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from attrs import define, field

from ..solvers.pomdp.arrays import PomdpArrays
from ..solvers.pomdp.joint import entries_of
from ..solvers.pomdp.trials import BY_CORNERS, BY_PLANES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..solvers.pomdp.arrays import Floats, Integers

_CANDIDATES = 32
_HEAVIEST = 3


@define
class ShownAction:
    """Proof that an action is worth no more than a point.

    It is worth what is paid and what planes and corners add, `fixed`, and `shares` of the values of other points. Its
    `witnesses` are triples of a percept, a witness, where this is not the planes, and which share of it counts.
    """

    fixed: float
    shares: list[tuple[float, int]] = field(factory=list)
    witnesses: list[tuple[int, int, float]] = field(factory=list)

    def by_corners(self, points: Points, states: Integers, weights: Floats, bound: float) -> None:
        """Add a part of what may follow, bounded by the corners, which are points as far as these are known."""
        corners = points.corner_points[states]
        inside = np.flatnonzero(weights * (corners >= 0))
        self.fixed += bound - float(weights[inside] @ points.corners[states[inside]])
        self.shares += zip(weights[inside].tolist(), corners[inside].tolist(), strict=True)


class Points:
    """Points over planes, in floats; planes are minus infinity where an action does not apply.

    A belief is given by the states in it and their weights: most beliefs have few of very many states.
    """

    def __init__(
        self, arrays: PomdpArrays, planes: Floats, beliefs: Sequence[tuple[Integers, Floats]], values: Floats
    ) -> None:
        self._arrays = arrays
        self._planes = planes
        self.finite = np.where(np.isfinite(planes), planes, 0)
        self.barred = ~np.isfinite(planes)
        self.beliefs = beliefs
        self.values = values
        count, size = len(beliefs), arrays.S
        self.worth = np.array([self.finite[:, states] @ weights for states, weights in beliefs]).reshape(
            count, arrays.A
        )
        applies = np.array([~self.barred[:, states].any(axis=1) for states, _ in beliefs], np.bool_)
        self.applies = applies.reshape(count, arrays.A)
        self._gain = np.where(self.applies, self.worth, -np.inf).max(axis=1, initial=-np.inf) - values
        self.witnesses: NDArray[np.bool_] = np.ones(count, np.bool_)  # those that may be named
        self._heaviest = np.zeros((count, _HEAVIEST), np.int64)
        self._inverse = np.zeros((count, _HEAVIEST))
        self.corners = planes.max(axis=0)
        self.corner_points = np.full(size, -1, np.int64)
        for place, (states, weights) in enumerate(beliefs):
            heaviest = np.argsort(-weights, kind="stable")[np.arange(_HEAVIEST) % len(weights)]
            self._heaviest[place] = states[heaviest]
            self._inverse[place] = 1 / weights[heaviest]
            if len(states) == 1 and values[place] < self.corners[states[0]]:
                self.corners[states[0]] = values[place]
                self.corner_points[states[0]] = place
        # The points by their heaviest state, which must be possible wherever they are a part.
        self._by_state = np.argsort(self._heaviest[:, 0], kind="stable")
        self._pointers = np.searchsorted(self._heaviest[self._by_state, 0], np.arange(size + 1))
        # The weights of all points, one point after the other.
        self.bounds = np.append(0, np.cumsum([len(states) for states, _ in beliefs], dtype=np.int64))
        self.states = np.concatenate([np.zeros(0, np.int64), *(states for states, _ in beliefs)])
        self.weights = np.concatenate([np.zeros(0), *(weights for _, weights in beliefs)])
        self._by_number = np.zeros(size)  # the belief that is looked at, and 0 in between

    def shown(self, place: int, tick: Callable[[], None]) -> Iterator[tuple[int, ShownAction]]:
        """For each action that applies at a point, how it is shown to be worth no more; as nearly as can be."""
        states, weights = self.beliefs[place]
        for action in range(self._arrays.A):
            if not self.barred[action, states].any():
                value, worth = float(self.values[place]), float(self.worth[place, action])
                if worth <= value:  # then so is what may follow, by the planes
                    yield action, ShownAction(worth)
                    continue
                tick()
                found = self._shown(action, states, weights, value)
                if found is not None:
                    yield action, found

    def _shown(self, action: int, states: Integers, weights: Floats, value: float) -> ShownAction | None:
        discount = float(self._arrays.discount)
        paid = float(self._arrays.rewards[action, states] @ weights)
        percepts, results, children = self._children(action, states, weights)
        worth = children @ self.finite[:, results].T
        barred = (children > 0).astype(float) @ self.barred[:, results].T > 0
        simple = np.where(barred, -np.inf, worth).max(axis=1, initial=-np.inf)
        if np.isneginf(simple).any():
            return None
        found = ShownAction(paid + discount * float(simple.sum()))
        for place in np.argsort(-children.sum(axis=1), kind="stable").tolist():
            if found.fixed + sum(share * self.values[point] for share, point in found.shares) <= value:
                break
            bound, witness, share = self.best(results, children[place], worth[place], ~barred[place])
            if witness == BY_PLANES:
                continue
            found.witnesses.append((int(percepts[place]), witness, share))
            found.fixed -= discount * float(simple[place])
            if witness == BY_CORNERS:
                found.by_corners(self, results, discount * children[place], discount * bound)
            else:
                found.fixed += discount * (bound - share * float(self.values[witness]))
                found.shares.append((discount * share, witness))
        return found

    def best(
        self, states: Integers, weights: Floats, worth: Floats, allowed: NDArray[np.bool_]
    ) -> tuple[float, int, float]:
        """The least upper bound of a belief, its witness, and what share of a point is in it."""
        simple = float(worth[allowed].max())
        bound, witness, share = simple, BY_PLANES, 0.0
        inside = weights > 0
        states, weights = states[inside], weights[inside]
        by_corners = float(weights @ self.corners[states])
        if by_corners < bound:
            bound, witness = by_corners, BY_CORNERS
        if not len(self.values):
            return bound, witness, share
        belief = self._by_number
        belief[states] = weights
        parts = self._by_state[entries_of(self._pointers, states)[1]]
        parts = parts[self.witnesses[parts]]
        hoped = (belief[self._heaviest[parts]] * self._inverse[parts]).min(axis=1) * self._gain[parts]
        while True:
            candidates = np.flatnonzero(hoped > simple - bound)
            if not len(candidates):
                break
            if len(candidates) > _CANDIDATES:
                candidates = candidates[np.argpartition(-hoped[candidates], _CANDIDATES)[:_CANDIDATES]]
            some = parts[candidates[np.argsort(-hoped[candidates], kind="stable")]]
            hoped[candidates] = -np.inf
            shares = self._shares(belief, some)
            rest = worth[allowed] - shares[:, None] * self.worth[some][:, allowed]
            bounds = shares * self.values[some] + rest.max(axis=1)
            least = int(bounds.argmin())
            if bounds[least] < bound:
                bound, witness, share = float(bounds[least]), int(some[least]), float(shares[least])
        belief[states] = 0
        return bound, witness, share

    def of_start(self) -> list[tuple[float, int]]:
        """The shares of points, and the points, by which the bound of the start is what it is."""
        states = np.flatnonzero(self._arrays.start)
        if not len(states):
            return []
        weights = self._arrays.start[states]
        allowed = np.logical_not(self.barred[:, states].any(axis=1))
        _, witness, share = self.best(states, weights, self.finite[:, states] @ weights, allowed)
        if witness == BY_CORNERS:
            points = self.corner_points[states]
            return sorted(zip(weights[points >= 0].tolist(), points[points >= 0].tolist(), strict=True))
        return [(share, witness)] * (witness != BY_PLANES)

    def gain(self, point: int) -> float:
        """Return by how much a point is worth less than the planes say."""
        return float(self._gain[point])

    def _shares(self, belief: Floats, points: Integers) -> Floats:
        counts, entries = entries_of(self.bounds, points)
        parts = belief[self.states[entries]] / self.weights[entries]
        found: Floats = np.minimum.reduceat(parts, np.cumsum(counts) - counts)
        return found

    def _children(self, action: int, states: Integers, weights: Floats) -> tuple[Integers, Integers, Floats]:
        """The percepts that may come, in ascending order; the states that may; and by both the weights."""
        arrays, size = self._arrays, self._arrays.S
        counts, entries = entries_of(arrays.to_pointers, action * size + states)
        chances = np.repeat(weights, counts) * arrays.to_weights[entries]
        results, places = np.unique(arrays.to_states[entries], return_inverse=True)
        arrived = np.bincount(places.reshape(-1), chances, len(results))
        counts, entries = entries_of(arrays.percept_pointers, arrays.percept_rows[action * size + results])
        of_entry, likely = np.repeat(np.arange(len(results)), counts), arrays.percept_weights[entries]
        percepts, places = np.unique(arrays.percept_numbers[entries], return_inverse=True)
        children = np.zeros((len(percepts), len(results)))
        children[places.reshape(-1), of_entry] = arrived[of_entry] * likely
        return percepts, results, children
