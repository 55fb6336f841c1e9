"""What the views share whose beliefs are bit sets: the numbered states, and an allowance of work."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Generic

from ...model.problem import Action, BeliefProblem, State
from ...running.limits import Outgrown
from .bitset import chosen
from .numbered_model import NumberedModel
from .state_values import largest_cost

STEPS_OF_RESULT = 20
"""Elementary steps, about a tenth of a microsecond each, of asking the author for a result."""


class Allowance:
    """How many more elementary steps, of about a tenth of a microsecond, may be taken before `Outgrown` is raised.

    It is a thing of its own so that a model that spends of it does not refer to its view: what is dropped is then freed
    at once, and nobody need look for circles.
    """

    __slots__ = ("_tick", "left")

    def __init__(self, tick: Callable[[], None]) -> None:
        self.left: float = inf
        self._tick = tick

    def spend(self, steps: int) -> None:
        """Take so many steps."""
        self.left -= steps
        if self.left < 0:
            raise Outgrown

    def spend_and_tick(self) -> None:
        """Take the steps of asking the author for a result."""
        self.left -= STEPS_OF_RESULT
        if self.left < 0:
            raise Outgrown
        self._tick()


class IntBeliefs(Generic[State, Action]):
    """A view whose beliefs are ints, over the states of a `NumberedModel`.

    If an allowance is set, it raises `Outgrown` after that many elementary steps: a count, not a time, so that the same
    call always gives the same answer.
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

    def steps_left(self) -> float:
        """How many elementary steps may still be taken."""
        return self._allowance.left

    def is_goal(self, belief: int) -> bool:
        return self.model.is_goal(belief)

    def members(self, belief: int) -> list[State]:
        return chosen(self.model.states, belief)

    def size(self, belief: int) -> int:
        return belief.bit_count()
