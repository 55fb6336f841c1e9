"""Planes and points of a search, made to hold in whole numbers.

All numbers are raised a little for each action that the game may still take, so that there is room for rounding; where
it may take any number of actions, costs are made less instead; and where not all rewards are costs, numbers are raised
as long as any is too low. Of the points those are listed that are needed to show that of the start: one for the start,
those that its witnesses name, and so on. Where there is no time for all, no more are named from then on, and the values
of those that would have named them are raised.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidProofError
from ..plans.encoding import Json, encode_action
from ..solvers.pomdp.arrays import PomdpArrays
from ..solvers.pomdp.exact_policy_values import simple_fraction
from ..solvers.pomdp.joint import NEVER, RULED_OUT, JointRows, sums_between
from ..solvers.pomdp.pomdp_model import PomdpModel
from ..solvers.pomdp.trials import FoundBounds
from .pomdp_kept import KeptPoints
from .pomdp_points import Points, ShownAction

if TYPE_CHECKING:
    from ..solvers.pomdp.arrays import Floats, Integers

# What is lost by rounding, as a share of the values.
LOSS = 1e-9
_MOST_BITS = 200
# Roundings of a sum of a few thousand products, as a share of the largest value.
MARGIN = 1e-12
_BITS_OF_FLOATS = 50
# Even the smallest weight of a point has so many bits: where it is off, there is less of the point in other beliefs.
_WEIGHT_BITS = 34
# A share of a point that was found in floats is lowered by at least this.
_LESS = 2.0**-44
# What a sum of probabilities may miss, as a share, is four roundings for each product in it and for so many more.
_EACH, _REST = 2.0**-51, 64
# Weights that are smaller still are left out.
_LEAST_WEIGHT = 2.0**-900
_MOST_SWEEPS = 20_000
# In whole numbers: what is too low by less is a rounding.
_ROUNDING = 1e-3
LOOSER = (1, 64, 4096)
"""How many times more room is left for rounding where it proves to be too little."""
# Where time is short: how long a point takes is known after so many, and its check takes so many times that.
_FEW_POINTS, _CHECK, _QUICK_CHECK = 10, 1.5, 0.4
# So many weights of points are looked at together.
_TOGETHER = 10_000
_LONGEST = 1e7
_ROOM = 0.1


class Maker:
    """One attempt: planes and points, in floats that are whole numbers over a unit."""

    def __init__(
        self,
        model: PomdpModel[Any, Any, Any],
        arrays: PomdpArrays,
        found: FoundBounds,
        looser: int,
        tick: Callable[[], None],
        seconds_left: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self._model = model
        self._arrays = arrays
        self._tick = tick
        self._seconds_left = seconds_left
        self._is_cut = False
        self._joint = JointRows.of(arrays)
        self._matrix = self._joint.matrix()
        self._applies = arrays.rewards > -1e29
        known = found.planes[self._applies & np.isfinite(found.planes)]
        worths = np.array([value for _, _, value in found.points if math.isfinite(value)])
        numbers = np.abs(np.concatenate([known, worths]))
        self._scale = float(numbers.max(initial=0)) or 1.0
        self._of_planes = self._missed(int(np.diff(self._joint.bounds).max(initial=0)))
        self._margin = max(MARGIN * self._scale * looser, 2 * self._of_planes)
        self._left = self._actions_left()
        longest = 1.0 if self._left is None else float(self._left.max(initial=1.0))
        self._unit = 2.0 ** self._bits(longest, float(np.abs(worths).max(initial=0)) or self._scale)
        # Where a game may go on at no cost any room for shares that are rounded down would grow without end.
        room = self._scale * self._unit * _LESS * 2
        self._slack = -_ROUNDING if looser == 1 else (room + _ROUNDING) * looser / LOOSER[1]
        lowest = float(known.min(initial=0))
        planes = np.where(np.isfinite(found.planes), found.planes, lowest)
        self._planes = self._raised_planes(np.where(self._applies, planes, NEVER))
        self._weights: list[Any] = []  # whole numbers, also as floats
        numbers, beliefs, values = self._rounded_points(found)
        masked = np.where(self._applies, self._planes, -np.inf)
        self._points = Points(arrays, masked, beliefs, values)
        kept = found.witnesses
        self._kept = None if kept is None else KeptPoints(self._points, arrays, kept, np.array(numbers, np.int64))

    def _bits(self, longest: float, worth: float) -> int:
        """Return how many bits of fractions there are, in a game of so many actions with points worth so much."""
        wanted = math.ceil(math.log2(4 * longest / (LOSS * self._scale)))
        return max(0, min(wanted, _BITS_OF_FLOATS - math.ceil(math.log2(self._scale * 2 + 1))))

    def proof(self, problem: Any, plan: Mapping[str, Any]) -> dict[str, Json]:
        """The proof, in the numbers of the lists in a plan."""
        order, shown = self._closure()
        if self._kept is not None:
            self._margin = max(self._margin, 2 * self._missed(self._kept.most))
        values = self._raised_points(order, shown)
        self._made = order, shown, values
        self._settle_unit(values[order])
        states, percepts = self._numbers(plan)
        state_places = np.array(states, np.int64)
        planes: list[Json] = []
        for action in range(self._arrays.A):
            plane = np.full(1 + state_places.max(initial=-1), None, object)
            numbers = np.flatnonzero(self._applies[action] & (state_places >= 0))
            plane[state_places[numbers]] = self._whole_numbers(self._planes[action, numbers])
            planes.append(plane.tolist())
        place_of = {point: place for place, point in enumerate(order)}
        whole = {point: [int(weight) for weight in self._weights[point].tolist()] for point in order}
        self._masses = {point: sum(weights) for point, weights in whole.items()}
        self._less = 1 - (_LESS if self._kept is None else max(_LESS, 2 * _EACH * (self._kept.most + _REST)))
        points: list[Json] = []
        for point in order:
            inside = state_places[self._points.beliefs[point][0]].tolist()
            written: list[Json] = [*map(list, zip(inside, whole[point], strict=True))]
            witnesses: list[Json] = [
                [
                    action,
                    percepts[percept],
                    self._hint(point, witness, share, place_of[witness]) if witness >= 0 else witness,
                ]
                for action, found in shown[point].items()
                for percept, witness, share in found.witnesses
            ]
            points.append([written, self._whole(values[point]), witnesses])
        actions: list[Json] = [encode_action(problem, action) for action in self._model.actions]
        return {
            "kind": "value-bounds",
            "unit": self._unit_number(),
            "actions": actions,
            "planes": planes,
            "points": points,
        }

    def _numbers(self, plan: Mapping[str, Any]) -> tuple[Sequence[int], Sequence[int]]:
        """Return the places in a plan of the states of the arrays, -1 if there is none, and of the percepts."""
        states, percepts = self._model.places()
        size = len(plan["states"])
        layers = range(0, size * plan.get("horizon", 1), max(1, size))  # more than one with a horizon
        return [layer + state if state >= 0 else -1 for layer in layers for state in states], percepts

    def _hint(self, point: int, witness: int, share: float, place: int) -> Json:
        """Return a witness, which has this place in the proof, with a share of its weights that is surely no larger."""
        share *= self._less * (self._masses[point] / self._masses[witness])
        numerator, denominator = share.as_integer_ratio()
        return [place, numerator if denominator == 1 else f"{numerator}/{denominator}"]

    def _settle_unit(self, values: Floats) -> None:
        """Choose the unit, if it is not known yet."""

    def _unit_number(self) -> int:
        return int(self._unit)

    def _whole(self, value: float) -> int:
        return round(value * self._unit)

    def _whole_numbers(self, values: Floats) -> list[int]:
        if self._scale * self._unit < 2**60:
            found: list[int] = np.rint(values * self._unit).astype(np.int64).tolist()
            return found
        return [self._whole(value) for value in values.tolist()]

    def _missed(self, products: int) -> float:
        """Return what a bound by so many products may miss: as a sum, and since shares of points are lowered."""
        return 6 * _EACH * (products + _REST) * self._scale

    def _up(self, numbers: Floats) -> Floats:
        """Rounded up to a whole number over the unit."""
        known = numbers > RULED_OUT
        return np.where(known, np.ceil(np.where(known, numbers, 0) * self._unit) / self._unit, NEVER)

    def _actions_left(self) -> Floats | None:
        """Return, by state, a bound on the discounted number of actions still to come; None if too many."""
        arrays = self._arrays
        if arrays.discount < 1:
            return np.full(arrays.S, 1 / (1 - arrays.discount))
        left = np.zeros(arrays.S)
        for _ in range(_MOST_SWEEPS):
            self._tick()
            means = sums_between(arrays.to_weights * left[arrays.to_states], arrays.to_pointers)
            means = means.reshape(arrays.A, arrays.S)
            more: Floats = 1 + np.where(self._applies, means, 0).max(axis=0, initial=0)
            if (more - left).max(initial=0) <= _ROOM:
                return more
            if more.max(initial=0) > _LONGEST:
                return None
            left = more
        return None

    def _costs(self) -> float:
        """Return the least cost of each action; 0 if one may cost nothing."""
        return max(0.0, -float(self._arrays.rewards[self._applies].max(initial=-np.inf)))

    def _after(self, planes: Floats) -> Floats:
        """Return, by action and state, the reward plus the discounted sum of the best planes over its outcomes."""
        by_group = (self._matrix @ planes.T).max(axis=1, initial=NEVER)
        found: Floats = self._joint.rewards + self._joint.discount * self._joint.summed(by_group)
        return np.where(self._applies & (found > RULED_OUT), found, -np.inf)

    def _with_room(self, values: Floats, missed: float, left: Floats | None) -> Floats | None:
        """Return values raised for each action that is left, or as less costs; None where neither gives room."""
        step = (missed * (1 + _ROOM) + self._margin + 2 / self._unit) / (1 - _ROOM)
        if left is None and not (self._costs() and (values <= 0).all()):
            return None
        return self._up(values * (1 - step / self._costs()) if left is None else values + step * left)

    def _raised_planes(self, planes: Floats) -> Floats:
        """Planes that say no less than what may follow, with room for rounding where there is any."""
        missed = max(0.0, float((self._after(planes) - planes)[self._applies].max(initial=0)))
        known = self._with_room(planes, missed, self._left)
        raised = np.where(self._applies, self._up(planes) if known is None else known, NEVER)
        for _ in range(0 if known is not None else _MOST_SWEEPS):
            self._tick()
            more = np.maximum(raised, self._up(self._after(raised) - _ROUNDING / self._unit))
            if (more == raised).all():
                break
            raised = more
        return raised

    def _rounded_points(self, found: FoundBounds) -> tuple[list[int], list[tuple[Integers, Floats]], Floats]:
        """The points with whole weights, which are kept: their numbers, probabilities, and values."""
        numbers, beliefs, values = [], [], []
        for number, (states, weights, value) in enumerate(found.points):
            kept = weights >= _LEAST_WEIGHT
            if math.isfinite(value) and kept.any():
                whole = self._whole_weights(weights[kept])
                beliefs.append((np.asarray(states, np.int64)[kept], (whole / whole.sum()).astype(float)))
                self._weights.append(whole)
                values.append(value)
                numbers.append(number)
        return numbers, beliefs, np.array(values, np.float64)

    def _whole_weights(self, weights: Floats) -> Any:
        """Return whole numbers in this proportion; as floats they are exact, but for their sum."""
        return np.rint(np.ldexp(weights, _WEIGHT_BITS - math.floor(math.log2(weights.min()))))

    def _closure(self) -> tuple[list[int], dict[int, Mapping[int, ShownAction]]]:
        """The points that are needed, the one for the start first, and how each is shown.

        Those come first that lower the bound of the start the most, as far as one can tell.
        """
        points = self._points
        order: list[int] = []
        met: dict[int, float] = {}  # how much of each counts at the start
        waiting: list[tuple[float, int]] = []

        def need(shares: Iterable[tuple[float, int]], of: float) -> None:
            for share, number in shares:
                if number not in met:
                    met[number] = share * of
                    order.append(number)
                    heappush(waiting, (-met[number] * points.gain(number), number))

        need(points.of_start(), 1.0)
        shown: dict[int, Mapping[int, ShownAction]] = {}
        first = self._seconds_left()
        check = _CHECK if self._kept is None else _QUICK_CHECK
        while waiting:
            left = self._seconds_left()
            each = (first - left) / len(shown) if len(shown) >= _FEW_POINTS else 0.0
            if not self._is_cut and each * (len(order) * (1 + check) - len(shown)) > left:
                self._is_cut = True
                points.witnesses[:] = False
                points.witnesses[order] = True
            for point, ways in self._shown(waiting).items():
                shown[point] = ways
                for found in ways.values():
                    need(found.shares, met[point])
        return order, shown

    def _shown(self, waiting: list[tuple[float, int]]) -> Mapping[int, Mapping[int, ShownAction]]:
        """Show the first point that waits; and some after it, if the search knows how."""
        if self._kept is None:
            _, point = heappop(waiting)
            return {point: dict(self._points.shown(point, self._tick))}
        self._tick()
        places, size = [], 0
        while waiting and size < _TOGETHER:
            places.append(heappop(waiting)[1])
            size += len(self._weights[places[-1]])
        return self._kept.shown(np.array(places))

    def _raised_points(self, order: Sequence[int], shown: Mapping[int, Mapping[int, ShownAction]]) -> Floats:
        """Values of the points that are no less than what their actions are worth, with room for rounding."""
        values, worth = self._points.values, partial(self._worth, shown)
        if self._is_cut:  # by planes instead of points they are worth more than the search says
            values = values.copy()
            for _ in range(_MOST_SWEEPS):
                self._tick()
                before = values[order]
                for point in reversed(order):
                    values[point] = max(values[point], worth(point, values))
                if (values[order] - before).max(initial=0) <= self._margin:
                    break
        missed = max([0.0, *(worth(point, values) - values[point] for point in order)])
        left = self._left
        if left is not None:
            left = np.array([weights @ left[states] for states, weights in self._points.beliefs], np.float64)
        if (known := self._with_room(values, missed, left)) is not None:
            return known
        raised = self._up(values)
        for _ in range(_MOST_SWEEPS):
            self._tick()
            changed = False
            for point in order:
                more = math.ceil(worth(point, raised) * self._unit + self._slack) / self._unit
                if more > raised[point]:
                    raised[point] = more
                    changed = True
            if not changed:
                break
        return raised

    @staticmethod
    def _worth(shown: Mapping[int, Mapping[int, ShownAction]], point: int, values: Floats) -> float:
        """Return what the best action is worth at a point, if points have these values."""
        ways = shown[point].values()
        return max(
            (way.fixed + sum(share * values[other] for share, other in way.shares) for way in ways), default=-math.inf
        )

    def proved(self) -> Fraction | None:
        """Return what the proof that was made is sure to prove, whatever floats miss; None if that cannot be said.

        Then it takes exact arithmetic to know.
        """
        model = self._model
        if self._kept is None or not model.exact or model.improper:
            return None
        order, shown, values = self._made
        least = float((self._planes - self._after(self._planes))[self._applies].min(initial=np.inf))
        worth, missed = partial(self._worth, shown), self._missed(self._kept.most)
        if min([least - self._of_planes, *(values[point] - worth(point, values) - missed for point in order)]) < 0:
            return None
        start = {state: Fraction(chance) for state, chance in model.start}
        bounds = [self._by_planes(start), self._by_corners(start, order, values)]
        if order and start:
            numbers = self._points.beliefs[order[0]][0].tolist()
            weights = dict(zip(numbers, map(int, self._weights[order[0]].tolist()), strict=True))
            share = min(start.get(state, 0) / Fraction(weight) for state, weight in weights.items())
            rest = {state: chance - share * weights.get(state, 0) for state, chance in start.items()}
            taken = share * sum(weights.values()) * self._whole(float(values[order[0]]))
            bounds += [None if most is None else most + taken for most in [self._by_planes(rest)]]
        known = [bound for bound in bounds if bound is not None]
        return None if not known else Fraction(model.start_value) + min(known) / self._unit_number()

    def _by_planes(self, weights: Mapping[int, Fraction]) -> Fraction | None:
        """The greatest mean of a plane that applies in all of these states."""
        states, of = list(weights), math.lcm(*(weight.denominator for weight in weights.values()))
        whole = [int(weight * of) for weight in weights.values()]
        planes = [plane for plane, applies in zip(self._planes, self._applies, strict=True) if applies[states].all()]
        means = [sum(map(operator.mul, whole, self._whole_numbers(plane[states]))) for plane in planes]
        return Fraction(max(means), of) if means else None

    def _by_corners(self, weights: Mapping[int, Fraction], order: Sequence[int], values: Floats) -> Fraction | None:
        """The mean of the bounds of single states, by planes and points, if a plane applies in all of them."""
        states = list(weights)
        if not self._applies[:, states].all(axis=1).any():
            return None
        corners = np.where(self._applies, self._planes, -np.inf).max(axis=0)
        for point in order:
            if len(self._weights[point]) == 1:
                state = self._points.beliefs[point][0][0]
                corners[state] = min(corners[state], values[point])
        return sum(
            (weights[s] * v for s, v in zip(states, self._whole_numbers(corners[states]), strict=True)), Fraction(0)
        )


class FractionMaker(Maker):
    """Numbers as the simple fractions that they seem to be, without any room: then the bound may be exact."""

    def _fraction(self, value: float) -> Fraction:
        return simple_fraction(value, self._scale) or Fraction(value)

    def _raised_planes(self, planes: Floats) -> Floats:
        return planes

    def _raised_points(self, order: Sequence[int], shown: Mapping[int, Mapping[int, ShownAction]]) -> Floats:
        return self._points.values

    def _whole_weights(self, weights: Floats) -> Any:
        fractions = [self._fraction(weight) for weight in weights.tolist()]
        unit = math.lcm(*(fraction.denominator for fraction in fractions))
        return np.array([int(fraction * unit) for fraction in fractions], object)

    def _hint(self, point: int, witness: int, share: float, place: int) -> Json:
        return place  # to be worked out exactly

    def _settle_unit(self, values: Floats) -> None:
        numbers = [*self._planes[self._applies].tolist(), *values.tolist()]
        self._common = math.lcm(*(self._fraction(number).denominator for number in numbers))
        if self._common.bit_length() > _MOST_BITS:
            raise InvalidProofError("its unit would be too long")

    def _unit_number(self) -> int:
        return self._common

    def _whole(self, value: float) -> int:
        return int(self._fraction(value) * self._common)

    def _whole_numbers(self, values: Floats) -> list[int]:
        return [self._whole(value) for value in values.tolist()]
