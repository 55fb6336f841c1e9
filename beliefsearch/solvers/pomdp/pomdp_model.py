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
    """The numbered input of solvers; nothing here makes use of `canonical`.

    `states` are the reachable states that are not terminal, in the order of discovery; `actions` and `percepts` are all
    that occur in them. Since terminal states are left out, the probabilities of `start` and of `outcomes` may sum to
    less than 1: `start_value` is the expected utility of terminal starts, and `rewards` include the discounted expected
    utility of terminal results. `outcomes` and `rewards` are by action and state, None where the action does not apply.
    `percept_rows` are by action and resulting state, empty for a state that is no result. `exact` is whether all
    numbers are whole numbers and fractions. `least_end` is the smallest probability above 0 that an action ends the
    game, 1 if none does. If the author gave arrays, `arrays` are the same in floats, and the rest is made from them on
    access. `improper` is whether policies count under which the game never ends.
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
        """The reachable states and percepts; arrays that an author gives may have more."""
        if self.arrays is None:
            return self.states, self.percepts
        states, percepts = self.arrays.reached()
        return [self.states[state] for state in states.tolist()], [
            self.percepts[number] for number in percepts.tolist()
        ]

    def places(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return the place of each state, and of each percept, among the reachable ones; -1 for others."""
        if self.arrays is None:
            return range(len(self.states)), range(len(self.percepts))
        states, percepts = ([-1] * len(some) for some in (self.states, self.percepts))
        for places, reached in zip((states, percepts), self.arrays.reached(), strict=True):
            for place, number in enumerate(reached.tolist()):
                places[number] = place
        return states, percepts
