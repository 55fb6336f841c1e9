"""The points of an upper bound that a proof needs, and their witnesses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from attrs import define, field

from ..solvers.pomdp.arrays import PomdpArrays
from ..solvers.pomdp.joint import entries_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..solvers.pomdp.arrays import Floats, Integers

BY_PLANES, BY_CORNERS = -1, -2
"""The witnesses that are no points."""

# Where points have fewer entries together they lie in one array.
_MOST_DENSE = 20_000_000
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


class Points:
    """Points over planes, in floats; planes are minus infinity where an action does not apply."""

    def __init__(
        self, arrays: PomdpArrays, planes: Floats, beliefs: Sequence[tuple[Integers, Floats]], values: Floats
    ) -> None:
        self._arrays = arrays
        self._planes = planes
        self._finite = np.where(np.isfinite(planes), planes, 0)
        self._barred = ~np.isfinite(planes)
        self.beliefs = beliefs
        self.values = values
        count, size = len(beliefs), arrays.S
        self._worth = np.array([self._finite[:, states] @ weights for states, weights in beliefs]).reshape(
            count, arrays.A
        )
        applies = np.array([~self._barred[:, states].any(axis=1) for states, _ in beliefs], np.bool_)
        applies = applies.reshape(count, arrays.A)
        self._gain = np.where(applies, self._worth, -np.inf).max(axis=1, initial=-np.inf) - values
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
        self._dense: tuple[Floats, Floats] | None = None
        if count * size <= _MOST_DENSE:
            inverse, outside = np.zeros((count, size)), np.full((count, size), np.inf)
            for place, (states, weights) in enumerate(beliefs):
                inverse[place, states] = 1 / weights
                outside[place, states] = 0
            self._dense = inverse, outside

    def shown(self, place: int, tick: Callable[[], None]) -> Iterator[tuple[int, ShownAction]]:
        """For each action that applies at a point, how it is shown to be worth no more; as nearly as can be."""
        states, weights = self.beliefs[place]
        for action in range(self._arrays.A):
            if not self._barred[action, states].any():
                value, worth = float(self.values[place]), float(self._worth[place, action])
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
        percepts, children = self._children(action, states, weights)
        worth = children @ self._finite.T
        barred = (children > 0).astype(float) @ self._barred.T > 0
        simple = np.where(barred, -np.inf, worth).max(axis=1, initial=-np.inf)
        if np.isneginf(simple).any():
            return None
        found = ShownAction(paid + discount * float(simple.sum()))
        for place in np.argsort(-children.sum(axis=1), kind="stable").tolist():
            if found.fixed + sum(share * self.values[point] for share, point in found.shares) <= value:
                break
            bound, witness, share = self.best(children[place], worth[place], ~barred[place])
            if witness == BY_PLANES:
                continue
            found.witnesses.append((int(percepts[place]), witness, share))
            found.fixed -= discount * float(simple[place])
            if witness == BY_CORNERS:
                inside = np.flatnonzero(children[place] * (self.corner_points >= 0))
                of_points = children[place][inside]
                found.fixed += discount * (bound - float(of_points @ self.corners[inside]))
                found.shares += zip((discount * of_points).tolist(), self.corner_points[inside].tolist(), strict=True)
            else:
                found.fixed += discount * (bound - share * float(self.values[witness]))
                found.shares.append((discount * share, witness))
        return found

    def best(self, belief: Floats, worth: Floats, allowed: NDArray[np.bool_]) -> tuple[float, int, float]:
        """The least upper bound of a belief, its witness, and what share of a point is in it."""
        simple = float(worth[allowed].max())
        inside = np.flatnonzero(belief)
        bound, witness, share = simple, BY_PLANES, 0.0
        by_corners = float(belief[inside] @ self.corners[inside])
        if by_corners < bound:
            bound, witness = by_corners, BY_CORNERS
        if not len(self.values):
            return bound, witness, share
        parts = self._by_state[entries_of(self._pointers, inside)[1]]
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
            rest = worth[allowed] - shares[:, None] * self._worth[some][:, allowed]
            bounds = shares * self.values[some] + rest.max(axis=1)
            least = int(bounds.argmin())
            if bounds[least] < bound:
                bound, witness, share = float(bounds[least]), int(some[least]), float(shares[least])
        return bound, witness, share

    def worth_of(self, belief: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """Return, by plane, its value of a belief, and whether it applies there."""
        allowed: NDArray[np.bool_] = ~np.any(self._barred[:, belief > 0], axis=1)
        return self._finite @ belief, allowed

    def needed_by_corners(self, belief: Floats) -> list[int]:
        """The points by which the corners of a belief are what they are."""
        points = self.corner_points[np.flatnonzero(belief)]
        return sorted({*points[points >= 0].tolist()})

    def children(self, place: int, action: int) -> dict[int, Floats]:
        """Return, by percept, the outcomes of an action at a point."""
        percepts, children = self._children(action, *self.beliefs[place])
        return dict(zip(percepts.tolist(), children, strict=True))

    def _shares(self, belief: Floats, points: Integers) -> Floats:
        if self._dense is not None:
            inverse, outside = self._dense
            found: Floats = (belief * inverse[points] + outside[points]).min(axis=1)
            return found
        pairs = (self.beliefs[point] for point in points.tolist())
        return np.array([(belief[states] / weights).min() for states, weights in pairs])

    def _children(self, action: int, states: Integers, weights: Floats) -> tuple[Integers, Floats]:
        """The percepts that may come, in ascending order, and for each the weights of states then."""
        arrays, size = self._arrays, self._arrays.S
        counts, entries = entries_of(arrays.to_pointers, action * size + states)
        chances = np.repeat(weights, counts) * arrays.to_weights[entries]
        arrived = np.bincount(arrays.to_states[entries], chances, size)
        results = np.flatnonzero(arrived)
        counts, entries = entries_of(arrays.percept_pointers, arrays.percept_rows[action * size + results])
        of_entry, likely = np.repeat(results, counts), arrays.percept_weights[entries]
        percepts, places = np.unique(arrays.percept_numbers[entries], return_inverse=True)
        children = np.zeros((len(percepts), size))
        children[places, of_entry] = arrived[of_entry] * likely
        return percepts, children
