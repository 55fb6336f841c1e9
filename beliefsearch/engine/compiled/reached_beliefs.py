"""The reached beliefs of a breadth-first search as arrays, and the step that adds the next ones.

That step is the seam of the engine: expand a stretch of beliefs under all actions, make the successors
unique, drop those reached before, append the rest with their parents. `expand_next` does it in this
process, with kernels; an engine that is spread over several processes would replace it and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...running.checkpoint import Checkpoint
from .listed_beliefs import ListedBeliefs
from .mapped_beliefs import MappedBeliefs
from .model import CompiledModel
from .step import BOOKS, COUNT, DEPTH, GENERATED, HEAD, LAYER_END, MAX_FRONTIER, MAX_SIZE, Outcome


class ReachedBeliefs:
    """All beliefs reached so far, in the order in which breadth-first search meets them.

    They are listed (`ListedBeliefs`) until a map with a bit for each belief that there might be (`MappedBeliefs`) takes
    less memory than a longer list: so where there are few states, and many beliefs have come up.
    """

    def __init__(self, model: CompiledModel[Any, Any]) -> None:
        self._model = model
        self._books = np.zeros(len(BOOKS), dtype=np.int64)
        self._books[COUNT] = self._books[LAYER_END] = 1
        self._books[MAX_SIZE] = np.bitwise_count(model.initial).sum()
        self.form: ListedBeliefs | MappedBeliefs = ListedBeliefs(model, self._books)

    def __len__(self) -> int:
        return int(self._books[COUNT])

    @property
    def nbytes(self) -> int:
        """The memory used, in bytes."""
        return self.form.nbytes

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
    def max_size(self) -> int:
        """The number of members of the largest belief."""
        return int(self._books[MAX_SIZE])

    @property
    def depth(self) -> int:
        """The depth of the belief that is to be expanded next."""
        return int(self._books[DEPTH])

    def expand_next(self, most_expanded: int, most_generated: int) -> Outcome:
        """Expand beliefs in order until there is a reason to stop; the step described above.

        It stops before more than `most_expanded` beliefs are expanded, counted from the beginning, and pauses after
        about `most_generated` successors, counted from this call.
        """
        if self.form.is_full:
            if isinstance(self.form, ListedBeliefs) and MappedBeliefs.pays(self._model, self.form):
                listed, self.form = self.form, MappedBeliefs(self._model, self._books)
                self.form.take_over(listed)
            else:
                self.form.make_room()
        return self.form.expand_next(most_expanded, most_generated)

    def save(self, checkpoint: Checkpoint, state: Mapping[str, Any]) -> None:
        """Keep everything, and a state."""
        mapped = isinstance(self.form, MappedBeliefs)
        arrays, rows = (
            self.form.to_keep(checkpoint)
            if isinstance(self.form, MappedBeliefs)
            else ({}, self.form.new_rows(checkpoint))
        )
        state = {**state, "mapped": int(mapped), "model": self._model.digest}
        checkpoint.save(state, {"books": self._books, **arrays}, rows)

    def go_on(self, checkpoint: Checkpoint) -> None:
        """Take up what was kept."""
        demand = checkpoint.demand
        demand((checkpoint.kept or {}).get("model") == self._model.digest)
        books = checkpoint.array("books", like=self._books)
        demand(len(books) == len(BOOKS) and (books >= 0).all() and books[COUNT] >= 1)
        demand(books[HEAD] <= books[LAYER_END] <= books[COUNT] and books[DEPTH] <= books[HEAD])
        self._books[:] = books
        if checkpoint.number("mapped", 1):
            MappedBeliefs.check_sizes(self._model, self._books, checkpoint)
            self.form = MappedBeliefs(self._model, self._books)
        self.form.go_on(checkpoint)

    def path_to_last(self) -> list[int]:
        """The numbers of the actions that lead to the last belief appended."""
        return self.form.path_to_last()
