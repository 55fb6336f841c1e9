"""Estimates of beliefs where there are percepts: what a player pays who sees all, and how much percepts can tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

from ..engine.bits.bitset import bit_numbers
from ..engine.bits.contingent_view import BitsetContingentView
from ..engine.bits.state_values import StateValues
from ..model.checked import checked_cost, checked_estimate
from ..running.limits import TooDear
from ..solvers.and_or.graph import AndOrGraph
from ..solvers.path.estimate import no_estimate
from ..views.and_or import AndOrProblem, Outcomes
from .capacity import Part, capacities, expected_capacity_bound, worst_capacity_bound

if TYPE_CHECKING:
    from ..model.problem import Cost

__all__ = ["capacity", "own_estimate", "perfect_sight"]


def own_estimate(view: BitsetContingentView[Any, Any]) -> Callable[[int], Cost]:
    """The author's estimates: the largest of a member, or the mean where they are equally likely."""
    states = view.model.states
    return _over_members(view, lambda number: checked_estimate(view.problem, states[number]))


def perfect_sight(view: BitsetContingentView[Any, Any], most_pairs: int | None) -> Callable[[int], Cost]:
    """What it costs a player who sees every state, against an adversary who chooses results. Never too high.

    Raises
    ------
    TooDear
        If there are more pairs of a state and an action than `most_pairs`.
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
    """The numbered states as nodes: the player sees what follows, so every result is an outcome of its own."""

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
    """How many actions it takes to tell the states of a belief apart, as far as the goal needs that.

    Raises
    ------
    TooDear
        If there are more pairs of a state and an action than `most_pairs`, or the problem is not of the sort for
        which this says anything: all costs 1, and the same actions in every state.
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
        for action in view.actions(universe):
            asked += len(members)
            if most_pairs is not None and asked > most_pairs:
                raise TooDear
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
