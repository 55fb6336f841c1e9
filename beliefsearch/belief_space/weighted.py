"""Beliefs with weighted states, for expected costs over equally likely starts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from math import gcd
from typing import Any, TypeAlias, TypeVar

from ..errors import ProblemError
from ..model.base import Action, Cost, State
from ..model.belief import initial_states, is_goal_belief, no_tick, perceived, successors
from ..model.checked import checked_cost
from ..model.problem import BeliefProblem
from .and_or import Outcomes
from .contingent import ContingentView

_Value = TypeVar("_Value")

Weighted: TypeAlias = frozenset[tuple[State, int]]
"""States with their weights, whole numbers without a common divisor."""


class WeightedView(ContingentView[Weighted[State], State, Action]):
    """Beliefs whose states have weights: how many of the equally likely starts have led to each.

    Raises `ProblemError` where an action has several results, or a state several percepts: only the start is a matter
    of chance.
    """

    def initial_node(self) -> Weighted[State]:
        weights: dict[State, int] = {}
        for state in dict.fromkeys(initial_states(self.problem, self._tick)):
            representative = self.problem.canonical(state)
            weights[representative] = weights.get(representative, 0) + 1
        return self._normalised(weights)

    def is_goal(self, belief: Weighted[State]) -> bool:
        return is_goal_belief(self.problem, frozenset(state for state, _ in belief))

    def outcomes(self, belief: Weighted[State], action: Action) -> Outcomes[Weighted[State]]:
        branches = self._branches(belief, action)
        return self._in_order({percept: self._normalised(weights) for percept, weights in branches.items()})

    def shares(
        self, belief: Weighted[State], action: Action, outcomes: Outcomes[Weighted[State]]
    ) -> tuple[Fraction, ...]:
        branches = self._branches(belief, action)
        total = sum(weight for _, weight in belief)
        return tuple(Fraction(sum(branches[percept].values()), total) for percept, _ in outcomes)

    def _branches(self, belief: Weighted[State], action: Action) -> dict[Any, dict[State, int]]:
        branches: dict[Any, dict[State, int]] = {}
        for state, weight in belief:
            result = only_result(self.problem, state, action, self._tick)
            weights = branches.setdefault(only_percept(self.problem, action, result), {})
            representative = self.problem.canonical(result)
            weights[representative] = weights.get(representative, 0) + weight
        return branches

    def action_cost(self, belief: Weighted[State], action: Action) -> Cost:
        """The mean cost of the action over the belief."""
        if self.problem.has_unit_costs():
            return 1
        total = sum(weight for _, weight in belief)
        costs = ((weight, checked_cost(self.problem, state, action)) for state, weight in belief)
        return sum((Fraction(weight, total) * Fraction(cost) for weight, cost in costs), Fraction(0))

    def size(self, belief: Weighted[State]) -> int:
        return len(belief)

    def members(self, belief: Weighted[State]) -> list[State]:
        return sorted((state for state, _ in belief), key=repr)

    def class_of(self, belief: Weighted[State]) -> Hashable:
        # Symmetries are promised for sets of states; where weights differ they need not hold.
        if len({weight for _, weight in belief}) > 1:
            return belief
        return super().class_of(belief)

    def _distinct_actions(self, belief: Weighted[State]) -> Iterable[Action] | None:
        return None if len({weight for _, weight in belief}) > 1 else super()._distinct_actions(belief)

    def _normalised(self, weights: dict[State, int]) -> Weighted[State]:
        divisor = gcd(*weights.values())
        self.max_belief_size = max(self.max_belief_size, len(weights))
        return frozenset((state, weight // divisor) for state, weight in weights.items())


def only_result(
    problem: BeliefProblem[State, Action, Any], state: State, action: Action, tick: Callable[[], None] = no_tick
) -> State:
    """The one result of `action` in `state`; a `ProblemError` if there are several."""
    results = set(successors(problem, state, action, tick))
    return _only(results, "results", problem, state, action)


def only_percept(problem: BeliefProblem[State, Action, Any], action: Action, state: State) -> Any:
    """The one percept of `state` after `action`; a `ProblemError` if there are several."""
    return _only(set(perceived(problem, state, action)), "percepts", problem, state, action)


def _only(
    found: set[_Value], what: str, problem: BeliefProblem[State, Action, Any], state: State, action: Action
) -> _Value:
    """The one value that was found, or an error that says how many results or percepts there are."""
    if len(found) > 1:
        raise ProblemError(
            f"action {problem.format_action(action)} has {len(found)} {what} in {problem.format_state(state)}; "
            "the expected cost is for problems in which only the start is uncertain: use the worst case, or if all is "
            "equally likely solve Uniform(problem) from Python"
        )
    return found.pop()
