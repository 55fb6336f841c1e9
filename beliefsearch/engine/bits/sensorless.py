"""The view that solvers search when beliefs are bit sets, and what the contingent view shares with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from typing import Any, Generic

from ...belief_space.sensorless import BeliefView
from ...model.base import Action, Cost, Percept, State
from ...model.belief import no_tick
from ...model.problem import BeliefProblem
from ...model.reachability import merged_order
from ...running.limits import EffortExceeded
from .bitset import TransitionTable, belief_estimate, chosen, largest_cost, mask_of
from .numbered_model import NumberedModel, explore

STEPS_OF_RESULT = 20
"""Elementary steps, about a tenth of a microsecond each, of asking the author for a result."""


class Allowance:
    """Elementary steps, of about a tenth of a microsecond, that may be taken before `EffortExceeded` is raised.

    It is a thing of its own so that a model that spends of it does not refer to its view: what is dropped is then freed
    at once, and nobody need look for circles.
    """

    __slots__ = ("_tick", "left")

    def __init__(self, tick: Callable[[], None], left: float = inf) -> None:
        self.left = left
        self._tick = tick

    def spend(self, steps: int) -> None:
        """Take so many steps."""
        self.left -= steps
        if self.left < 0:
            raise EffortExceeded

    def spend_and_tick(self) -> None:
        """Take the steps of asking the author for a result."""
        self.left -= STEPS_OF_RESULT
        if self.left < 0:
            raise EffortExceeded
        self._tick()


class IntBeliefs(Generic[State, Action]):
    """A view whose beliefs are ints, over the states of a `NumberedModel`.

    If an allowance is set, it raises `EffortExceeded` after that many elementary steps: a count, not a time, so that
    the same call always gives the same answer.
    """

    problem: BeliefProblem[State, Action, Any]
    max_belief_size: int
    _tick: Callable[[], None]

    def _number_states(self, numbered: Callable[[int], None]) -> None:
        """Begin to number the states; `numbered` is called now and then with how many there are so far."""
        self._allowance = Allowance(self._tick)
        self.model = NumberedModel[State, Action](self.problem, self._allowance.spend_and_tick, numbered)
        self._largest_cost = largest_cost(self.problem, self.model.states)

    def set_allowance(self, allowance: int | None) -> None:
        """Allow the view this many more elementary steps; None for no limit."""
        self._allowance.left = inf if allowance is None else allowance

    def spend(self, steps: int) -> None:
        """Take so many elementary steps, and look at the limits."""
        self._allowance.spend(steps)
        self._tick()

    def steps_left(self) -> float:
        """Return the number of elementary steps that may still be taken."""
        return self._allowance.left

    def is_goal(self, belief: int) -> bool:
        return self.model.is_goal(belief)

    def members(self, belief: int) -> list[State]:
        return chosen(self.model.states, belief)

    def size(self, belief: int) -> int:
        return belief.bit_count()


class BitsetRegression(Generic[Action]):
    """The backward transitions of a problem, over all its states, which are numbered now."""

    def __init__(self, model: NumberedModel[Any, Action]) -> None:
        transitions = explore(model, model.results)
        count = len(model.states)
        self.actions = merged_order(model.action_lists(range(count)))
        self.goal_sets = [mask_of(members) for members in model.goal_members if members]
        self._universe = (1 << count) - 1
        self._applicable = {action: mask_of(rows) for action, rows in transitions.items()}
        self._causes = {action: _causes(rows, count) for action, rows in transitions.items()}

    def preimage(self, belief: int, action: Action) -> int | None:
        """Return the states in which `action` applies and none of whose results lies outside `belief`."""
        outside = self._universe & ~belief
        astray = self._causes[action](outside) if outside else 0
        return self._applicable[action] & ~astray or None


def _causes(rows: dict[int, tuple[int, ...]], count: int) -> Callable[[int], int]:
    """Return the function from a set to the states with some result in it."""
    causes: list[list[int]] = [[] for _ in range(count)]
    for state, results in rows.items():
        for result in results:
            causes[result].append(state)
    # A table has no empty images, so a state that is nobody's result is given a bit beyond all states.
    return TransitionTable(lambda number: mask_of(causes[number]) or 1 << count).image


# Elementary steps (see `IntBeliefs`) of a transition.
_TRANSITION = 10


class BitsetView(IntBeliefs[State, Action], BeliefView[int, State, Action]):
    """A sensorless belief problem as a plain problem whose states are ints (see `NumberedModel`).

    `numbered` is called now and then with the number of states numbered so far. After `allowance` elementary steps the
    view raises `EffortExceeded`: the search is large enough for compiled kernels to pay.
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
            raise EffortExceeded
        image = transition(belief)
        size = image.bit_count()
        if size > self.max_belief_size:
            self.max_belief_size = size
        return image

    def heuristic(self, belief: int) -> Cost:
        return self._estimates(belief)

    def action_cost(self, belief: int, action: Action) -> Cost:
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
