"""Heuristics for beliefs of contingent problems: full observability, information bound and pairs of states.

All but the author's own need bit sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import chain
from math import inf
from typing import Any, TypeAlias

from ..belief_space.contingent import ContingentView, WeightedView
from ..engine.bits.bitset import StateValues, bit_numbers
from ..engine.bits.contingent import BitsetContingentView
from ..errors import BeliefSearchError
from ..model.base import Cost
from ..model.checked import checked_cost, checked_estimate
from ..running.lazy import loaded_when_called
from ..running.limits import TooDear
from ..solvers.path.distance_table import costs_to_go
from ..solvers.path.heuristic import maximum, no_estimate
from .percept_information import capacity

Estimate: TypeAlias = "Callable[[Any], Cost]"

_observed_pairs = loaded_when_called(__package__, ".pairwise_table:ObservedPairs")


def own_estimate(view: ContingentView[Any, Any, Any], most_pairs: int | None = None) -> Estimate:
    """Return the author's heuristic: the largest estimate of a member, or the mean if states are equally likely."""
    if isinstance(view, WeightedView) or not view.problem.has_heuristic():
        return no_estimate
    if not isinstance(view, BitsetContingentView):
        # Expected costs have a `WeightedView`, so this is about the worst case.
        return lambda belief: max(checked_estimate(view.problem, state) for state in view.members(belief))
    states = view.model.states
    return _over_members(view, lambda number: checked_estimate(view.problem, states[number]))


def perfect_sight(view: BitsetContingentView[Any, Any], most_pairs: int | None) -> Callable[[int], Cost]:
    """Return the heuristic: the cost for a player who sees the state, against an adversary who chooses results.

    More pairs of a state and an action than `most_pairs` raise `TooDear`.
    """
    left = inf if most_pairs is None else most_pairs
    problem, model = view.problem, view.model
    reached = dict.fromkeys(bit_numbers(view.initial_node()))
    numbers, goals, edges = [*reached], [], []
    for number in numbers:  # grows while it is walked
        if view.is_goal(1 << number):
            goals.append(number)
            continue
        for action in model.actions(1 << number):
            left -= 1
            if left < 0:
                raise TooDear
            cost = 1 if problem.has_unit_costs() else checked_cost(problem, model.states[number], action)
            for result in dict.fromkeys(model.results(number, action)):
                edges.append((number, result, action, cost))
                if result not in reached:
                    reached[result] = None
                    numbers.append(result)
    distances = costs_to_go(goals, edges)
    # States reachable only through goals were not explored: their bound is 0.
    return _over_members(view, lambda number: distances.get(number, inf if number in reached else 0))


def _over_members(view: BitsetContingentView[Any, Any], ask: Callable[[int], Cost]) -> Callable[[int], Cost]:
    values = StateValues(ask)
    if not view.equally_likely:
        return values.largest

    def mean(belief: int) -> Cost:
        total = values.total(belief)
        return total if total == inf else Fraction(total) / belief.bit_count()

    return mean


def _pairs(view: BitsetContingentView[Any, Any], most_pairs: int | None) -> Estimate:
    """Return the heuristic: the cost to win from two members without knowing the true one (see `PairTable`)."""
    if view.equally_likely:
        raise TooDear  # it bounds the worst case
    estimate: Estimate = _observed_pairs(view, most_pairs)
    return estimate


# The most pairs of a state and an action for which a heuristic is affordable: a second's worth; several seconds' worth
# for the information bound, without which searches that need it are hopeless.
_AFFORDABLE: Mapping[Callable[[Any, int | None], Estimate], int] = {
    _pairs: 200_000,
    perfect_sight: 200_000,
    capacity: 1_000_000,
}
# Kernels for pairs are worth loading for a search that takes more elementary steps than this; or than the second
# number if the other heuristics say nothing.
_LOADED = 10_000_000
_LOADED_IF_BLIND = 5_000_000


def best(view: ContingentView[Any, Any, Any], allowance: int | None) -> Estimate:
    """Return the maximum of all affordable heuristics; without pairs for a search of few elementary steps."""
    found = [own_estimate(view)] if view.problem.has_heuristic() else []
    if not isinstance(view, BitsetContingentView):
        return maximum(found) if found else no_estimate
    pairs = None
    if allowance is None or allowance >= _LOADED or (allowance >= _LOADED_IF_BLIND and _is_blind(view, found)):
        pairs = _made(view, _pairs)
        if pairs is not None and pairs(view.initial_node()) == inf:
            return pairs
    # The bound by pairs is at least that by single states.
    others = [_made(view, capacity), pairs or _made(view, perfect_sight)]
    found += [estimate for estimate in others if estimate is not None]
    return maximum(found) if found else no_estimate


def _is_blind(view: BitsetContingentView[Any, Any], found: Iterable[Estimate]) -> bool:
    """Whether all heuristics but pairs are at most 1 at the start."""
    others = (_made(view, make) for make in (perfect_sight, capacity))
    estimates = (estimate for estimate in chain(found, others) if estimate is not None)
    return all(estimate(view.initial_node()) <= 1 for estimate in estimates)


def _made(view: BitsetContingentView[Any, Any], make: Callable[[Any, int | None], Estimate]) -> Estimate | None:
    """Return the heuristic, made once for each view; None if it is not affordable."""
    if make not in view.estimates:
        try:
            view.estimates[make] = make(view, _AFFORDABLE[make])
        except TooDear:
            view.estimates[make] = None
    found: Estimate | None = view.estimates[make]
    return found


def pairs_if_they_apply(view: BitsetContingentView[Any, Any], most_pairs: int | None) -> Estimate:
    """Return the heuristic by pairs; raise an error that names its conditions if they do not hold."""
    try:
        return _pairs(view, most_pairs)
    except TooDear:
        raise BeliefSearchError(
            "the heuristic pairwise needs the worst-case cost, costs with a small common denominator, and not too many "
            "pairs of states; choose another"
        ) from None
