"""Breadth-first layers in memory: the codes of all nodes reached, in sets by hash."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from ...running.limits import Budget
from ...running.observer import Observer
from .engines import Engine
from .hash_set import CodeSet
from .space import Space
from .step import least, parts
from .threads import Threads

if TYPE_CHECKING:
    from .space import Codes

SUCCESSORS = 1 << 17
"""So many successors are made at a time: few enough for the processor's caches, for Ctrl-C and for the limits."""
# What is reached is kept in so many sets, each with a lock of its own. They grow one by one, which is less to wait for,
# and takes less memory, than one large set.
_PARTS = 32


def piece_of(space: Space) -> int:
    """How many nodes are expanded at a time."""
    return max(1, SUCCESSORS // max(1, space.actions))


class MemoryLayers:
    """A breadth-first search that keeps the codes of all nodes reached; see `Layers`.

    Memory: 11 to 16 bytes for each node whose code is one word, and 8 for each of the last layer and the next.
    """

    def __init__(
        self,
        space: Space,
        budget: Budget | None = None,
        observer: Observer | None = None,
        engine: Engine | None = None,
    ) -> None:
        self.space = space
        self.expanded = 0
        self._budget = budget or Budget()
        self._observer = observer
        self._engine = engine or Threads()
        self._piece = piece_of(space)
        self._sets = [CodeSet(space.words) for _ in range(_PARTS)]
        self._locks = [Lock() for _ in range(_PARTS)]
        self.layer: list[Codes] = self._enter(space.starts())
        self.counts = [sum(map(len, self.layer))]

    @property
    def reached(self) -> int:
        """How many nodes are reached, of the layer that is being found, too."""
        return sum(map(len, self._sets))

    @property
    def nbytes(self) -> int:
        """The memory used, in bytes."""
        return sum(part.nbytes for part in self._sets) + sum(codes.nbytes for codes in self.layer)

    def advance(self) -> int:
        """Find the next layer; the number of its nodes, which is added to `counts` unless it is 0: there is none."""
        layer: list[Codes] = []
        found = 0
        depth = len(self.counts)
        for expanded, new in self._engine.map(self._expand, self._jobs()):
            self._budget.tick()
            layer += new
            found += sum(map(len, new))
            self.expanded += expanded
            if self._observer is not None:
                self._observer.progressed(depth - 1, self.expanded, found, self.reached)
        if not found:
            return 0
        self.layer = layer
        self.counts.append(found)
        if self._observer is not None:
            self._observer.layer_finished(depth, found, self.reached)
        return found

    def _jobs(self) -> Iterator[Codes]:
        """What may be expanded of the last layer, in pieces."""
        begun = self.expanded
        for codes in self._pieces():
            self._budget.check_expanded(begun)
            begun += len(codes)
            yield codes

    def _pieces(self) -> Iterator[Codes]:
        """The last layer in pieces."""
        waiting: list[Codes] = []
        room = self._piece
        for codes in self.layer:
            start = 0
            while start < len(codes):
                waiting.append(codes[start : start + room])
                start += len(waiting[-1])
                room -= len(waiting[-1])
                if not room:
                    yield np.concatenate(waiting)
                    waiting, room = [], self._piece
        if waiting:
            yield np.concatenate(waiting)

    def _expand(self, codes: Codes) -> tuple[int, list[Codes]]:
        """Expand a piece; returns how many nodes it has, and the new ones."""
        return len(codes), self._enter(self.space.successors(codes))

    def _enter(self, codes: Codes) -> list[Codes]:
        """Enter codes; returns those that are new, each once."""
        found = []
        for part, own in enumerate(parts(codes, _PARTS)):
            if len(own):
                with self._locks[part]:
                    new = self._sets[part].enter(own)
                if len(new):
                    found.append(new.copy())  # not the rest of its memory
        return found

    def release(self) -> Iterator[Codes]:
        """All nodes reached, part by part, which are forgotten."""
        while self._sets:
            self._locks.pop()
            yield self._sets.pop().codes()

    def last(self, most: int) -> Codes:
        """At most so many nodes of the last layer, those with the least codes."""
        found = self.space.starts()[:0]
        for codes in self._pieces():
            found = least(np.concatenate([found, codes]), most)
        return found
