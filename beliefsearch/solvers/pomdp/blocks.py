"""Blocks of states that the player can always distinguish, so that each belief lies in one block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve, frozen

from ..sparse_rows import entries_of

if TYPE_CHECKING:
    from .arrays import Floats, Integers, PomdpArrays, Truths


@frozen(eq=False)
class Blocks:
    """A list of states, block by block: block b has the `members` from `bounds[b]` to `bounds[b + 1]`, in order.

    After one action and percept, all results of the states of a block lie in one block. If the game may begin in
    several blocks, there is another block, the last, with copies of the starts, which no action reaches.
    """

    members: Integers
    bounds: Integers

    @classmethod
    def whole(cls, size: int) -> Blocks:
        """All states in one block."""
        return cls(np.arange(size), np.array([0, size]))

    @classmethod
    def by_label(cls, labels: Integers, start: Integers) -> Blocks:
        """The blocks of states with equal labels, and one of copies if the states of the start have several labels."""
        members = np.argsort(labels, kind="stable")
        begins = np.flatnonzero(np.diff(labels[members], prepend=-1))
        bounds = np.append(begins, len(members))
        if len(np.unique(labels[start])) > 1:
            members, bounds = np.append(members, start), np.append(bounds, len(members) + len(start))
        return cls(members, bounds)

    @property
    def of(self) -> Integers:
        """The block of each member."""
        return np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))

    def places(self, size: int) -> Integers:
        """Return the place of each state among the members; not that of its copy."""
        places = np.empty(size, np.int64)
        places[self.members[:size]] = np.arange(size)
        return places

    def columns(self, homes: Integers) -> tuple[Integers, Truths]:
        """Return the states of each node's block, in rows padded to one width, and a mask without the padding."""
        sizes = np.diff(self.bounds)[homes]
        within = np.arange(sizes.max(initial=0))
        there = within < sizes[:, None]
        places = np.where(there, self.bounds[:-1][homes][:, None] + within, 0)
        return self.members[places], there

    def renumbered(self, arrays: PomdpArrays) -> PomdpArrays:
        """The arrays of the game whose states are the members; O(its size)."""
        size, count = arrays.S, len(self.members)
        if count == size and (self.members == np.arange(size)).all():
            return arrays
        places = self.places(size).astype(arrays.to_states.dtype)
        lengths, states, weights = [], [], []
        for action in range(arrays.A):
            counts, entries = entries_of(arrays.to_pointers, action * size + self.members)
            lengths.append(counts)
            states.append(places[arrays.to_states[entries]])
            weights.append(arrays.to_weights[entries])
        rows = arrays.percept_rows.reshape(arrays.A, size)
        start = np.zeros(count)
        begins = np.flatnonzero(arrays.start)
        start[np.arange(size, count) if count > size else places[begins]] = arrays.start[begins]
        return evolve(
            arrays,
            S=count,
            to_pointers=np.append(0, np.cumsum(np.concatenate(lengths))),
            to_states=np.concatenate(states),
            to_weights=np.concatenate(weights),
            percept_rows=rows[:, self.members].ravel(),
            rewards=np.ascontiguousarray(arrays.rewards[:, self.members]),
            start=start,
        )

    def merged(self, values: Floats, size: int) -> Floats:
        """Return the least value of each state's members."""
        found = np.full(size, np.inf)
        np.minimum.at(found, self.members, values)
        return found
