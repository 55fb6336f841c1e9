"""Estimates of beliefs of contingent problems, by perfect sight and by the capacity of percepts.

All but the author's own need bit sets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from math import inf
from typing import Any, TypeAlias

from ..engine.bits.bitset import bit_numbers
from ..engine.bits.contingent_view import BitsetContingentView
from ..engine.bits.state_values import StateValues
from ..errors import BeliefSearchError
from ..model.checked import checked_cost, checked_estimate
from ..model.problem import Cost
from ..running.limits import TooDear
from ..solvers.and_or.graph import AndOrGraph
from ..solvers.path.estimate import maximum, no_estimate
from ..views.and_or import AndOrProblem, Outcomes
from ..views.contingent import ContingentView
from ..views.weighted import WeightedView
from .capacity import Part, capacities, expected_capacity_bound, worst_capacity_bound

Estimate: TypeAlias = "Callable[[Any], Cost]"


def own_estimate(view: ContingentView[Any, Any, Any], most_pairs: int | None = None) -> Estimate:
    """The author's estimate: the largest of a member, or the mean if states are equally likely."""
    if isinstance(view, WeightedView) or not view.problem.has_heuristic():
        return no_estimate
    if not isinstance(view, BitsetContingentView):
        # Over frozensets the largest, which is no less than a mean.
        return lambda belief: max(checked_estimate(view.problem, state) for state in view.members(belief))
    states = view.model.states
    return _over_members(view, lambda number: checked_estimate(view.problem, states[number]))


def perfect_sight(view: BitsetContingentView[Any, Any], most_pairs: int | None) -> Callable[[int], Cost]:
    """The cost for a player who sees every state, against an adversary who chooses results; admissible.

    More pairs of a state and an action than `most_pairs` raise `TooDear`.
    """
    seen = _PerfectSight(view, most_pairs)
    graph = AndOrGraph(seen, bit_numbers(view.initial_node()))
    _, cost = graph.least_costs()
    distances = {number: cost.get(place, inf) for number, place in graph.number_of.items()}
    # The graph does not go on from states that are won where they are known; of what follows it knows nothing.
    return _over_members(view, lambda number: distances.get(number, 0))


def _over_members(view: BitsetContingentView[Any, Any], ask: Callable[[int], Cost]) -> Callable[[int], Cost]:
    values = StateValues(ask)
    if not view.equally_likely:
        return values.largest

    def mean(belief: int) -> Cost:
        total = values.total(belief)
        return total if total == inf else Fraction(total) / belief.bit_count()

    return mean


class _PerfectSight(AndOrProblem[int, Any]):
    """The AND-OR problem of a player who sees every state: each result is an outcome of its own."""

    def __init__(self, view: BitsetContingentView[Any, Any], most_pairs: int | None) -> None:
        self._view = view
        self._left = inf if most_pairs is None else most_pairs

    def initial_node(self) -> int:
        raise NotImplementedError("there are several: the roots of the graph")

    def is_goal(self, number: int) -> bool:
        return self._view.is_goal(1 << number)

    def actions(self, number: int) -> Iterable[Any]:
        return self._view.model.actions(1 << number)

    def outcomes(self, number: int, action: Any) -> Outcomes[int]:
        self._left -= 1
        if self._left < 0:
            raise TooDear
        return tuple((result, result) for result in dict.fromkeys(self._view.model.results(number, action)))

    def action_cost(self, number: int, action: Any) -> Cost:
        problem = self._view.problem
        return 1 if problem.has_unit_costs() else checked_cost(problem, self._view.model.states[number], action)

    def has_unit_costs(self) -> bool:
        return self._view.has_unit_costs()


def capacity(view: BitsetContingentView[Any, Any], most_pairs: int | None) -> Callable[[int], Cost]:
    """How many actions it takes at least to tell states apart as far as the goal requires.

    Raises `TooDear` if there are more pairs of a state and an action than `most_pairs`, or the problem is not of the
    sort for which this says anything: all costs 1, and the same actions in every state.
    """
    problem = view.problem
    universe = view.initial_node()
    if view.is_goal(universe):
        return no_estimate
    if not problem.has_unit_costs():
        raise TooDear
    asked = 0  # in all rounds, of which there may be as many as states
    while True:
        members = view.members(universe)
        if any(problem.actions(state) != problem.actions(members[0]) for state in members):
            raise TooDear
        actions: list[list[Part]] = []
        larger = universe
        tried = tuple(view.actions(universe))
        asked += len(members) * len(tried)
        if most_pairs is not None and asked > most_pairs:
            raise TooDear
        for action in tried:
            parts = list(view.parts(universe, action))
            actions.append([_part(view, action, part, image, moves=moves) for part, image, moves in parts])
            for _, image, _ in parts:
                if not view.is_goal(image):
                    larger |= image
        if larger == universe:
            break
        universe = larger
    found = capacities(actions, len(members))
    bound = expected_capacity_bound if view.equally_likely else worst_capacity_bound
    by_size = [0, *(bound(size, found) for size in range(1, len(members) + 1))]
    return lambda belief: by_size[belief.bit_count()]


def _part(view: BitsetContingentView[Any, Any], action: Any, part: int, image: int, *, moves: bool) -> Part:
    merging = 1
    if moves:  # even if the image is the part itself: of several results some may be shared
        results: Counter[int] = Counter()
        for number in bit_numbers(part):
            results.update(set(view.model.results(number, action)))
        merging = max(results.values())
    return Part(part.bit_count(), view.is_goal(image), view.most_won(image), merging)


# An estimate is affordable if it asks about no more pairs of a state and an action: some seconds' worth for what
# percepts can tell, without which a search that they matter to is hopeless, and a second's for perfect sight.
_AFFORDABLE: Mapping[Callable[[Any, int | None], Estimate], int] = {perfect_sight: 200_000, capacity: 1_000_000}


def best(view: ContingentView[Any, Any, Any], most_pairs: int | None) -> Estimate:
    """The largest of all that are affordable."""
    found = [own_estimate(view)] if view.problem.has_heuristic() else []
    for make, affordable in _AFFORDABLE.items():
        with suppress(TooDear):
            found.append(make(view, affordable))
    return maximum(found) if found else no_estimate


def capacity_if_it_applies(view: BitsetContingentView[Any, Any], most_pairs: int | None) -> Estimate:
    """`capacity`, for somebody who named it; refused where it says nothing."""
    try:
        return capacity(view, most_pairs)
    except TooDear:
        raise BeliefSearchError(
            "the heuristic capacity needs costs of 1 and the same actions in every state; choose another"
        ) from None
