"""Sets of starts as bytes, and what all ways to divide them share: the table, and what it says of small sets."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from .partitions import Partitions

Places: TypeAlias = NDArray[np.int64]
"""Starts, by their places in the table."""


@frozen(eq=False)
class StartSets:
    """What all divisions of one problem share: its table, and sets of starts as bytes.

    Attributes
    ----------
    partitions
        The table.
    distinct_actions
        Of the actions in a set of starts, given by their places, the numbers of some, at least one of each class of
        equivalent ones; None: all.
    tick
        Called before each piece of work that may take long; raises to stop it.
    """

    partitions: Partitions[Any]
    distinct_actions: Callable[[Places], list[int] | None]
    tick: Callable[[], None]

    @cached_property
    def _type(self) -> np.dtype[Any]:
        return np.dtype(np.uint16 if len(self.partitions.starts) <= 1 << 16 else np.uint32)

    def of(self, places: NDArray[Any]) -> bytes:
        """The set of the starts at these places of the table, which ascend."""
        return places.astype(self._type).tobytes()

    def places(self, members: bytes) -> Places:
        """The places in the table of the starts in a set."""
        return np.frombuffer(members, dtype=self._type).astype(np.int64)

    def size(self, members: bytes) -> int:
        return len(members) // self._type.itemsize

    def floors(self, by_size: NDArray[np.int64], sizes: NDArray[np.int64], most_parts: int) -> NDArray[np.int64]:
        """By size and number of parts: the least total of an action that makes so many parts, at the most.

        The bound by size is first made convex from below: its steps in ascending order. Then equal parts are the best.
        """
        convex = np.concatenate([[0], np.cumsum(np.sort(np.diff(by_size)))])
        parts = np.maximum(np.arange(most_parts + 1), 1)
        each, larger = np.divmod(np.maximum(sizes - self.most_won, 0)[:, np.newaxis], parts)
        next_size = np.minimum(each + 1, len(convex) - 1)
        floors: NDArray[np.int64] = (parts - larger) * convex[each] + larger * convex[next_size]
        return floors + sizes[:, np.newaxis] * self.least_cost

    @cached_property
    def most_won(self) -> int:
        """The most starts that one action wins."""
        return int((self.partitions.table >= self.partitions.won).sum(axis=1).max())

    @cached_property
    def least_cost(self) -> int:
        return int(self.partitions.costs.min())

    @cached_property
    def cheapest_winner(self) -> Places:
        """By start: the first action of the least cost that wins it; -1 if none does."""
        winner = np.full(len(self.partitions.starts), -1)
        for row in np.flatnonzero(self.partitions.costs == self.least_cost)[::-1].tolist():
            winner[self.partitions.table[row] >= self.partitions.won] = row
        return winner

    @cached_property
    def most_obvious(self) -> int:
        """In sets of no more starts than this it is plain to see what is best, and the bound by size is the total.

        If actions win one start at a time, and a cheapest one wins each: of one start that one; of two either, since
        the other start is won next, and not both can be won at once.
        """
        if self.partitions.knowing_wins:
            return 1
        return 0 if (self.cheapest_winner < 0).any() else 2 if self.most_won == 1 else 1
