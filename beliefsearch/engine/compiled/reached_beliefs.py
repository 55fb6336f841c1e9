"""The reached beliefs of a breadth-first search as arrays, and the step that adds the next ones.

That step is the seam of the engine: expand a stretch of beliefs under all actions, make the successors
unique, drop those reached before, append the rest with their parents. `expand_next` does it in this
process, with a kernel for beliefs of one word and one for all others; an engine that is spread over several
processes would replace it and nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .any_width_step import enter_all, expand_any_width
from .model import CompiledModel
from .one_word_step import expand_one_word, side_by_side
from .step import COUNT, DEPTH, GENERATED, HEAD, LAYER_END, MAX_FRONTIER, Outcome
from .words import Words

_FIRST_CAPACITY = 1 << 12


class ReachedBeliefs:
    """All beliefs reached so far, in the order in which breadth-first search meets them.

    The queue of the search is the same array: `head` is the place of the next belief to expand. Parents
    are kept as the place of the parent and the number of the action between, 6 or 8 bytes a belief. `beliefs` has the
    shape (capacity, width); the first `len(self)` rows are in use.
    """

    def __init__(self, model: CompiledModel[Any, Any]) -> None:
        self._model = model
        self._via_kind = np.uint16 if len(model.actions) <= 1 << 16 else np.uint32
        self._books = np.zeros(6, dtype=np.int64)
        self._books[COUNT] = self._books[LAYER_END] = 1
        self.beliefs: Words = np.empty((0, model.width), dtype=np.uint64)
        self._parents = np.empty(0, dtype=np.uint32)
        self._via: NDArray[Any] = np.empty(0, dtype=self._via_kind)
        self._resize(max(_FIRST_CAPACITY, 2 * len(model.actions)))
        self.beliefs[0] = model.initial
        self._slots = np.zeros(0, dtype=np.uint32)
        self._rehash()
        tables = model.forward.tables
        self._side_by_side = side_by_side(tables) if model.width == 1 and len(tables) else None

    def __len__(self) -> int:
        return int(self._books[COUNT])

    @property
    def nbytes(self) -> int:
        """The memory used, in bytes."""
        return self.beliefs.nbytes + self._parents.nbytes + self._via.nbytes + self._slots.nbytes

    @property
    def expanded(self) -> int:
        """How many beliefs have been expanded."""
        return int(self._books[HEAD])

    @property
    def generated(self) -> int:
        """How many successors they had, repetitions included."""
        return int(self._books[GENERATED])

    @property
    def max_frontier(self) -> int:
        """The largest size of the frontier."""
        return int(self._books[MAX_FRONTIER])

    @property
    def depth(self) -> int:
        """The depth of the belief that is to be expanded next."""
        return int(self._books[DEPTH])

    def expand_next(self, most_expanded: int, most_generated: int) -> Outcome:
        """Expand beliefs in order until there is a reason to stop; the step described above.

        It stops before more than `most_expanded` beliefs are expanded, counted from the beginning, and pauses after
        about `most_generated` successors, counted from this call.
        """
        model = self._model
        if len(self) + len(model.actions) > len(self.beliefs):
            self._resize(2 * len(self.beliefs))
            self._rehash()
        search = (
            model.applicable,
            model.applies_everywhere,
            model.goals,
            model.goals_of,
            model.goals_around,
            self.beliefs,
            self._parents,
            self._via,
            self._slots,
            self._books,
            most_expanded,
            most_generated,
        )
        if self._side_by_side is not None:
            return Outcome(expand_one_word(self._side_by_side, *search))
        tables = model.forward
        return Outcome(expand_any_width(tables.tables, tables.offsets, tables.targets, *search))

    def path_to_last(self) -> list[int]:
        """The numbers of the actions that lead to the last belief appended."""
        place = len(self) - 1
        path = []
        while place:
            path.append(int(self._via[place]))
            place = int(self._parents[place])
        return path[::-1]

    def max_size(self) -> int:
        """The number of members of the largest belief."""
        largest = 0
        for start in range(0, len(self), 1 << 16):
            sizes = np.bitwise_count(self.beliefs[start : min(start + (1 << 16), len(self))])
            largest = max(largest, int(sizes.sum(axis=1, dtype=np.int64).max()))
        return largest

    def _resize(self, capacity: int) -> None:
        """Make room for this many beliefs, one array after the other, so that old ones are freed in between."""
        width = self._model.width
        used = min(len(self), len(self.beliefs))
        beliefs: Words = np.empty((capacity, width), dtype=np.uint64)
        parents = np.empty(capacity, dtype=np.uint32)
        via: NDArray[Any] = np.empty(capacity, dtype=self._via_kind)
        beliefs[:used] = self.beliefs[:used]
        parents[:used] = self._parents[:used]
        via[:used] = self._via[:used]
        self.beliefs, self._parents, self._via = beliefs, parents, via

    def _rehash(self) -> None:
        """Build the hash table anew, at most half full at the present capacity."""
        self._slots = np.zeros(0, dtype=np.uint32)  # frees the old one first
        self._slots = np.zeros(1 << (2 * len(self.beliefs) - 1).bit_length(), dtype=np.uint32)
        enter_all(self.beliefs, len(self), self._slots)
