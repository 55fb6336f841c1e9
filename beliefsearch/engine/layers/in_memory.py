"""Breadth-first layers in memory, the simple way: what was reached as one run of codes. It needs no kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...running.limits import Budget
from ...running.observer import Observer
from .engines import Serial
from .space import Space
from .step import absent, least, merged, unique
from .walk import Walk

if TYPE_CHECKING:
    from .space import Codes


class MemoryLayers(Walk):
    """A breadth-first search that keeps the codes of all nodes reached; see `Layers`.

    Each piece takes time in proportion to all that was reached, so that this is for small searches.

    Attributes
    ----------
    work
        How many words were compared so far, about.
    """

    def __init__(self, space: Space, budget: Budget | None = None, observer: Observer | None = None) -> None:
        self.work = 0
        self._reached = space.starts()[:0]
        self._next: list[Codes] = []
        super().__init__(space, budget, observer, engine=Serial())

    def _enter(self, codes: Codes) -> int:
        self.work += codes.size + self._reached.size
        new = absent(unique(codes), self._reached)
        self._reached = merged(self._reached, new)
        self._next.append(new)
        return len(new)

    def _remember(self, codes: Codes) -> None:
        self._reached = merged(self._reached, absent(unique(codes), self._reached))

    def _end_layer(self, found: int) -> None:
        super()._end_layer(found)
        self._layer = unique(np.concatenate(self._next))
        self._next = []

    def layer(self) -> Iterator[Codes]:
        yield self._layer

    def release(self) -> Iterator[Codes]:
        reached, self._reached = self._reached, self._reached[:0]
        yield reached

    def last(self, most: int) -> Codes:
        """At most so many nodes of the last layer, those with the least codes."""
        return least(self._layer, most)
