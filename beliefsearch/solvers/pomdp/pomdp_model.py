"""A partially observable stochastic problem with numbered states, actions and percepts, for the solvers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeAlias

from attrs import frozen

from ...model.base import Action, Number, Percept, State

Row: TypeAlias = "tuple[tuple[int, Number], ...]"
"""Pairs of a number and a probability above 0, each number once."""


@frozen(eq=False, repr=False)
class PomdpModel(Generic[State, Action, Percept]):
    """All that a solver needs to know of a problem; nothing here makes use of `canonical`.

    The `states` are those that can come up and are not terminal, as they are met; `actions` and `percepts` all that may
    be done and perceived in them. As terminal states are left out, the probabilities of `start` and of `outcomes` may
    sum to less than 1: `start_value` is the mean utility of terminal starts, and `rewards` include the discounted mean
    utility of terminal states that may follow. `outcomes` and `rewards` are by action and state, None where the action
    does not apply; `percept_rows` as well, by the state in which the action arrives, and empty where it never does.
    `exact` is whether all numbers are whole numbers and fractions, `least_end` the smallest probability above 0 with
    which an action ends the game; 1 if none does. Where the author gave arrays, `arrays` are the same in floats, and
    the rest is made from them as it is looked at. `improper` is whether policies count under which the game never ends.
    """

    states: Sequence[State]
    actions: tuple[Action, ...]
    percepts: tuple[Percept, ...]
    start: Row
    start_value: Number
    outcomes: Sequence[Sequence[Row | None]]
    rewards: Sequence[Sequence[Number | None]]
    percept_rows: Sequence[Sequence[Row]]
    discount: Number
    exact: bool
    least_end: Number
    arrays: Any = None  # `PomdpArrays`, whose file imports this one
    improper: bool = False

    def come_up(self) -> tuple[Sequence[State], Sequence[Percept]]:
        """The states and percepts that can come up; arrays that an author gives may have more."""
        if self.arrays is None:
            return self.states, self.percepts
        states, percepts = self.arrays.reached()
        return [self.states[state] for state in states.tolist()], [
            self.percepts[number] for number in percepts.tolist()
        ]

    def places(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return, by number of a state and of a percept, its place among those that can come up; -1 if it cannot."""
        if self.arrays is None:
            return range(len(self.states)), range(len(self.percepts))
        states, percepts = ([-1] * len(some) for some in (self.states, self.percepts))
        for places, reached in zip((states, percepts), self.arrays.reached(), strict=True):
            for place, number in enumerate(reached.tolist()):
                places[number] = place
        return states, percepts
