"""Values of states, each computed once, and their maximum or sum over a belief."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Generic, TypeVar

from ...model.checked import checked_cost, checked_estimate, checked_potential
from ...model.hooks import PotentialHook
from ...model.problem import Action, BeliefProblem, Cost, State
from ...views.sensorless import combined_estimate
from .bitset import bit_numbers, mask_of

Value = TypeVar("Value", bound="Cost")


class StateValues(Generic[Value]):
    """Values of states, grouped by value, so that a belief is compared with a few masks instead of state by state.

    `ask` gives the value of the state of a number, and is called once for each.
    """

    __slots__ = ("_ask", "_by_value", "_known")

    def __init__(self, ask: Callable[[int], Value]) -> None:
        self._ask = ask
        self._known = 0
        self._by_value: dict[Value, int] = {}  # the states with this value, the largest first

    def largest(self, belief: int) -> Value:
        """The largest value of a member. O(width) for each value there is."""
        if belief & ~self._known:
            self._learn(belief & ~self._known)
        return next(value for value, states in self._by_value.items() if belief & states)

    def total(self, belief: int) -> Cost:
        """The sum of the members' values. O(width) for each value there is."""
        if belief & ~self._known:
            self._learn(belief & ~self._known)
        total: Cost = 0
        for value, states in self._by_value.items():
            count = (belief & states).bit_count()
            if count:  # not even an infinite value counts where it has no state
                total += value * count
        return total

    def _learn(self, unknown: int) -> None:
        numbers_of: dict[Value, list[int]] = {}
        for number in bit_numbers(unknown):
            numbers_of.setdefault(self._ask(number), []).append(number)
        for value, numbers in numbers_of.items():
            self._by_value[value] = self._by_value.get(value, 0) | mask_of(numbers)
        self._by_value = dict(sorted(self._by_value.items(), reverse=True))
        self._known |= unknown


def belief_estimate(
    problem: BeliefProblem[State, Any, Any], states: Sequence[State], tick: Callable[[], None]
) -> Callable[[int], Cost]:
    """The author's estimate of a belief, as `BeliefView.heuristic` defines it, with each state computed once."""

    def estimate(number: int) -> Cost:
        tick()
        return checked_estimate(problem, states[number])

    unit_costs = problem.has_unit_costs()
    estimates = StateValues(estimate)
    if not isinstance(problem, PotentialHook):
        return estimates.largest
    hook = problem

    def potential(number: int) -> Cost:
        tick()
        return checked_potential(hook, states[number])

    potentials = StateValues(potential)
    if not problem.has_heuristic():
        return lambda belief: combined_estimate(0, potentials.total(belief), unit_costs)
    return lambda belief: combined_estimate(estimates.largest(belief), potentials.total(belief), unit_costs)


def largest_cost(problem: BeliefProblem[State, Action, Any], states: Sequence[State]) -> Callable[[int, Action], Cost]:
    """The most that an action costs in a belief, each state asked once; raises `ProblemError` if a cost is none."""

    @cache
    def costs_of(action: Action) -> StateValues[Cost]:
        return StateValues(lambda number: checked_cost(problem, states[number], action))

    return lambda belief, action: costs_of(action).largest(belief)
