"""The tables of a search in a belief tree, and how they are made longer within the limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...running.limits import Budget
from . import belief_tree as tables

if TYPE_CHECKING:
    from ...solvers.pomdp.arrays import Floats


class SearchTables:
    """Base of searches that keep all they have met in tables."""

    _search: tables.Search
    _budget: Budget
    _start_belief: Floats

    @property
    def _beliefs(self) -> int:
        """Count the beliefs that were met."""
        return int(self._search.counters[tables.BELIEFS])

    def _make_places(self) -> None:
        """Make a hash table that the beliefs there is room for fill at most half."""
        tree = self._search.tree
        tree = tree._replace(places=np.full(1 << (2 * len(tree.low)).bit_length(), -1, np.int64))
        tables.enter_all(tree, self._beliefs)
        self._search = self._search._replace(tree=tree)

    def _enter_start(self) -> None:
        """Enter the start, of which only the bounds are known so far."""
        states = np.flatnonzero(self._start_belief)
        self._make_room(tables.NO_ENTRIES, len(states))
        tree, counters = self._search.tree, self._search.counters
        tree.states[: len(states)] = states
        tree.shares[: len(states)] = self._start_belief[states]
        low, vector = tree.low[0], tree.vector[0]
        tables.number_of(0, len(states), self._search.rows, tree, counters)
        tree.low[0], tree.vector[0] = low, vector

    def _make_room(self, full: int, needed: int) -> None:
        """Make a full table longer; raises `LimitReached` if the memory limit does not allow it."""
        group = tables.GROUPS[full]
        table = getattr(self._search, group.table)
        self._budget.require_room(
            2 * sum(getattr(table, name).nbytes for name in group.names), "what the search has met"
        )
        self._search = self._search._replace(**{group.table: tables.longer(table, full, needed)})
        del table  # frees the old arrays
        if len(self._search.tree.places) < 2 * len(self._search.tree.low):
            self._make_places()
