"""Search within bounds on the sets of futures of a problem: whether they can be won, and by which action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...running.limits import Budget
from ...running.run import Record
from .kernels import (
    COUNTED,
    NEVER,
    STOPPED,
    Futures,
    Scratch,
    costs_of_pairs,
    finest_action,
    known_action,
    won_within,
)
from .memo import grown, new_memo
from .tables import FutureTables, dividing_word, few_lost, partitions, stuck_sets

# Elementary steps of a kernel before limits are looked at, at first and at most; and those in all after which a search
# that may never end gives way to others.
_SLICE, _LARGEST_SLICE = 10_000_000, 40_000_000
_ENOUGH = 2_000_000_000
DEEPEST = 2000
"""A bound below which numbers of actions stay: kernels call themselves once an action, with 2 KB of the stack each."""
# Pairs are looked at where a bound of more than so many actions is tried, and there are no more futures than that.
_LATE, _MOST_PAIRED = 3, 6000
_BYTES_OF_PAIR = 28  # of two futures in their order, while pairs are looked at
_MOST_LISTED = 300_000  # pairs that cost the most
_MOST_ROUNDS = 64
_LARGEST_MEMO = 1 << 26
_LOOKED_AT = 200  # members of a set whose pairs are looked up for evidence


class Undecidable(Exception):
    """Raised where the search would perhaps never end."""


class BoundedSearch:
    """Search within bounds on the sets of futures of a problem; `plan_exists` is None where that is not known."""

    def __init__(self, tables: FutureTables[Any], record: Record[Any, Any], budget: Budget) -> None:
        self.tables, self.tick, self._record, self._budget = tables, record.tick, record, budget
        self.why_none: list[NDArray[np.int32]] = []
        self._slice, self._spent = _SLICE, 0
        count = self._count = tables.after.shape[1]
        self.classes = partitions(tables, record.tick, valid=False, most=_MOST_ROUNDS)
        self.is_minimal = int(self.classes[-1].max(initial=0)) + 1 == count
        told = not tables.merging and self.is_minimal
        self.futures = Futures(
            tables.after,
            tables.percepts,
            tables.pairs,
            capacities(tables),
            np.array(self.classes if told else np.zeros((0, 0)), np.int32),
            np.zeros((0, 0), np.uint16),
            np.zeros((2, COUNTED), np.int32),
            np.random.default_rng(7).integers(1, 2**63, (2, count), dtype=np.uint64),
            tables.merging,
        )
        met, counts, seen = (np.zeros(count + 1, np.int32) for _ in range(3))
        stamp, tick, sums, work = (np.zeros(size, np.int64) for size in (count + 1, 1, count + 1, 5))
        self.room = Scratch(stamp, met, counts, seen, tick, sums.view(np.uint64), work)
        self.memo = new_memo()

    def plan_exists(self) -> bool | None:
        """Whether there is a plan; if not, `why_none` are sets that no plan settles. None if it is not known."""
        tables = self.tables
        if not tables.merging:
            self.valid = partitions(tables, self._record.tick, valid=True, most=self._count)
            if tables.is_lost(tables.starts).all():
                self.why_none = [few_lost(tables, tables.starts)]
                return False
            self.why_none = stuck_sets(tables, self.valid[-1])
            # Those sets first that are possible at the start.
            self.why_none.sort(key=lambda some: not np.isin(some, tables.starts).all())
            if not self.why_none:
                return True
            return False if np.isin(self.why_none[0], tables.starts).all() else None
        is_complete = bool((tables.after >= 0).all())
        if self.is_minimal and is_complete:
            return True
        if self._count > _MOST_PAIRED:
            return None
        self.look_at_pairs()
        costs = self.futures.costs[np.ix_(tables.starts, tables.starts)]
        if (costs == NEVER).any():
            self.why_none = [tables.starts[np.argwhere(costs == NEVER)[0]]]
            return False
        return True if is_complete and len(tables.starts) == self._count else None

    def look_at_pairs(self) -> None:
        """Find what each pair costs, and list the dearest."""
        count = self._count
        self._budget.require_room(_BYTES_OF_PAIR * count**2, "what pairs of futures cost")
        costs = np.full((count, count), NEVER, np.uint16)
        np.fill_diagonal(costs, 0)
        i, j = np.tril_indices(count, -1)
        waiting, left, length = i * count + j, len(i), 1
        while left and length < NEVER:
            self._record.tick()
            kept = costs_of_pairs(self.futures, length, costs, waiting, left)
            if kept == left:
                break
            left, length = kept, length + 1
        dear = np.minimum(costs[i, j], COUNTED).astype(np.int64)
        over = len(dear) - np.cumsum(np.bincount(dear, minlength=COUNTED + 1))[:COUNTED]
        chosen = np.flatnonzero(dear > np.argmax(over <= _MOST_LISTED))
        chosen = chosen[np.argsort(-dear[chosen], kind="stable")]
        listed = np.array([i[chosen], j[chosen]], np.int32)
        counts = np.minimum(over, 1 << 30).astype(np.int32)
        self.futures = self.futures._replace(costs=costs, dear=np.hstack([np.array([counts, counts]), listed]))

    def within(self, members: NDArray[np.int32], depth: int) -> bool:
        """Whether a set is won within so many actions."""
        stack = np.zeros(len(members) * (depth + 2) + 64, np.int32)
        stack[: len(members)] = members
        size = len(members)
        return self.decided(lambda: won_within(self.futures, self.room, self.memo, stack, 0, size, size, depth))

    def decided(self, search: Callable[[], int]) -> bool:
        """Go on with a search, slice by slice, until it is decided."""
        work = self.room.work
        while True:
            work[0], work[1], work[3] = 0, self._slice, 0
            found = search()
            self._spent += int(work[0])
            self._record.tally(int(work[2]), int(work[4]), 0)
            if found != STOPPED:
                return found == 1
            if work[3]:
                if self.memo.first.size >= _LARGEST_MEMO:
                    raise Undecidable
                self._budget.require_room(4 * sum(array.nbytes for array in self.memo), "the sets that were decided")
                larger = new_memo(4 * self.memo.first.size)
                grown(self.memo, larger)
                self.memo = larger
            else:
                self._slice = min(2 * self._slice, _LARGEST_SLICE)
            self._record.look_up(0)

    @property
    def is_long(self) -> bool:
        """Whether the search has taken more than a little."""
        return self._slice > _SLICE

    def prepare(self, depth: int, *, soon: bool) -> None:
        """Get ready for a bound; raises `Undecidable` if it is too large for the stack, or `soon` after much work."""
        if self.tables.merging and depth > _LATE and not self.futures.costs.size and self._count <= _MOST_PAIRED:
            self.look_at_pairs()
        if depth >= DEEPEST or (soon and (self._spent > _ENOUGH or depth > self._count**2)):
            raise Undecidable

    def dear_pair(self, members: NDArray[np.int32], depth: float) -> NDArray[np.int32] | None:
        """Two of a set that so many actions, or any number, do not suffice for; None if no two are known."""
        if self.futures.costs.size:
            most = int(min(depth, NEVER - 1))
            first, second = self.futures.dear[:, COUNTED:]
            is_member = np.zeros(self._count, np.bool_)
            is_member[members] = True
            for place in np.flatnonzero(is_member[first] & is_member[second])[:1].tolist():  # the dearest
                if self.futures.costs[first[place], second[place]] > most:
                    return np.sort(np.array([first[place], second[place]], np.int32))
            some = members[:_LOOKED_AT]
            pairs = np.argwhere(self.futures.costs[np.ix_(some, some)] > most)
            return some[pairs[0]] if len(pairs) else None
        if depth < len(self.futures.classes):
            _, first, back = np.unique(self.classes[int(depth)][members], return_index=True, return_inverse=True)
            others = np.flatnonzero(first[back] != np.arange(len(members)))
            return members[[first[back[others[0]]], others[0]]] if len(others) else None
        return None

    def choose(self, node: bytes) -> Any:
        """The action to begin with in a set that is known to be won."""
        members = np.frombuffer(node, np.int32)
        action, depth = known_action(self.futures, self.memo, members, len(members))
        if action < 0:  # won so soon that it is not remembered
            depth = 1
            while not self.within(members, depth):
                depth += 1
            able = np.flatnonzero(~self.tables.is_lost(members)).tolist()
            action = next(
                a for a in able if all(self.within(part, depth - 1) for _, part in self.tables.parts(members, a))
            )
        return self.tables.actions_[action]

    def choose_greedily(self, node: bytes) -> Any:
        """The action that makes the finest parts; or else one with which a word that divides the set begins.

        There must be a plan: of valid classes, or of those that any word tells apart.
        """
        self._record.tick()
        members = np.frombuffer(node, np.int32)
        action = finest_action(self.futures, self.room, members, len(members))
        return self.tables.actions_[action if action >= 0 else self.word(members, valid=not self.tables.merging)[0]]

    def word(self, members: NDArray[np.int32], *, valid: bool) -> list[int]:
        """A word after which the percepts in a set differ; none if no word is known."""
        return dividing_word(self.tables, self.valid if valid else self.classes, members, valid=valid)


def capacities(tables: FutureTables[Any]) -> NDArray[np.int64]:
    """Count the futures that 0, 1, 2, ... actions can tell apart at the most, as long as that is not all.

    By an action that is the sum over its percepts of those that give it, or if that is less of what one action less
    tells apart, times the most that this action makes one.
    """
    count = tables.after.shape[1]
    groups = []
    for percepts, pairs in zip(tables.percepts, tables.pairs, strict=True):
        able = percepts >= 0
        sizes, most = np.bincount(percepts[able]), np.ones(int(percepts.max()) + 1, np.int64)
        if tables.merging:
            np.maximum.at(most, percepts[able], np.bincount(pairs[able])[pairs[able]])
        groups.append((sizes, most))
    found = [1]
    while groups:
        larger = max(int(np.minimum(sizes, most * found[-1]).sum()) for sizes, most in groups)
        if larger >= count or larger <= found[-1]:
            break
        found.append(larger)
    return np.array(found, np.int64)
