"""The view that solvers search when beliefs are bit sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from ...model.belief import no_tick
from ...model.problem import Action, BeliefProblem, Cost, Percept, State
from ...running.limits import Outgrown
from ...views.sensorless import BeliefView
from .int_beliefs import IntBeliefs
from .regression import BitsetRegression
from .state_values import belief_estimate

# Elementary steps (see `IntBeliefs`) of a transition.
_TRANSITION = 10


class BitsetView(IntBeliefs[State, Action], BeliefView[int, State, Action]):
    """A sensorless belief problem as a plain problem whose states are ints (see `NumberedModel`).

    `numbered` is called now and then with the number of states numbered so far. After `allowance` elementary steps the
    view raises `Outgrown`: the search is large enough for compiled kernels to pay.
    """

    def __init__(
        self,
        problem: BeliefProblem[State, Action, Percept],
        tick: Callable[[], None] = no_tick,
        numbered: Callable[[int], None] = lambda states: None,
        allowance: int | None = None,
    ) -> None:
        super().__init__(problem, tick)
        self._number_states(numbered)
        self.set_allowance(allowance)
        self._transitions: dict[Action, Callable[[int], int]] = {}
        self._estimates = belief_estimate(problem, self.model.states, tick)

    def initial_state(self) -> int:
        belief = self.model.initial_belief()
        self.max_belief_size = max(self.max_belief_size, belief.bit_count())
        return belief

    def actions(self, belief: int) -> Sequence[Action]:
        return self.model.actions(belief)

    def result(self, belief: int, action: Action) -> int:
        transition = self._transitions.get(action)
        if transition is None:
            transition = self._transitions[action] = self.model.transition(action)
        # Nothing is called here that can be done at once: this runs millions of times.
        allowance = self._allowance
        allowance.left -= _TRANSITION + (belief.bit_length() >> 3)
        if allowance.left < 0:
            raise Outgrown
        image = transition(belief)
        size = image.bit_count()
        if size > self.max_belief_size:
            self.max_belief_size = size
        return image

    def heuristic(self, belief: int) -> Cost:
        """The estimate by the definition, with each state's value computed once."""
        return self._estimates(belief)

    def action_cost(self, belief: int, action: Action) -> Cost:
        """The most that `action` costs in a member, with each state's cost computed once."""
        if self.problem.has_unit_costs():
            return 1
        return self._largest_cost(belief, action)

    def includes(self, large: int, small: int) -> bool:
        self._allowance.spend(2)
        return not small & ~large

    def all_actions(self) -> tuple[Action, ...]:
        return self._regression.actions

    def goal_beliefs(self) -> list[int]:
        return self._regression.goal_sets

    def preimage(self, belief: int, action: Action) -> int | None:
        return self._regression.preimage(belief, action)

    @cached_property
    def _regression(self) -> BitsetRegression[Action]:
        return BitsetRegression(self.model)
