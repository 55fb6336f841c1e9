"""Proofs of the upper bound on the value of a POMDP: what a search has found in floats, made to hold in whole numbers.

The lower bound is proved by the policy graph, once its values are rounded (`solvers/pomdp/exact_policy_values.py`). Of
the upper bound the proof lists the planes, and of the points those that are needed to show that of the start: one for
the start, those that its witnesses name, and so on. All numbers are raised a little for each action that the game may
still take, so that there is room for rounding; where it may take any number of actions, costs are made less instead;
and where not all rewards are costs, numbers are raised as long as any is too low. `check_planes` in
`verify/checker.py` has the conditions.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve

from ..errors import InvalidProofError
from ..model.stochastic import StochasticProblem
from ..model.values import whole
from ..plans.encoding import Json, encode_action, encode_percept, encode_state
from ..plans.policy import PolicyResult
from ..plans.policy_files import policy_graph_plan
from ..running.limits import Budget
from ..running.observer import Observer
from ..solvers.pomdp.arrays import PomdpArrays, arrays_of
from ..solvers.pomdp.exact_policy_values import simple_fraction
from ..solvers.pomdp.joint import NEVER, RULED_OUT, JointRows, sums_between
from ..solvers.pomdp.pomdp_model import PomdpModel, pomdp_model
from ..solvers.pomdp.trials import FoundBounds
from ..verify.policy_graph import PomdpOfFile
from ..verify.verdict import DoesNotHoldError
from .pomdp_graph_bounds import GraphProof
from .pomdp_points import BY_CORNERS, BY_PLANES, Points, ShownAction

if TYPE_CHECKING:
    from ..solvers.pomdp.arrays import Floats, Integers

# What is lost by rounding, as a share of the values; and how many times that where it proves to be too little.
_LOSS = 1e-9
_MOST_FRACTIONS = 5_000
_MOST_BITS = 200
_LOOSER = (1, 64, 4096)
# Roundings of a sum of a few thousand products, as a share of the largest value.
_MARGIN = 1e-12
_BITS_OF_FLOATS = 50
# Even the smallest weight of a point has so many bits: where it is off, there is less of the point in other beliefs.
_WEIGHT_BITS = 34
# Weights that are smaller still are left out.
_LEAST_WEIGHT = 2.0**-900
_MOST_SWEEPS = 20_000
_LONGEST = 1e7
_ROOM = 0.1


def prove_bounds(
    problem: StochasticProblem[Any, Any, Any],
    result: PolicyResult[Any, Any],
    budget: Budget,
    observer: Observer | None = None,
) -> tuple[PolicyResult[Any, Any], dict[str, Json] | str]:
    """A result with a policy graph and bounds that can be proved, and the proof; or why there is none, as text.

    The policy graph is a proof of the lower bound. Raises `LimitReached` within a budget.
    """
    policy: Any = result.policy
    if policy is not None and policy.steps is not None:
        return result, (
            "with a horizon the policy proves what it attains, once it is saved; that none attains more is "
            "worked out exactly, but not written as a proof"
        )
    if not isinstance(result.found, FoundBounds) or result.policy is None:
        return result, "a proof needs planes and points, and a policy, which this search did not find"
    model = pomdp_model(problem, budget, observer)
    arrays = arrays_of(model)
    graph: Any = result.policy
    plan = policy_graph_plan(graph, problem)
    game = PomdpOfFile(problem, plan, budget.tick)
    try:
        attained = game.lower()
    except DoesNotHoldError as failure:
        return result, f"the values of the policy do not hold exactly: {failure}"
    proved = _upper_proof(problem, game, model, arrays, result.found, budget.tick)
    if proved is None:
        return result, "no proof that was tried holds exactly"
    proof, upper = proved
    value = None if result.value is None else whole(attained)
    return evolve(result, value=value, lower_bound=whole(attained), upper_bound=whole(upper)), proof


def _upper_proof(
    problem: StochasticProblem[Any, Any, Any],
    game: PomdpOfFile,
    model: PomdpModel[Any, Any, Any],
    arrays: PomdpArrays,
    found: FoundBounds,
    tick: Callable[[], None],
) -> tuple[dict[str, Json], Fraction] | None:
    """A proof of the upper bound that was found, in the numbers of a game, and what it proves; None if none holds."""
    if found.shown is not None:
        try:
            by_graph = GraphProof(problem, game, model, found, tick).proof()
            return by_graph, game.planes(by_graph)[0]
        except InvalidProofError:
            return None
    makers: list[Callable[[], _Maker]] = [partial(_Maker, model, arrays, found, looser, tick) for looser in _LOOSER]
    numbers = arrays.rewards.size + sum(len(states) for states, _, _ in found.points)
    if model.exact and numbers <= _MOST_FRACTIONS:
        makers.insert(0, partial(_FractionMaker, model, arrays, found, 1, tick))
    for maker in makers:
        try:
            proof = maker().proof(problem, game.plan)
            upper, table = game.planes(proof)
            return _with_shares(proof, game, table), upper
        except InvalidProofError:
            continue
    return None


def _with_shares(proof: dict[str, Json], game: PomdpOfFile, table: Mapping[str, Any]) -> dict[str, Json]:
    """Write beside each witness which share of it counts, as the table has it, so that no checker need ask."""
    lists: Any = proof["actions"], game.plan["percepts"], proof["points"]
    actions = [game.listed.actions[json.dumps(action)] for action in lists[0]]
    percepts = [game.listed.percepts[json.dumps(percept)] for percept in lists[1]]
    for (_, _, witnesses), (_, _, hinted) in zip(lists[2], table["points"], strict=True):
        found = {(a, o): witness for a, o, witness in hinted}
        for triple in witnesses:
            triple[2] = found.get((actions[triple[0]], percepts[triple[1]]), BY_PLANES)
    return proof


class _Maker:
    """One attempt: planes and points, in floats that are whole numbers over a unit."""

    def __init__(
        self,
        model: PomdpModel[Any, Any, Any],
        arrays: PomdpArrays,
        found: FoundBounds,
        looser: int,
        tick: Callable[[], None],
    ) -> None:
        self._model = model
        self._arrays = arrays
        self._tick = tick
        self._joint = JointRows.of(arrays)
        self._applies = arrays.rewards > -1e29
        known = found.planes[self._applies & np.isfinite(found.planes)]
        worths = np.array([value for _, _, value in found.points if math.isfinite(value)])
        numbers = np.abs(np.concatenate([known, worths]))
        self._scale = float(numbers.max(initial=0)) or 1.0
        self._margin = _MARGIN * self._scale * looser
        self._left = self._actions_left()
        longest = 1.0 if self._left is None else float(self._left.max(initial=1.0))
        wanted = math.ceil(math.log2(4 * longest / (_LOSS * self._scale)))
        self._bits = max(0, min(wanted, _BITS_OF_FLOATS - math.ceil(math.log2(self._scale * 2 + 1))))
        self._unit = 2.0**self._bits
        lowest = float(known.min(initial=0))
        planes = np.where(np.isfinite(found.planes), found.planes, lowest)
        self._planes = self._raised_planes(np.where(self._applies, planes, NEVER))
        self._weights: list[list[int]] = []
        beliefs, values = self._rounded_points(found)
        masked = np.where(self._applies, self._planes, -np.inf)
        self._points = Points(arrays, masked, beliefs, values)

    def proof(self, problem: Any, plan: Mapping[str, Any]) -> dict[str, Json]:
        """The proof, in the numbers of the lists in a plan."""
        order, shown = self._closure()
        values = self._raised_points(order, shown)
        self._settle_unit(values[order])
        state_number = {json.dumps(state): number for number, state in enumerate(plan["states"])}
        percept_number = {json.dumps(percept): number for number, percept in enumerate(plan["percepts"])}
        states = [state_number[json.dumps(encode_state(problem, state))] for state in self._model.states]
        percepts = [percept_number[json.dumps(encode_percept(problem, percept))] for percept in self._model.percepts]
        planes: list[Json] = []
        for action in range(self._arrays.A):
            plane: list[Json] = [None] * self._arrays.S
            for state in np.flatnonzero(self._applies[action]).tolist():
                plane[states[state]] = self._whole(self._planes[action, state])
            planes.append(plane)
        place_of = {point: place for place, point in enumerate(order)}
        points: list[Json] = []
        for point in order:
            numbers = self._points.beliefs[point][0].tolist()
            written: list[Json] = [
                [states[state], weight] for state, weight in zip(numbers, self._weights[point], strict=True)
            ]
            witnesses: list[Json] = [
                [action, percepts[percept], place_of.get(witness, witness)]
                for action, found in shown[point].items()
                for percept, witness in found.witnesses
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

    def _settle_unit(self, values: Floats) -> None:
        """Choose the unit, if it is not known yet."""

    def _unit_number(self) -> int:
        return int(self._unit)

    def _whole(self, value: float) -> int:
        return round(value * self._unit)

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
        by_group = (self._joint.matrix() @ planes.T).max(axis=1, initial=NEVER)
        found: Floats = self._joint.rewards + self._joint.discount * self._joint.summed(by_group)
        return np.where(self._applies & (found > RULED_OUT), found, -np.inf)

    def _raised_planes(self, planes: Floats) -> Floats:
        """Planes that say no less than what may follow, with room for rounding where there is any."""
        missed = max(0.0, float((self._after(planes) - planes)[self._applies].max(initial=0)))
        step = (missed * (1 + _ROOM) + self._margin + 2 / self._unit) / (1 - _ROOM)
        if self._left is not None:
            raised = self._up(planes + step * self._left)
            return np.where(self._applies, raised, NEVER)
        if self._costs() and (planes[self._applies] <= 0).all():
            raised = self._up(planes * (1 - step / self._costs()))
            return np.where(self._applies, raised, NEVER)
        raised = np.where(self._applies, self._up(planes), NEVER)
        for _ in range(_MOST_SWEEPS):
            self._tick()
            # What is too low by less is a rounding.
            more = np.maximum(raised, self._up(self._after(raised) - 1e-3 / self._unit))
            if (more == raised).all():
                break
            raised = more
        return raised

    def _rounded_points(self, found: FoundBounds) -> tuple[list[tuple[Integers, Floats]], Floats]:
        """The points with whole weights, which are kept, as probabilities, and their values."""
        beliefs, values = [], []
        for states, weights, value in found.points:
            kept = weights >= _LEAST_WEIGHT
            if math.isfinite(value) and kept.any():
                whole = self._whole_weights(weights[kept].tolist())
                total = sum(whole)
                beliefs.append((np.asarray(states, np.int64)[kept], np.array([weight / total for weight in whole])))
                self._weights.append(whole)
                values.append(value)
        return beliefs, np.array(values, np.float64)

    def _whole_weights(self, weights: Sequence[float]) -> list[int]:
        bits = _WEIGHT_BITS - math.floor(math.log2(min(weights)))
        return [round(Fraction(weight) * 2**bits) for weight in weights]

    def _closure(self) -> tuple[list[int], dict[int, Mapping[int, ShownAction]]]:
        """The points that are needed, the one for the start first, and how each is shown."""
        points, start = self._points, self._arrays.start
        order: list[int] = []
        met: set[int] = set()

        def need(numbers: Sequence[int]) -> None:
            for number in numbers:
                if number not in met:
                    met.add(number)
                    order.append(number)

        if start.any():
            worth, allowed = points.worth_of(start)
            witness = points.best(start, worth, allowed)[1]
            need(points.needed_by_corners(start) if witness == BY_CORNERS else [witness] * (witness != BY_PLANES))
        shown: dict[int, Mapping[int, ShownAction]] = {}
        for point in order:  # grows while it is walked
            shown[point] = dict(points.shown(point, self._tick))
            for action, found in shown[point].items():
                need([witness for _, witness in found.witnesses if witness >= 0])
                by_corners = [percept for percept, witness in found.witnesses if witness == BY_CORNERS]
                if by_corners:
                    children = points.children(point, action)
                    for percept in by_corners:
                        need(points.needed_by_corners(children[percept]))
        return order, shown

    def _raised_points(self, order: Sequence[int], shown: Mapping[int, Mapping[int, ShownAction]]) -> Floats:
        """Values of the points that are no less than what their actions are worth, with room for rounding."""
        values = self._points.values

        def worth(point: int, values: Floats) -> float:
            ways = shown[point].values()
            return max(
                (way.fixed + sum(share * values[other] for share, other in way.shares) for way in ways),
                default=-math.inf,
            )

        missed = max([0.0, *(worth(point, values) - values[point] for point in order)])
        step = (missed * (1 + _ROOM) + self._margin + 2 / self._unit) / (1 - _ROOM)
        if self._left is not None:
            left = np.array([weights @ self._left[states] for states, weights in self._points.beliefs])
            return self._up(values + step * left) if len(values) else values
        if self._costs() and (values <= 0).all():
            return self._up(values * (1 - step / self._costs()))
        raised = self._up(values)
        for _ in range(_MOST_SWEEPS):
            self._tick()
            changed = False
            for point in order:
                more = math.ceil((worth(point, raised)) * self._unit - 1e-3) / self._unit
                if more > raised[point]:
                    raised[point] = more
                    changed = True
            if not changed:
                break
        return raised


class _FractionMaker(_Maker):
    """Numbers as the simple fractions that they seem to be, without any room: then the bound may be exact."""

    def _fraction(self, value: float) -> Fraction:
        return simple_fraction(value, self._scale) or Fraction(value)

    def _raised_planes(self, planes: Floats) -> Floats:
        return planes

    def _raised_points(self, order: Sequence[int], shown: Mapping[int, Mapping[int, ShownAction]]) -> Floats:
        return self._points.values

    def _whole_weights(self, weights: Sequence[float]) -> list[int]:
        fractions = [self._fraction(weight) for weight in weights]
        unit = math.lcm(*(fraction.denominator for fraction in fractions))
        return [int(fraction * unit) for fraction in fractions]

    def _settle_unit(self, values: Floats) -> None:
        numbers = [*self._planes[self._applies].tolist(), *values.tolist()]
        self._common = math.lcm(*(self._fraction(number).denominator for number in numbers))
        if self._common.bit_length() > _MOST_BITS:
            raise InvalidProofError("its unit would be too long")

    def _unit_number(self) -> int:
        return self._common

    def _whole(self, value: float) -> int:
        return int(self._fraction(value) * self._common)
