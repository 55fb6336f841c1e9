"""A guessing game as an AND-OR problem: nodes are sets of starts, which actions split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from ...belief_space.and_or import AndOrProblem, Outcomes
from ...model.base import Action, State
from ..bits.contingent import BitsetContingentView
from ..bits.numbered_model import MOST_ASKED
from ..compiled.observed_model import ObservedModel
from .outcome_table import OutcomeTable, outcome_table_of

WON = b""
"""The node in which nothing is left to do."""


class GuessingGame(AndOrProblem[bytes, Action], Generic[State, Action]):
    """A problem with an outcome table; see there for its nodes."""

    def __init__(self, model: ObservedModel[State, Action], table: OutcomeTable[Action]) -> None:
        self.table = table
        self.states: Sequence[State] = [model.states[number] for number in table.starts]
        self._problem = model.problem
        self._number_of_action = model.number_of_action
        self._texts = [self._problem.format_percept(percept) for percept in table.percepts]

    def initial_node(self) -> bytes:
        return self._node(np.arange(len(self.states)))

    def is_goal(self, node: bytes) -> bool:
        return node == WON

    def actions(self, node: bytes) -> Sequence[Action]:
        return self.table.actions

    def outcomes(self, node: bytes, action: Action) -> Outcomes[bytes]:
        parts = self._split(node, self._number_of_action[action])
        found = sorted(parts, key=lambda pair: self._texts[pair[0]])
        return tuple((self.table.percepts[outcome], part) for outcome, part in found)

    def action_cost(self, node: bytes, action: Action) -> int:
        return int(self.table.costs[self._number_of_action[action]])

    def has_unit_costs(self) -> bool:
        return self._problem.has_unit_costs()

    def base_action(self, node: bytes) -> int | None:
        """Return the number of the best action of a base case (see `OutcomeTable.most_obvious`); None for others."""
        if self.table.size(node) > self.table.most_obvious:
            return None
        return int(self.table.cheapest_winner[self.table.places(node)[0]])

    def parts(self, node: bytes, action: int) -> list[bytes]:
        """Return the blocks that the action with this number makes of a node, without what is won."""
        return [part for _, part in self._split(node, action) if part != WON]

    def _split(self, node: bytes, action: int) -> list[tuple[int, bytes]]:
        """Return the outcomes of an action, by number, and the nodes after them."""
        return [
            (outcome, WON if outcome >= self.table.won else self._node(part))
            for outcome, part in self.table.split(self.table.places(node), action)
        ]

    def _node(self, starts: NDArray[Any]) -> bytes:
        """Return the node of some starts; a single one may be won since it is known."""
        return WON if self.table.knowing_wins and len(starts) == 1 else self.table.node(starts)


def game_of(
    view: BitsetContingentView[Any, Action], tick: Callable[[], None], most_pairs: int | None = MOST_ASKED
) -> GuessingGame[Any, Action] | None:
    """Return the game of a view; None as of `outcome_table_of`."""
    found = outcome_table_of(view, tick, most_pairs)
    return None if found is None else GuessingGame(*found)
