"""Breadth-first layers of a space whose codes lie below a bound: two bits of a table for each code.

Two bits say of a node that it is not reached, lies in the layer that is expanded, in the one that is being found, or in
an older one (Korf, *Minimizing disk I/O in two-bit breadth-first search*, AAAI 2008).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...running.limits import Budget
from ...running.observer import Observer
from .space import Space
from .step import unique

if TYPE_CHECKING:
    from .space import Codes

_UNREACHED, _OLD = 0, 1
_PIECE = 1 << 18


class TableLayers:
    """A breadth-first search that keeps two bits for each number below the bound; see `Layers`."""

    def __init__(self, space: Space, budget: Budget | None = None, observer: Observer | None = None) -> None:
        assert space.bound is not None
        self.space = space
        self._budget = budget or Budget()
        self._observer = observer
        self._table = np.zeros(-(-space.bound // 4), dtype=np.uint8)
        self._expanded = 0
        starts = unique(space.starts())
        self.counts = [self._enter(starts, self._mark(0))]

    @staticmethod
    def _mark(layer: int) -> int:
        return 2 + (layer & 1)

    @property
    def reached(self) -> int:
        """How many nodes are reached in the layers that are complete."""
        return sum(self.counts)

    def _enter(self, codes: Codes, mark: int) -> int:
        """Mark what of these codes, without repetitions, is not reached; returns how many they are."""
        found = 0
        for place in range(4):
            column = codes[:, 0]
            chosen = (column[(column & np.uint64(3)) == place] >> np.uint64(2)).astype(np.intp)
            chosen = chosen[(self._table[chosen] >> np.uint8(2 * place)) & 3 == _UNREACHED]
            self._table[chosen] |= np.uint8(mark << 2 * place)
            found += len(chosen)
        return found

    def _marked(self, start: int, mark: int) -> Codes:
        """The codes with this mark from a piece of the table, in ascending order."""
        piece = self._table[start : start + _PIECE]
        cells = np.stack([(piece >> np.uint8(2 * place)) & 3 for place in range(4)], axis=1)
        codes: Codes = (np.flatnonzero(cells == mark) + 4 * start).astype(np.uint64)
        return codes[:, np.newaxis]

    def advance(self) -> int:
        """Find the next layer; the number of its nodes, which is added to `counts` unless it is 0: there is none."""
        here, there = self._mark(len(self.counts) - 1), self._mark(len(self.counts))
        found = 0
        for start in range(0, len(self._table), _PIECE):
            self._budget.tick()
            self._budget.check_expanded(self._expanded)
            codes = self._marked(start, here)
            if not len(codes):
                continue
            found += self._enter(unique(self.space.successors(codes)), there)
            self._expanded += len(codes)
            if self._observer is not None:
                self._observer.progressed(len(self.counts) - 1, self._expanded, found, self.reached + found)
        if not found:
            return 0
        self._forget(here)
        self.counts.append(found)
        if self._observer is not None:
            self._observer.layer_finished(len(self.counts) - 1, found, self.reached)
        return found

    def _forget(self, mark: int) -> None:
        """Mark all nodes of a layer as old."""
        by_byte = np.zeros(256, dtype=np.uint8)
        values = np.arange(256)
        for place in range(4):
            cell = values >> 2 * place & 3
            by_byte |= (np.where(cell == mark, _OLD, cell) << 2 * place).astype(np.uint8)
        for start in range(0, len(self._table), _PIECE):
            piece = self._table[start : start + _PIECE]
            np.take(by_byte, piece, out=piece)

    def last(self, most: int) -> Codes:
        """At most so many nodes of the last layer, those with the least codes."""
        mark = self._mark(len(self.counts) - 1)
        found: list[Codes] = [np.zeros((0, 1), dtype=np.uint64)]
        for start in range(0, len(self._table), _PIECE):
            if sum(map(len, found)) >= most:
                break
            found.append(self._marked(start, mark))
        return np.concatenate(found)[:most]
