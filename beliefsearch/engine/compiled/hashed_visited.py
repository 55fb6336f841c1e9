"""The reached beliefs of a breadth-first search as a list of rows of words, found by a hash table.

The step of `reached_beliefs` for beliefs of any width.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...running.store.checkpoint import Checkpoint
from .array_model import CompiledModel
from .bitset_kernels import image, includes, is_goal, size_of
from .bitset_words import Words
from .hash_table import find_or_insert, rehash, slots_for
from .jit import kernel
from .step import COUNT, EXHAUSTED, FULL, GOAL, PAUSED, Outcome, close, opened


@kernel
def expand_any_width(
    tables: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    targets: NDArray[Any],
    applicable: Words,
    applies_everywhere: bool,
    goals: Words,
    goals_of: NDArray[np.int64],
    goals_around: NDArray[np.int64],
    beliefs: Words,
    parents: NDArray[np.uint32],
    via: NDArray[Any],
    slots: NDArray[np.uint32],
    books: NDArray[np.int64],
    most_expanded: int,
    most_generated: int,
) -> int:
    """Expand beliefs in the order of the queue, and append new ones; see `reached_beliefs`.

    `books` is brought up to date at the end; returns an `Outcome`.
    """
    head, count, layer_end, depth, generated, max_frontier, max_size = opened(books)
    pause = generated + most_generated
    actions = applicable.shape[0]
    outcome = EXHAUSTED
    while head < count:
        if head == layer_end:
            layer_end = count
            depth += 1
        if generated >= pause or head >= most_expanded:
            outcome = PAUSED
            break
        if count + actions > beliefs.shape[0]:
            outcome = FULL
            break
        belief = beliefs[head]
        max_frontier = max(max_frontier, count - head)
        head += 1
        for action in range(actions):
            if not applies_everywhere and not includes(applicable[action], belief):
                continue
            generated += 1
            child = beliefs[count]  # where it stays if it is new
            image(tables, offsets, targets, action, belief, child)
            if find_or_insert(beliefs, slots, count, child) < count:
                continue
            parents[count] = np.uint32(head - 1)
            via[count] = action
            count += 1
            max_size = max(max_size, size_of(child))
            if is_goal(goals, goals_of, goals_around, child):
                outcome = GOAL
                break
        if outcome == GOAL:
            break
    close(books, head, count, layer_end, depth, generated, max_frontier, max_size)
    return outcome


FIRST_CAPACITY = 1 << 12

_HASHED = 8  # bytes of the hash table for each belief that there is room for

# Beliefs that were kept are looked at so many at a time.
_PIECE = 1 << 16


class ListedBeliefs:
    """All beliefs reached so far, in the order in which breadth-first search meets them.

    The queue of the search is the same array. Parents are kept as the place of the parent and the number of the action
    between, 6 or 8 bytes a belief. `beliefs` has the shape (capacity, width); as many rows as `books` tells are in use.
    """

    def __init__(self, model: CompiledModel[Any, Any], books: NDArray[np.int64]) -> None:
        self._model = model
        self._books = books
        self._via_kind = np.uint16 if len(model.actions) <= 1 << 16 else np.uint32
        self.beliefs: Words = np.empty((0, model.width), dtype=np.uint64)
        self.parents = np.empty(0, dtype=np.uint32)
        self.via: NDArray[Any] = np.empty(0, dtype=self._via_kind)
        self._resize(max(FIRST_CAPACITY, 2 * len(model.actions)))
        self.beliefs[0] = model.initial
        self._slots = np.zeros(0, dtype=np.uint32)
        self._rehash()

    @property
    def count(self) -> int:
        """Count the listed beliefs."""
        return int(self._books[COUNT])

    @property
    def nbytes(self) -> int:
        """The memory used, in bytes."""
        return self.beliefs.nbytes + self.parents.nbytes + self.via.nbytes + self._slots.nbytes

    @property
    def nbytes_with_room(self) -> int:
        """The memory that will be used, in bytes, once `make_room` has been called."""
        row = self.beliefs.itemsize * self._model.width + self.parents.itemsize + self.via.itemsize
        return 2 * len(self.beliefs) * (row + _HASHED)

    @property
    def is_full(self) -> bool:
        """Whether there may be too little room for the successors of one belief."""
        return self.count + len(self._model.actions) > len(self.beliefs)

    def make_room(self) -> None:
        """Make room for twice as many beliefs."""
        self._resize(2 * len(self.beliefs))
        self._rehash()

    def expand_next(self, most_expanded: int, most_generated: int) -> Outcome:
        """Expand beliefs in order, see `ReachedBeliefs.expand_next`, until there is no room."""
        model = self._model
        tables = model.forward
        outcome = expand_any_width(
            tables.tables,
            tables.offsets,
            tables.targets,
            model.applicable,
            model.applies_everywhere,
            model.goals,
            model.goals_of,
            model.goals_around,
            self.beliefs,
            self.parents,
            self.via,
            self._slots,
            self._books,
            most_expanded,
            most_generated,
        )
        return Outcome(outcome)

    def path_to_last(self) -> list[int]:
        """The numbers of the actions that lead to the last belief appended."""
        place = self.count - 1
        path = []
        while place:
            path.append(int(self.via[place]))
            place = int(self.parents[place])
        return path[::-1]

    def new_rows(self, checkpoint: Checkpoint) -> dict[str, NDArray[Any]]:
        """Return the beliefs, parents and actions between that a checkpoint has not saved yet."""
        return {name: array[checkpoint.rows(name) : self.count] for name, array in self._columns().items()}

    def go_on(self, checkpoint: Checkpoint) -> None:
        """Take up what was kept; the books are those of then."""
        model, demand, count = self._model, checkpoint.demand, self.count
        demand(all(checkpoint.rows(name) == count for name in self._columns()))
        capacity = len(self.beliefs)
        while capacity < count:
            capacity *= 2
        self._slots = np.zeros(0, dtype=np.uint32)
        self._resize(capacity)
        for name, column in self._columns().items():
            begin = 0
            for piece in checkpoint.pieces(name):
                demand(piece.dtype == column.dtype and piece.shape[1:] == column.shape[1:])
                column[begin : begin + len(piece)] = piece
                begin += len(piece)
        for start in range(1, count, _PIECE):
            some = slice(start, min(start + _PIECE, count))
            demand((self.parents[some] < np.arange(some.start, some.stop)).all())
            demand((self.via[some] < len(model.actions)).all())
            demand(not (self.beliefs[some] & ~model.universe).any() and self.beliefs[some].any(axis=1).all())
        demand((self.beliefs[0] == model.initial).all())
        self._rehash()

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {"beliefs": self.beliefs, "parents": self.parents, "via": self.via}

    def release(self) -> tuple[Words, NDArray[np.uint32], NDArray[Any]]:
        """Give away the beliefs, their parents and the actions between, and keep nothing."""
        arrays = self.beliefs, self.parents, self.via
        self.beliefs, self.parents = self.beliefs[:0].copy(), self.parents[:0].copy()  # a view would keep them
        self.via = self.via[:0].copy()
        self._slots = np.zeros(0, dtype=np.uint32)
        return arrays

    def _resize(self, capacity: int) -> None:
        """Make room for this many beliefs, one array after the other, so that old ones are freed in between."""
        width = self._model.width
        used = min(self.count, len(self.beliefs))
        beliefs: Words = np.empty((capacity, width), dtype=np.uint64)
        beliefs[:used] = self.beliefs[:used]
        self.beliefs = beliefs
        parents = np.empty(capacity, dtype=np.uint32)
        parents[:used] = self.parents[:used]
        self.parents = parents
        via: NDArray[Any] = np.empty(capacity, dtype=self._via_kind)
        via[:used] = self.via[:used]
        self.via = via

    def _rehash(self) -> None:
        """Build the hash table anew, at most half full at the present capacity."""
        self._slots = np.zeros(0, dtype=np.uint32)  # frees the old one first
        self._slots = slots_for(len(self.beliefs))
        rehash(self.beliefs, self.count, self._slots)
