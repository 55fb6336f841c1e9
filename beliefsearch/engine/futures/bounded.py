"""Search within bounds on the sets of futures of a problem: whether they can be won, and by which action."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...running.limits import Budget, EffortExceeded
from ...running.run import Record
from ..compiled.bitset_kernels import enlarged
from .descent import (
    ALLOWED,
    COUNTERS,
    DONE,
    FIELDS,
    KNOWN,
    LEVEL,
    NEEDED,
    NEXT,
    PLACE,
    STOPPED,
    TRIED,
    WON,
    Stack,
    groups_after,
    known_action,
    pairs_after,
    won_within,
    word_within,
)
from .kernels import COUNTED, NEVER, Futures, Marks, counts_after, finest_action
from .memo import NOT_WON, grown, new_memo
from .pairs import with_costs, with_words
from .partitions import NEVER_APART, Partitions, dividing_word, partitions
from .tables import FutureTables, capacities, few_lost, stuck_sets

# Elementary steps of a kernel before limits are looked at, and those in all after which a search that may never end
# gives way to others.
_SLICE = 10_000_000
_ENOUGH = 2_000_000_000
# Pairs are looked at where a bound of more than so many actions is tried, and there are no more futures than that.
_LATE, _MOST_PAIRED = 3, 6000
_MOST_CLASSES = 16_000_000  # of all rounds
_LARGEST_MEMO = 1 << 26
ALL = 1 << 60  # actions of a set are tried, or steps taken
_ROOM = 1 << 12  # of a stack at first

Groups = tuple[NDArray[np.int32], NDArray[np.int64]]
"""Sets of futures, one after the other, and where each begins, and the last ends."""


def one_group(members: NDArray[np.int32]) -> Groups:
    """A set as a group alone."""
    return members, np.array([0, len(members)])


class Undecidable(Exception):
    """Raised where the search would perhaps never end."""


class BoundedSearch:
    """Search within bounds on the sets of futures of a problem; `plan_exists` is None where that is not known.

    A search that takes more elementary steps than its `patience` raises `EffortExceeded`; it may be begun again.
    """

    def __init__(self, tables: FutureTables[Any], record: Record[Any, Any], budget: Budget) -> None:
        self.tables, self.tick, self._record, self._budget = tables, record.tick, record, budget
        self.why_none: list[NDArray[np.int32]] = []
        self.spent, self.patience = 0, ALL
        self._going_on: dict[bytes, list[int]] = {}  # by set, the rest of a word
        count = self._count = len(tables.futures)
        self.apart = partitions(tables, record.tick, valid=False)
        self._valid: Partitions | None = None
        self.is_minimal = self.apart.count() == count
        told = not tables.merging and self.is_minimal
        last = min(self.apart.rounds, _MOST_CLASSES // max(count, 1)) if told else -1
        rounds = [self.apart.classes(k) for k in range(last + 1)]
        self.futures = Futures(
            tables.after,
            tables.percepts,
            tables.pairs,
            capacities(tables),
            np.array(rounds, np.int32) if rounds else np.zeros((0, 0), np.int32),
            np.zeros((0, 0), np.uint16),
            np.zeros((2, COUNTED), np.int32),
            np.zeros((0, 0, 0), np.uint64),
            0,
            np.random.default_rng(7).integers(1, 2**63, (2, count), dtype=np.uint64),
            tables.merging,
        )
        size = count + 1
        counts = np.zeros(size, np.int32)
        self.marks = Marks(
            np.zeros(size, np.int64), counts, np.zeros(size, np.uint64), counts.copy(), np.zeros(1, np.int64)
        )
        actions = len(tables.percepts)
        self._stack = Stack(
            np.zeros((_ROOM, FIELDS), np.int64),
            np.zeros(4 * count + _ROOM, np.int32),
            np.zeros(4 * count + _ROOM, np.int64),
            np.zeros(4 * actions + _ROOM, np.int64),
        )
        self.work = np.zeros(COUNTERS, np.int64)
        self.forget()

    def forget(self) -> None:
        """Forget the sets that were decided."""
        self.memo = new_memo()
        self.work[KNOWN] = 0

    @property
    def valid(self) -> Partitions:
        """The partitions by actions that merge nothing that must be told apart."""
        if self._valid is None:
            self._valid = partitions(self.tables, self.tick, valid=True)
        return self._valid

    def plan_exists(self) -> bool | None:
        """Whether there is a plan; if not, `why_none` are sets that no plan settles. None if it is not known."""
        tables = self.tables
        if not tables.merging:
            if tables.is_lost(tables.starts).all():
                self.why_none = [few_lost(tables, tables.starts)]
                return False
            pair, rounds = self.apart.last_apart(tables.starts)
            if rounds == NEVER_APART:
                self.why_none = [pair]
                return False
            self.why_none = stuck_sets(tables, self.valid.classes())
            # Those sets first that are possible at the start.
            self.why_none.sort(key=lambda some: not np.isin(some, tables.starts).all())
            if not self.why_none:
                return True
            return False if np.isin(self.why_none[0], tables.starts).all() else None
        is_complete = bool((tables.percepts >= 0).all())
        if self.is_minimal and is_complete:
            return True
        if self._count > _MOST_PAIRED:
            return None
        self.futures = with_costs(self.futures, self._budget, self.tick)
        costs = self.futures.costs[np.ix_(tables.starts, tables.starts)]
        if (costs == NEVER).any():
            self.why_none = [tables.starts[np.argwhere(costs == NEVER)[0]]]
            return False
        return True if is_complete and len(tables.starts) == self._count else None

    def least_depth(self) -> int:
        """A number of actions that no plan falls below, by the dearest pair, where it is known."""
        tables, costs = self.tables, self.futures.costs
        if tables.merging:
            return int(costs[np.ix_(tables.starts, tables.starts)].max()) if costs.size else 0
        return self.apart.last_apart(tables.starts)[1]

    def within(self, members: NDArray[np.int32], depth: int, width: int = ALL) -> bool:
        """Whether a set is won within so many actions, by the finest of each set, `width` of them."""
        self._put_groups(one_group(members))
        size = len(members)
        return self._decided(
            lambda: won_within(self.futures, self.marks, self.memo, self._stack, self.work, size, depth, width)
        )

    def word_within(self, groups: Groups, depth: int, keep: int) -> list[int] | None:
        """A word of at most this length that wins from groups, as numbers of actions; None if there is none.

        Parts of `keep` or more must stay such that an action applies.
        """
        count = self._put_groups(groups)
        found = self._decided(
            lambda: word_within(self.futures, self.marks, self.memo, self._stack, self.work, count, keep, depth)
        )
        return self._stack.frames[: int(self.work[LEVEL]) + 1, NEXT].tolist() if found else None

    def pairs_after(self, groups: Groups, keep: int) -> tuple[list[int], list[int]]:
        """Count the pairs that each action leaves, -1 if it is no use; and give a number to what it leaves."""
        actions = len(self.tables.percepts)
        left, sums = np.zeros(actions, np.int64), np.zeros(actions, np.uint64)
        pairs_after(self.futures, self.marks, self._stack, self._put_groups(groups), keep, left, sums)
        return left.tolist(), sums.tolist()

    def groups_after(self, groups: Groups, action: int, keep: int) -> Groups:
        """Return what an action makes of groups."""
        count = self._put_groups(groups)
        found = groups_after(self.futures, self.marks, self._stack, action, count, keep)
        begins = self._stack.begins[count + 1 : count + 2 + found].copy()
        return self._stack.members[begins[0] : begins[-1]].copy(), begins - begins[0]

    def _put_groups(self, groups: Groups) -> int:
        members, begins = groups
        self._stack.members[: len(members)], self._stack.begins[: len(begins)] = members, begins
        self.work[LEVEL] = -1
        return len(begins) - 1 if len(members) > 1 else 0

    def _decided(self, search: Callable[[], int]) -> bool:
        """Go on with a search, slice by slice, until it is decided or patience is at an end."""
        work, begun = self.work, self.spent
        while True:
            work[DONE], work[ALLOWED] = 0, min(_SLICE, self.patience)
            found = search()
            self.spent += int(work[DONE])
            self._record.tally(int(work[KNOWN]), int(work[TRIED]), 0)
            if found != STOPPED:
                return found == WON
            self._record.look_up(0)
            if self.spent - begun > self.patience:
                raise EffortExceeded
            if work[DONE] <= work[ALLOWED]:
                self._make_room()

    def _make_room(self) -> None:
        """Make whatever may be full larger: the memo, or the stack."""
        level = int(self.work[LEVEL])
        if 2 * (self.work[KNOWN] + 1) > self.memo.first.size:
            if self.memo.first.size >= _LARGEST_MEMO:
                raise Undecidable
            self._budget.require_room(4 * sum(array.nbytes for array in self.memo), "the sets that were decided")
            larger, places = new_memo(4 * self.memo.first.size), self._stack.frames[: level + 1, PLACE].copy()
            grown(self.memo, larger, places)
            self.memo, self._stack.frames[: level + 1, PLACE] = larger, places
            return
        sizes = {name: len(getattr(self._stack, name)) for name in Stack._fields}
        full = [name for name, needed in zip(sizes, self.work[NEEDED:], strict=True) if sizes[name] < needed]
        self._budget.require_room(
            2 * sum(getattr(self._stack, name).nbytes for name in full), "the sets that are looked at"
        )
        self._stack = self._stack._replace(
            **{name: enlarged(getattr(self._stack, name), 2 * sizes[name]) for name in full}
        )

    def prepare(self, depth: int, *, soon: bool, longest: int = 0) -> None:
        """Get ready for a bound; raises `Undecidable` if it is too large to be noted, or `soon` after much work.

        Of pairs the words of at most so many actions are listed.
        """
        if depth > _LATE and self._count <= _MOST_PAIRED:
            if self.tables.merging and not self.futures.costs.size:
                self.futures = with_costs(self.futures, self._budget, self.tick)
            self.futures = with_words(self.futures, longest, self._budget, self.tick)
        if depth >= NOT_WON or (soon and (self.spent > _ENOUGH or depth > self._count**2)):
            raise Undecidable

    @contextmanager
    def aside(self, patience: int) -> Iterator[None]:
        """Search for a while with another memory, and so much patience."""
        before = self.futures, self.memo, int(self.work[KNOWN]), self.patience
        self.patience = min(self.patience, patience)
        self.forget()
        try:
            yield
        finally:
            self.futures, self.memo, self.work[KNOWN], self.patience = before

    def ended_word(self, groups: Groups, keep: int, *, patience: int = _SLICE) -> tuple[list[int] | None, bool]:
        """A shortest word, and whether there is none; neither if more than a little can come up.

        Without bounds that depend on what is left every set of groups is remembered, so that there is none as soon as
        no new ones come up. See `word_within`.
        """
        nothing = np.zeros((0, 0))
        with suppress(EffortExceeded, Undecidable), self.aside(patience):
            self.futures = self.futures._replace(
                most=np.zeros(0, np.int64), classes=nothing.astype(np.int32), costs=nothing.astype(np.uint16), length=0
            )
            depth, kept, begun = 0, -1, self.spent
            while self.spent - begun <= self.patience:
                word = self.word_within(groups, depth, keep)
                if word is not None or (depth > 1 and int(self.work[KNOWN]) == kept):
                    return word, word is None
                kept, depth = int(self.work[KNOWN]), depth + 1
        return None, False

    def choose(self, node: bytes) -> Any:
        """The action to begin with in a set that is known to be won."""
        return self.tables.actions_[self.first_action(np.frombuffer(node, np.int32))]

    def first_action(self, members: NDArray[np.int32]) -> int:
        """The number of the action to begin with in a set that is known to be won."""
        action, depth = known_action(self.futures, self.memo, members)
        if action < 0:  # won so soon that it is not remembered
            depth = 1
            while not self.within(members, depth):
                depth += 1
            able = np.flatnonzero(~self.tables.is_lost(members)).tolist()
            action = next(
                a for a in able if all(self.within(part, depth - 1) for _, part in self.tables.open_parts(members, a))
            )
        return action

    def choose_greedily(self, node: bytes) -> Any:
        """The action that makes the finest parts; or else one with which a word that divides the set begins.

        There must be a plan: of valid classes, or of those that any word tells apart.
        """
        self.tick()
        members = np.frombuffer(node, np.int32)
        word = self._going_on.pop(node, [])
        if not word:
            action = finest_action(self.futures, self.marks, members)
            word = [action] if action >= 0 else self.word(members, valid=not self.tables.merging)
        if len(word) > 1:  # until its last action all say the same
            self._going_on[self.tables.parts(members, word[0])[0][1].tobytes()] = word[1:]
        return self.tables.actions_[word[0]]

    def least_lost(self, members: NDArray[np.int32]) -> list[int]:
        """The action that makes the fewest of a set one, and then the finest parts; none if all say the same always."""
        kept, squares = np.zeros((2, len(self.tables.percepts)), np.int64)
        counts_after(self.futures._replace(merging=True), self.marks, members, kept, squares)
        return [int(np.lexsort((squares, -kept))[0])] if kept.any() else []

    def word(self, members: NDArray[np.int32], *, valid: bool) -> list[int]:
        """A word after which the percepts in a set differ; none if no word is known."""
        return dividing_word(self.tables, self.valid if valid else self.apart, members, valid=valid)
