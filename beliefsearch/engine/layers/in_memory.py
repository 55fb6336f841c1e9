"""Breadth-first layers in memory: what was reached as one run of codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...running.limits import Budget
from ...running.observer import Observer
from .space import Space
from .step import absent, least, merged, unique

if TYPE_CHECKING:
    from .space import Codes

PIECE = 1 << 16
"""So many nodes are expanded at a time: few enough for Ctrl-C and the limits to be heard."""


class MemoryLayers:
    """A breadth-first search that keeps the codes of all nodes reached; see `Layers`."""

    def __init__(self, space: Space, budget: Budget | None = None, observer: Observer | None = None) -> None:
        self.space = space
        self._budget = budget or Budget()
        self._observer = observer
        self._layer = unique(space.starts())
        self._reached = self._layer
        self._expanded = 0
        self.counts = [len(self._layer)]

    @property
    def reached(self) -> int:
        """How many nodes are reached, of the layer that is being found, too."""
        return len(self._reached)

    def advance(self) -> int:
        """Find the next layer; the number of its nodes, which is added to `counts` unless it is 0: there is none."""
        new: list[Codes] = []
        found = 0
        for start in range(0, len(self._layer), PIECE):
            self._budget.tick()
            self._budget.check_expanded(self._expanded)
            piece = self._layer[start : start + PIECE]
            codes = absent(unique(self.space.successors(piece)), self._reached)
            self._reached = merged(self._reached, codes)
            new.append(codes)
            found += len(codes)
            self._expanded += len(piece)
            if self._observer is not None:
                self._observer.progressed(len(self.counts) - 1, self._expanded, found, self.reached)
        if not found:
            return 0
        self._layer = unique(np.concatenate(new))
        self.counts.append(found)
        if self._observer is not None:
            self._observer.layer_finished(len(self.counts) - 1, found, self.reached)
        return found

    def last(self, most: int) -> Codes:
        """At most so many nodes of the last layer, those with the least codes."""
        return least(self._layer, most)
