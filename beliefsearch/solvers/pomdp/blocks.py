"""Blocks of states between which a player can always tell, so that what is kept of beliefs is kept by block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve, frozen

from .joint import entries_of

if TYPE_CHECKING:
    from .arrays import Floats, Integers, PomdpArrays, Truths


@frozen(eq=False)
class Blocks:
    """A list of states, block by block: block b has the `members` from `bounds[b]` to `bounds[b + 1]`, in order.

    Whatever may follow the states of a block by one action and percept lies in one block. A state is in one block, or
    in two: if the game may begin in several blocks, the last one has a copy of each start, to which nothing leads.
    """

    members: Integers
    bounds: Integers

    @classmethod
    def whole(cls, size: int) -> Blocks:
        """All states in one block."""
        return cls(np.arange(size), np.array([0, size]))

    @classmethod
    def by_label(cls, labels: Integers, start: Integers) -> Blocks:
        """The blocks of states with one label, and one of copies unless all states of the start have one label."""
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
        """Return, by state, its place among the members; not that of a copy."""
        places = np.empty(size, np.int64)
        places[self.members[:size]] = np.arange(size)
        return places

    def columns(self, homes: Integers) -> tuple[Integers, Truths]:
        """Return, by node, the states of its block, in rows of one width, and where these are not filling."""
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
        """Return, by state, the least value of its members."""
        found = np.full(size, np.inf)
        np.minimum.at(found, self.members, values)
        return found
