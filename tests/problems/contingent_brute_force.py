"""Brute force for small puzzles with percepts and their hooks: the oracle, which shares no code with the solvers."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any, TypeAlias

from ..contingent_problems import ActionsOf, Belief, is_won, outcomes, price, shared_actions, worst_costs

ClassOf: TypeAlias = Callable[[Belief], Hashable]


def actions_in(problem: Any, belief: Belief, actions_of: ActionsOf | None) -> list[Any]:
    """Those that the hook names, or all of them."""
    named = None if actions_of is None else actions_of(belief)
    return shared_actions(problem, belief) if named is None else list(named)


def least_worst_cost(problem: Any, belief: Belief | None = None, actions_of: ActionsOf = lambda belief: None) -> float:
    """The least cost in the worst case; infinite if nothing is certain to win."""
    start = frozenset(problem.initial_states()) if belief is None else belief
    least: float = worst_costs(problem, [start], actions_of)[start]
    return least


def least_total_cost(problem: Any, actions_of: ActionsOf | None = None, class_of: ClassOf | None = None) -> float:
    """The least sum of the costs over all starts, for problems in which each start leads to one state."""
    known: dict[Hashable, float] = {}

    def total(belief: Belief) -> float:
        key = class_of(belief) if class_of else belief
        if key not in known:
            known[key] = 0 if is_won(problem, belief) else min(map(total_after(belief), ways(belief)))
        return known[key]

    def ways(belief: Belief) -> list[tuple[Any, list[Belief]]]:
        found = [(a, list(outcomes(problem, belief, a).values())) for a in actions_in(problem, belief, actions_of)]
        # What leaves the belief as it is can be left out of a plan.
        return [(action, following) for action, following in found if following != [belief]]

    def total_after(belief: Belief) -> Callable[[tuple[Any, list[Belief]]], float]:
        return lambda way: sum(problem.action_cost(s, way[0]) for s in belief) + sum(map(total, way[1]))

    return total(frozenset(problem.initial_states()))


class WithinCost:
    """Whether the player is certain to win within a cost: depth first, and each answer kept by class of belief."""

    def __init__(self, problem: Any, actions_of: ActionsOf | None = None, class_of: ClassOf | None = None) -> None:
        self.problem = problem
        self.actions_of = actions_of
        self.class_of = class_of or (lambda belief: belief)
        self.enough: dict[Hashable, float] = {}
        self.too_little: dict[Hashable, float] = {}

    def wins(self, belief: Belief, budget: float) -> bool:
        if is_won(self.problem, belief):
            return True
        key = self.class_of(belief)
        if budget >= self.enough.get(key, math.inf):
            return True
        if budget <= self.too_little.get(key, -math.inf):
            return False
        if self._some_action_wins(belief, budget):
            self.enough[key] = budget
            return True
        self.too_little[key] = budget
        return False

    def _some_action_wins(self, belief: Belief, budget: float) -> bool:
        for action in actions_in(self.problem, belief, self.actions_of):
            rest = budget - price(self.problem, belief, action)
            if rest < 0:
                continue
            following = outcomes(self.problem, belief, action).values()
            if all(other != belief and self.wins(other, rest) for other in sorted(following, key=len, reverse=True)):
                return True
        return False

    def least(self, most: int) -> float:
        """The least cost, in whole numbers up to `most`; infinite if that is not enough."""
        start = frozenset(self.problem.initial_states())
        return next((budget for budget in range(most + 1) if self.wins(start, budget)), math.inf)


def with_hooks(problem: Any) -> WithinCost:
    """The same, with the puzzle's own hooks."""
    return WithinCost(problem, getattr(problem, "distinct_actions", None), getattr(problem, "belief_class", None))
