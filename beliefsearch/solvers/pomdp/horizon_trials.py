"""Bounds on the value of a problem with a finite horizon, if there are too many beliefs to look at each.

The trials are those of `plain_hsvi.py`, but with vectors, points and planes for each number of actions left, a *layer*.
The successors of a belief are in the layer below, and with one action left both bounds are the value of that action. So
a trial is no longer than the horizon, and a discount of 1 needs no special treatment. The beliefs of some trials are
backed up in all layers, since a belief that is important with many actions left often is so with few.
"""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve

from ...errors import ProblemError, Worded
from ...running.limits import Budget, EffortExceeded
from ...running.run import Run
from .blind_policies import FirstPolicies
from .joint import NEVER, RULED_OUT, JointRows
from .plain_hsvi import TrialSearch
from .trials import FoundBounds, Trials

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .arrays import Floats, Integers, PomdpArrays
    from .pomdp_model import PomdpModel

# The most numbers in the first planes and vectors of all layers, and the most layers.
_MOST_NUMBERS = 50_000_000
_MOST_LAYERS = 10_000
# The ratio of back-ups in other layers to those along paths, the most of them at a time, and the inverse of the
# difference of probabilities at which beliefs are different.
_SWEEPS, _MOST_SWEPT, _SAME = 2, 4000, 1e9
# The game without a horizon is searched first if at most this share of the value comes after the horizon, with so many
# back-ups, or fewer if the game is large.
_MOST_BACKUPS, _MOST_WORK, _LITTLE_LEFT = 3000, 5_000_000, 0.1
# The most values of a policy that is made exact, with numbers rounded down to multiples of one grain.
MOST_EXACT, _GRAINS = 5000, 1 << 64
# As in `exact_policy_values.py`: the relative loss by rounding, bits of floats, and rounding errors of sums.
_LOSS = 1e-8
_BITS_OF_FLOATS = 50
_MARGIN = 1e-12


def layers_of_planes(joint: JointRows, horizon: int) -> Iterator[Floats]:
    """Yield the planes of the fast informed bound with one action left, with two, and so on."""
    matrix, planes = joint.matrix(), joint.rewards
    for left in range(horizon):
        if left:
            best = (matrix @ planes.T).max(axis=1) if len(joint.percepts) else np.zeros(0)
            planes = joint.rewards + joint.discount * joint.summed(best)
            planes = np.where(planes > RULED_OUT, planes, NEVER)
        yield planes


def exact_layers(model: PomdpModel[Any, Any, Any], found: FoundBounds) -> FoundBounds:
    """Return the same bounds with values of the policy in fractions, rounded down by less than a grain in each step."""
    values: Any = np.full(found.vectors.shape, -np.inf, object)
    discount: Any = model.discount
    left: Any = found.left
    for node in range(len(values) - 1, -1, -1):
        action = int(found.actions[node])
        for state in np.flatnonzero(found.vectors[node] > -np.inf).tolist():
            following: Any = 0
            for result, chance in model.outcomes[action][state] or () if left[node] > 1 else ():
                for percept, likely in model.percept_rows[action][result]:
                    following += chance * likely * values[int(found.successors[node, percept]), result]
            worth: Any = model.rewards[action][state] or 0
            values[node, state] = Fraction(math.floor((worth + discount * following) * _GRAINS), _GRAINS)
    lower: Any = sum(Fraction(chance) * values[0, state] for state, chance in model.start)
    return evolve(found, vectors=values, lower=lower)


