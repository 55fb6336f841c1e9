"""Proofs of the upper bound of a game of so many actions, as `verify/horizon.py` sees it, in arrays.

Where every belief was looked at, each is a point with its exact value: what follows it are points as well, one layer
below, and nothing is left for the planes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve

from ..errors import InvalidProofError
from ..plans.encoding import Json
from ..solvers.pomdp.arrays import PomdpArrays
from ..solvers.pomdp.horizon_trials import layers_of_planes
from ..solvers.pomdp.joint import NEVER, RULED_OUT, JointRows
from ..solvers.pomdp.pomdp_model import PomdpModel
from ..solvers.pomdp.trials import FoundBounds
from ..verify.numbered import written
from .pomdp_makers import LOSS, Maker
from .pomdp_points import ShownAction

if TYPE_CHECKING:
    from ..solvers.pomdp.arrays import Floats

# A longer unit than a checker takes.
_MOST_BITS = 4000


def layered_arrays(arrays: PomdpArrays, horizon: int) -> PomdpArrays:
    """Return the arrays of the game with states for each number of actions left, of which the last ends it."""
    actions, size = arrays.A, arrays.S

    def repeated(values: Any, shift: int) -> Any:
        """Return rows of each action for each layer but the last, numbers moved by `shift` each."""
        parts = [
            np.concatenate(
                [values[:0], *(values[ends[a] : ends[a + 1]] + shift * layer for layer in range(horizon - 1))]
            )
            for a in range(actions)
        ]
        return np.concatenate([values[:0], *parts])

    counts = np.zeros((actions, horizon, size), np.int64)
    counts[:, 1:] = np.diff(arrays.to_pointers).reshape(actions, 1, size)
    ends = arrays.to_pointers[:: size or 1] if size else np.zeros(actions + 1, np.int64)
    start = np.zeros(size * horizon)
    start[size * (horizon - 1) :] = arrays.start[: size * horizon]
    return evolve(
        arrays,
        S=size * horizon,
        to_pointers=np.concatenate([[0], np.cumsum(counts.ravel())]),
        to_states=repeated(arrays.to_states, size),
        to_weights=repeated(arrays.to_weights, 0),
        percept_rows=np.tile(arrays.percept_rows.reshape(actions, size), (1, horizon)).ravel(),
        rewards=np.tile(arrays.rewards, (1, horizon)),
        start=start,
    )


def bounds_of_layers(
    model: PomdpModel[Any, Any, Any], arrays: PomdpArrays, layers: Sequence[Mapping[Any, Any]], horizon: int
) -> FoundBounds:
    """Return bounds with a point for each belief of an exact search."""
    number_of = {state: number for number, state in enumerate(model.states)}
    points = []
    for done, layer in enumerate(layers):
        first = (horizon - 1 - done) * arrays.S
        for belief, node in layer.items():
            states = np.array([first + number_of[state] for state in belief], np.int64)
            points.append((states, np.array([float(chance) for chance in belief.values()]), float(node.value)))
    none, nodes = np.zeros((0, 0)), np.zeros((0, 0), np.int64)
    planes = np.concatenate([arrays.rewards[:, :0], *layers_of_planes(JointRows.of(arrays), horizon)], axis=1)
    planes = np.where(planes > RULED_OUT, planes, -np.inf)
    return FoundBounds(none, nodes, nodes, planes, points, planes.max(axis=0, initial=-np.inf), 0.0, 0.0)


class LayeredMaker(Maker):
    """Planes and points that are raised layer by layer, each by what its own numbers may miss."""

    def __init__(self, arrays: PomdpArrays, *others: Any) -> None:
        self._base = JointRows.of(arrays)  # of one layer
        super().__init__(*others)

    def _bits(self, longest: float, worth: float) -> int:
        # A float is a whole number of such units, however large it is.
        return max(0, math.ceil(math.log2(4 * longest / (LOSS * worth))))

    def _raised_planes(self, planes: Floats) -> Floats:
        joint, share = self._base, self._margin / self._scale
        matrix, found = joint.matrix(), [planes[:, :0]]
        groups = np.arange(len(joint.percepts))
        for layer in range(planes.shape[1] // (joint.rewards.shape[1] or 1)):
            self._tick()
            raised, sizes = joint.rewards, np.abs(joint.rewards)
            if layer and len(groups):
                worth = matrix @ found[-1].T
                best = worth.argmax(axis=1)
                size = (matrix @ np.abs(found[-1]).T)[groups, best]
                raised = raised + joint.discount * joint.summed(worth[groups, best])
                sizes = sizes + joint.discount * joint.summed(size)
            found.append(self._up(np.where(raised > RULED_OUT, raised + share * sizes, NEVER)))
        return np.concatenate(found, axis=1)

    def _raised_points(self, order: Sequence[int], shown: Mapping[int, Mapping[int, ShownAction]]) -> Floats:
        values, share = self._points.values.copy(), self._margin / self._scale
        for point in sorted(order, key=lambda point: self._points.beliefs[point][0][0]):  # the lowest layer first
            size = max(
                (
                    abs(way.fixed) + sum(of * abs(values[other]) for of, other in way.shares)
                    for way in shown[point].values()
                ),
                default=0.0,
            )
            worth = self._worth(shown, point, values) + share * size
            values[point] = math.ceil(max(values[point], worth) * self._unit) / self._unit
        return values


class LayersMaker(LayeredMaker):
    """Points that are exact, and planes with some room."""

    def __init__(
        self,
        base: PomdpArrays,
        model: PomdpModel[Any, Any, Any],
        arrays: PomdpArrays,
        found: FoundBounds,
        layers: Sequence[Mapping[Any, Any]],
        tick: Callable[[], None],
    ) -> None:
        super().__init__(base, model, arrays, evolve(found, points=[]), 1, tick)
        self._layers = layers

    def proof(self, problem: Any, plan: Mapping[str, Any]) -> dict[str, Json]:
        """The proof, in the numbers of the lists in a plan."""
        document: Any = super().proof(problem, plan)
        nodes = [(belief, node) for layer in self._layers for belief, node in layer.items()]
        worth = math.lcm(*(Fraction(node.value).denominator for _, node in nodes))
        unit = document["unit"] * worth
        if unit.bit_length() > _MOST_BITS:
            raise InvalidProofError("its unit would be too long")
        states, percepts = self._numbers(plan)
        numbers = [
            {of: number for number, of in enumerate(some)}
            for some in (self._model.states, self._model.actions, self._model.percepts)
        ]
        size, top = len(self._model.states), plan["horizon"] - 1
        place_of: list[dict[Any, int]] = []
        for layer in self._layers:
            before = sum(map(len, place_of))
            place_of.append({belief: before + place for place, belief in enumerate(layer)})
        totals = [math.lcm(*(Fraction(chance).denominator for chance in belief.values())) for belief, _ in nodes]
        points: list[Any] = []
        for done, layer in enumerate(self._layers):
            for belief, node in layer.items():
                self._tick()
                total = totals[len(points)]
                weights = [
                    [states[(top - done) * size + numbers[0][state]], int(chance * total)]
                    for state, chance in belief.items()
                ]
                witnesses = [
                    [
                        numbers[1][action],
                        percepts[numbers[2][percept]],
                        [child, written(chance * Fraction(total, totals[child]))],
                    ]
                    for action, after in node.steps.items()
                    if done < top
                    for percept, (chance, then) in after.percepts.items()
                    for child in [place_of[done + 1][then]]
                ]
                points.append([weights, int(node.value * unit), witnesses])
        document |= {"unit": unit, "points": points}
        document["planes"] = [[v if v is None else v * worth for v in plane] for plane in document["planes"]]
        found: dict[str, Json] = document
        return found
