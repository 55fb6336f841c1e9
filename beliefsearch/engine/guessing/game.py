"""The view of a problem whose actions only tell starts apart: nodes are sets of starts, which actions divide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from ...belief_space.and_or import Outcomes
from ...model.base import Action, State
from ...model.belief import no_tick
from ...model.hooks import DistinctActionsHook
from ...model.problem import BeliefProblem
from ...solvers.contingent.divided import DividedProblem
from ..bits.contingent import BitsetContingentView
from ..compiled.observed_model import ObservedModel
from .divisions import TableDivisions
from .outcome_table import Partitions, StartSets, divided_model

WON = b""
"""The node in which nothing is left to do."""

# The ways to divide all starts of a table with fewer entries are gone through one after the other.
_LARGE = 20_000_000
# To ask for the symmetries of a smaller set would take longer than it saves.
_FEW = 20


class PartitionView(DividedProblem[bytes, Action], Generic[State, Action]):
    """A problem with a table of partitions; a node is the places of its starts in the table, ascending, as bytes."""

    def __init__(
        self,
        model: ObservedModel[State, Action],
        partitions: Partitions[Action],
        tick: Callable[[], None] = no_tick,
    ) -> None:
        self.problem: BeliefProblem[State, Action, Any] = model.problem
        self.partitions = partitions
        self.numbered_actions: Sequence[Action] = partitions.actions
        self.max_belief_size = len(partitions.starts)
        self.sets = StartSets(partitions, self._distinct_actions, tick)
        self._number_of_action = model.number_of_action
        self._states = [model.states[number] for number in partitions.starts]
        self._texts = [self.problem.format_percept(percept) for percept in partitions.percepts]

    # What every AND-OR problem has.

    def initial_node(self) -> bytes:
        starts = np.arange(len(self.partitions.starts))
        return WON if self._is_known(starts) else self.sets.of(starts)

    def is_goal(self, node: bytes) -> bool:
        return node == WON

    def actions(self, node: bytes) -> Sequence[Action]:
        return self.numbered_actions

    def outcomes(self, node: bytes, action: Action) -> Outcomes[bytes]:
        parts = self._divide(node, self._number_of_action[action])
        found = sorted(parts, key=lambda pair: self._texts[pair[0]])
        return tuple((self.partitions.percepts[outcome], part) for outcome, part in found)

    def action_cost(self, node: bytes, action: Action) -> int:
        return self.cost_of(self._number_of_action[action])

    def has_unit_costs(self) -> bool:
        return self.problem.has_unit_costs()

    def size(self, node: bytes) -> int:
        return self.sets.size(node)

    # What problems with divided nodes have besides.

    def can_be_won(self) -> bool:
        return self.partitions.can_be_won()

    def is_large(self) -> bool:
        return self.partitions.table.size > _LARGE

    def divisions(self) -> TableDivisions:
        return TableDivisions.of_all(self.sets)

    def obvious_action(self, node: bytes) -> int | None:
        if self.size(node) > self.sets.most_obvious:
            return None
        return int(self.sets.cheapest_winner[self.sets.places(node)[0]])

    def cost_of(self, action: int) -> int:
        return int(self.partitions.costs[action])

    def parts(self, node: bytes, action: int) -> list[bytes]:
        return [part for _, part in self._divide(node, action) if part != WON]

    def _divide(self, node: bytes, action: int) -> list[tuple[int, bytes]]:
        """The outcomes of an action, by number, and the nodes after them."""
        return [
            (outcome, WON if outcome >= self.partitions.won or self._is_known(part) else self.sets.of(part))
            for outcome, part in self.partitions.split(self.sets.places(node), action)
        ]

    def _is_known(self, starts: NDArray[Any]) -> bool:
        """Whether starts are won since they are known."""
        return self.partitions.knowing_wins and len(starts) == 1

    def _distinct_actions(self, places: NDArray[np.int64]) -> list[int] | None:
        """What the author's `distinct_actions` says of a set of starts."""
        if not isinstance(self.problem, DistinctActionsHook) or len(places) < _FEW:
            return None
        given = self.problem.distinct_actions(frozenset(self._states[place] for place in places.tolist()))
        return None if given is None else [self._number_of_action[action] for action in given]


def partition_view_of(
    view: BitsetContingentView[State, Action], tick: Callable[[], None] = no_tick, most_pairs: int | None = None
) -> PartitionView[State, Action] | None:
    """The problem of `view`, whose starts are equally likely, as divided sets; None as `divided_model` says."""
    found = divided_model(view, tick, most_pairs)
    return None if found is None else PartitionView(*found, tick)