def _endless_bounds(arrays: PomdpArrays, precision: float, budget: Budget) -> tuple[FoundBounds, float] | None:
    """Search the game without a horizon a little, if its bounds apply to the game that is cut off.

    Returns its bounds, and a bound on the loss after the horizon for a player who could go on.
    """
    if arrays.discount == 1 or not (arrays.rewards > RULED_OUT).all():
        return None
    search, allowed = TrialSearch(arrays, precision, Run(budget)), budget.limits.expanded
    most = min(_MOST_BACKUPS, _MOST_WORK // (1 + len(arrays.to_weights) * arrays.O))
    most = most if allowed is None else min(most, allowed // 2)  # the other half is for the layers
    with suppress(EffortExceeded):
        search.run(most)
    values = search.vectors.values[: search.vectors.count]
    return search.found(), max(0.0, -float(values.min(axis=1).max()))


class HorizonTrials(Trials):
    """Trials for a problem with a finite horizon."""

    def __init__(self, arrays: PomdpArrays, horizon: int, precision: float, run: Run, start_value: float = 0.0) -> None:
        most = min(_MOST_LAYERS, _MOST_NUMBERS // max(1, arrays.rewards.size))
        if horizon > most:
            raise ProblemError(
                Worded(
                    "a [horizon] of {horizon:,} actions is too long: of a problem of {states:,} states and {actions:,} "
                    "actions whose beliefs are too many to look at each, the search takes {most:,} at most; without a "
                    "[horizon] the game goes on for ever",
                    horizon=horizon,
                    states=arrays.S,
                    actions=arrays.A,
                    most=most,
                )
            )
        run.budget.require_room(4 * 8 * horizon * arrays.rewards.size, "the first bounds of each step")
        self._horizon = horizon
        self._tried = self._swept = 0  # numbers of back-ups along paths, and in other layers
        super().__init__(arrays, precision, run, start_value)
        self._start = self._layers[-1].enter(self._start_belief)

    def _begin(self, arrays: PomdpArrays) -> None:
        """Compute the first bounds of all layers: fast informed bounds, and blind policies or those without horizon."""
        self._joint = JointRows.of(arrays)
        joint, everything = self._joint, np.arange(arrays.A)
        is_long = arrays.discount**self._horizon <= _LITTLE_LEFT
        endless = _endless_bounds(arrays, self._precision, self._budget) if is_long else None
        actions, successors = everything, np.repeat(everything[:, None], arrays.O, axis=1)
        if endless is not None:
            bounds, lost = endless
            actions = np.append(actions, bounds.actions)
            successors = np.concatenate([successors, np.maximum(bounds.successors, 0) + arrays.A])
        vectors = joint.rewards[actions]
        self._layers: list[_Layer] = []  # by number of actions left, from 1 on
        for planes in layers_of_planes(joint, self._horizon):
            self._budget.tick()
            if self._layers:
                vectors = np.stack(
                    [joint.alpha_vector(a, vectors[row]) for a, row in zip(actions.tolist(), successors, strict=True)]
                )
            first = FirstPolicies(vectors, actions, successors)
            self._layers.append(_Layer(joint, planes, first, self._layers[-1] if self._layers else None))
            if endless is not None:
                self._layers[-1].take_points(bounds, lost * joint.discount ** len(self._layers), self._budget.tick)

    def _start_bounds(self) -> tuple[float, float]:
        return self._layers[-1].bounds_of(self._start)

    def counts(self) -> list[int]:
        return [sum(numbers) for numbers in zip(*(layer.counts() for layer in self._layers), strict=True)]

    def _trial(self, target: float, gain: float) -> None:
        """Go down while the gap is too wide, and back up the beliefs on the way back."""
        path = [self._start]
        for layer in self._layers[:0:-1]:
            self._budget.tick()
            target /= self._joint.discount
            following = layer.widest(path[-1], target)
            if following is None:
                break
            path.append(following)
        for layer, number in reversed([*zip(reversed(self._layers), path, strict=False)]):
            self._budget.tick()
            if layer is not self._layers[0]:  # its bounds are exact from the beginning
                layer.back_up(number, gain)
        self._tried += len(path)
        if self._swept <= _SWEEPS * self._tried:
            met: dict[bytes, Floats] = {}
            for layer, number in zip(reversed(self._layers), path, strict=False):
                belief = layer.beliefs.belief[number].copy()
                met.setdefault(np.rint(belief * _SAME).tobytes(), belief)
            self._sweep(list(met.values())[:: len(met) * self._horizon // _MOST_SWEPT + 1], gain)

    def _sweep(self, beliefs: Sequence[Floats], gain: float) -> None:
        """Back up beliefs in all layers: a belief that is likely at one time often is likely at others."""
        for layer in self._layers[1:]:
            self._budget.check_expanded(self.backups)
            for belief in beliefs:
                self._budget.tick()
                layer.back_up(layer.enter(belief), gain)
            self._swept += len(beliefs)

    def found(self) -> FoundBounds:
        """Return the bounds and the policy found so far; the values of the policy hold exactly."""
        size, layers = len(self._start_belief), self._layers
        left, actions, successors, vectors = self._graph()
        values = self._rounded(left, actions, successors, vectors)
        points = [
            (states + place * size, shares, value)
            for place, layer in enumerate(layers)
            for states, shares, value in layer.found_points()
        ]
        corners, planes = (np.concatenate([getattr(layer, of) for layer in layers], -1) for of in ("corners", "planes"))
        begins = self._start_belief > 0
        lower = float(values[0][begins] @ self._start_belief[begins])
        upper = self._start_bounds()[1]
        return FoundBounds(
            vectors=np.where(values > RULED_OUT, values, -np.inf),
            actions=actions,
            successors=successors,
            planes=np.where(planes > RULED_OUT, planes, -np.inf),
            points=points,
            corners=np.where(corners > RULED_OUT, corners, -np.inf),
            lower=self._share * lower if lower > RULED_OUT else -math.inf,
            upper=self._share * upper if upper > RULED_OUT else -math.inf,
            left=left,
        )

    def _graph(self) -> tuple[Integers, Integers, Integers, Floats]:
        """Return the policy graph: the number of actions left in each node, actions, successors, and vectors.

        Its nodes are the vectors reachable from that of the start; with one action left there are no successors.
        """
        joint, top = self._joint, self._layers[-1]
        place_of = {(self._horizon, top.lasting(int(top.beliefs.vector[self._start]))): 0}
        nodes = list(place_of)
        following: list[Any] = []
        for left, vector in nodes:  # grows while it is walked
            table = self._layers[left - 1].vectors
            row = np.full(joint.percept_count, -1)
            for percept in np.flatnonzero(self._arrays.possible[table.action[vector]]).tolist() if left > 1 else ():
                key = left - 1, self._layers[left - 2].lasting(int(table.successors[vector, percept]))
                if key not in place_of:
                    place_of[key] = len(nodes)
                    nodes.append(key)
                row[percept] = place_of[key]
            following.append(row)
        tables = [self._layers[left - 1].vectors for left, _ in nodes]
        numbers = [vector for _, vector in nodes]
        return (
            np.array([left for left, _ in nodes]),
            np.array([int(table.action[v]) for table, v in zip(tables, numbers, strict=True)]),
            np.array(following),
            np.array([table.values[v] for table, v in zip(tables, numbers, strict=True)]),
        )

    def _rounded(self, left: Integers, actions: Integers, successors: Integers, vectors: Floats) -> Floats:
        """Return the values of the nodes, each rounded down from the value by those of its successors."""
        scale = max(float(np.abs(vectors[vectors > RULED_OUT]).max(initial=0)), 1e-100)
        wanted = math.ceil(math.log2(4 * self._horizon / (_LOSS * scale)))
        unit = 2.0 ** max(0, min(wanted, _BITS_OF_FLOATS - math.ceil(math.log2(scale + 1))))
        nothing = np.zeros((self._joint.percept_count, vectors.shape[1]))
        values = np.empty_like(vectors)
        for node in range(len(left) - 1, -1, -1):
            after = values[successors[node]] if left[node] > 1 else nothing
            worth = self._joint.alpha_vector(int(actions[node]), after)
            known = worth > RULED_OUT
            lowered = np.floor((np.where(known, worth, 0) - _MARGIN * scale) * unit) / unit
            values[node] = np.where(known, lowered, NEVER)
        return values


class _Layer(TrialSearch):
    """Bounds on the values of beliefs with a given number of actions left; trials belong to `HorizonTrials`."""

    def __init__(self, joint: JointRows, planes: Floats, first: FirstPolicies, after: _Layer | None) -> None:
        self._joint, self.planes, self._first = joint, planes, first
        self._set_up()
        self._after = after or self

    def enter(self, belief: Floats) -> int:
        """Return the number of a belief, adding it if it is new, with an up-to-date lower bound."""
        number = self._number(belief)
        self._raise_lower(np.array([number]))
        return number

    def take_points(self, endless: FoundBounds, room: float, tick: Callable[[], None]) -> None:
        """Add the points of the game without a horizon, raised by `room`, a bound on the loss after the horizon."""
        for states, shares, value in endless.points:
            tick()
            if value + room < (self.planes[:, states] @ shares).max():
                belief = np.zeros(self.planes.shape[1])
                belief[states] = shares
                self._take_point(self._number(belief), value + room)

    def bounds_of(self, number: int) -> tuple[float, float]:
        """The bounds on the value of a belief."""
        return float(self.beliefs.lower[number]), float(self.beliefs.upper[number])

    def lasting(self, vector: int) -> int:
        """The last of the vectors that replaced this one."""
        while self.vectors.instead[vector] != vector:
            vector = int(self.vectors.instead[vector])
        return vector

    def _otherwise(self, vector: int) -> Integers:
        return np.array(self.vectors.successors[vector])
