"""Breadth-first layers in memory, the quick way for any codes: what was reached in sets by hash."""

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
from .walk import Walk

if TYPE_CHECKING:
    from .space import Codes

# What is reached is kept in so many sets, each with a lock of its own. They grow one by one, which is less to wait for,
# and takes less memory, than one large set.
_PARTS = 64


class HashedLayers(Walk):
    """A breadth-first search that keeps the codes of all nodes reached; see `Layers`.

    Memory: 11 to 16 bytes for each node whose code is one word, and 8 for each of the last layer and the next.
    """

    def __init__(
        self,
        space: Space,
        budget: Budget | None = None,
        observer: Observer | None = None,
        engine: Engine | None = None,
        before: Walk | None = None,
    ) -> None:
        self._sets = [CodeSet(space.words) for _ in range(_PARTS)]
        self._locks = [Lock() for _ in range(_PARTS)]
        self._next: list[Codes] = []
        super().__init__(space, budget, observer, engine=engine or Threads(), before=before)

    @staticmethod
    def nbytes_for(nodes: int) -> int:
        """The memory that so many nodes take at the least, whose codes are one word."""
        return 11 * nodes

    def _enter(self, codes: Codes) -> int:
        new = self._new(codes)
        if len(new):
            self._next.append(new)
        return len(new)

    def _remember(self, codes: Codes) -> None:
        self._new(codes)

    def _new(self, codes: Codes) -> Codes:
        """Enter codes into the sets; returns those that are new, each once."""
        found = [codes[:0]]
        for part, own in enumerate(parts(codes, _PARTS)):
            if len(own):
                with self._locks[part]:
                    found.append(self._sets[part].enter(own))
        return np.concatenate(found)

    def _end_layer(self, found: int) -> None:
        super()._end_layer(found)
        self._layer, self._next = self._next, []

    def layer(self) -> Iterator[Codes]:
        yield from self._layer

    def release(self) -> Iterator[Codes]:
        while self._sets:
            yield self._sets.pop().codes()

    def last(self, most: int) -> Codes:
        """At most so many nodes of the last layer, those with the least codes."""
        found = self.space.starts()[:0]
        for codes in self._layer:
            found = least(np.concatenate([found, least(codes, most)]), most)
        return found
