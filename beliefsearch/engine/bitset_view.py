"""The view that solvers search when beliefs are bit sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..belief import no_tick
from ..problem import Action, BeliefProblem, Percept, State
from ..views import BeliefView
from .bitset import bit_numbers
from .bitset_regression import BitsetRegression
from .numbered_model import NumberedModel
from .state_values import belief_estimate, largest_cost

if TYPE_CHECKING:
    from ..problem import Cost

__all__ = ["BitsetView"]


class BitsetView(BeliefView[int, State, Action]):
    """A sensorless belief problem as a plain problem whose states are ints (see `NumberedModel`).

    Parameters
    ----------
    problem, tick
        As for `BeliefView`.
    numbered
        Told how many states have been numbered, now and then.
    """

    def __init__(
        self,
        problem: BeliefProblem[State, Action, Percept],
        tick: Callable[[], None] = no_tick,
        numbered: Callable[[int], None] = lambda states: None,
    ) -> None:
        super().__init__(problem, tick)
        self.model = NumberedModel[State, Action](problem, tick, numbered)
        self._transitions: dict[Action, Callable[[int], int]] = {}
        self._estimates = belief_estimate(problem, self.model.states, tick)
        self._costs: dict[Action, Callable[[int], Cost]] = {}

    def initial_state(self) -> int:
        return self._measured(self.model.initial_belief())

    def actions(self, belief: int) -> Sequence[Action]:
        return self.model.actions(belief)

    def result(self, belief: int, action: Action) -> int:
        transition = self._transitions.get(action)
        if transition is None:
            transition = self._transitions[action] = self.model.transition(action)
        return self._measured(transition(belief))

    def _measured(self, belief: int) -> int:
        size = belief.bit_count()
        if size > self.max_belief_size:
            self.max_belief_size = size
        return belief

    def is_goal(self, belief: int) -> bool:
        return self.model.is_goal(belief)

    def heuristic(self, belief: int) -> Cost:
        """As defined, but each state is asked once."""
        return self._estimates(belief)

    def action_cost(self, belief: int, action: Action) -> Cost:
        """The most that `action` costs in a member; each state is asked once."""
        if self.problem.has_unit_costs():
            return 1
        costs = self._costs.get(action)
        if costs is None:
            costs = self._costs[action] = largest_cost(self.problem, self.model.states, action)
        return costs(belief)

    def members(self, belief: int) -> list[State]:
        states = self.model.states
        return [states[number] for number in bit_numbers(belief)]

    def includes(self, large: int, small: int) -> bool:
        return not small & ~large

    def size(self, belief: int) -> int:
        return belief.bit_count()

    def all_actions(self) -> tuple[Action, ...]:
        return self._regression.actions

    def goal_sets(self) -> list[int]:
        return self._regression.goal_sets

    def preimage(self, belief: int, action: Action) -> int | None:
        return self._regression.preimage(belief, action)

    @cached_property
    def _regression(self) -> BitsetRegression[Action]:
        return BitsetRegression(self.model)
