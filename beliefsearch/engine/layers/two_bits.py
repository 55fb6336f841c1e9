"""Breadth-first layers of a space whose codes lie below a bound: two bits of a table for each code.

The first nodes of a layer are listed as long as they are few, and otherwise marked in the table, which is then looked
through for them (Korf, *Minimizing disk I/O in two-bit breadth-first search*, AAAI 2008). So a search of many small
layers need not look through a large table for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from ...running.limits import Budget
from ...running.observer import Observer
from .engines import Engine
from .in_memory import MemoryLayers, piece_of
from .space import Space
from .step import least
from .table import CELLS, OLD, enter, forget, marked, table_for, unreached
from .threads import Threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .space import Codes

# Of so many codes one can be listed: both lists together then take a quarter of the memory of the table.
_LISTED = 128
_FEWEST_LISTED = 1 << 10
# So many words of the table are looked through at a time.
_STRETCH = 1 << 20


class TableLayers:
    """A breadth-first search that keeps two bits for each number below the bound; see `Layers`.

    Memory: 5/16 of a byte for each number below the bound; 3/8 if that is above 2**32. With `before` it goes on from
    layers that have kept codes so far, and takes them from there.
    """

    def __init__(
        self,
        space: Space,
        budget: Budget | None = None,
        observer: Observer | None = None,
        engine: Engine | None = None,
        before: MemoryLayers | None = None,
    ) -> None:
        assert space.bound is not None
        self.space = space
        self._bound = space.bound
        self._budget = budget or Budget()
        self._observer = observer
        self._engine = engine or Threads()
        self._entering = Lock()
        self._piece = max(CELLS, piece_of(space))
        self._table = table_for(self._bound)
        room = max(_FEWEST_LISTED, self._bound // _LISTED)
        self._listed, self._next = (np.empty(room, dtype=_kind(self._bound)) for _ in range(2))
        self._next_count = 0  # so many of the layer that is being found are listed
        self._expanded = before.expanded if before else 0
        self.counts = before.counts[:-1] if before else []
        layer = before.layer if before else [space.starts()]
        self._end_layer(sum(self._enter(codes) for codes in layer))
        for codes in before.release() if before else ():
            self._budget.tick()
            enter(self._table, codes, OLD, self._next[:0], 0)

    @staticmethod
    def nbytes_for(bound: int) -> int:
        """The memory that the table and the lists take, in bytes."""
        return bound // 4 + 2 * bound // _LISTED * np.dtype(_kind(bound)).itemsize

    @property
    def reached(self) -> int:
        """How many nodes lie in the layers that are complete."""
        return sum(self.counts)

    def advance(self) -> int:
        """Find the next layer; the number of its nodes, which is added to `counts` unless it is 0: there is none."""
        if self.reached == self._bound:
            return 0
        depth = len(self.counts)
        found = 0
        for expanded, new in self._engine.map(self._expand, self._jobs()):
            self._budget.tick()
            found += new
            self._expanded += expanded
            if self._observer is not None:
                self._observer.progressed(depth - 1, self._expanded, found, self.reached + found)
        if not found:
            return 0
        if self._is_marked:
            for start in range(0, len(self._table), _STRETCH):
                self._budget.tick()
                forget(self._table[start : start + _STRETCH], _mark(depth - 1))
        self._end_layer(found)
        if self._observer is not None:
            self._observer.layer_finished(depth, found, self.reached)
        return found

    def _end_layer(self, found: int) -> None:
        """Make the layer that was being found the last one."""
        self._listed, self._next = self._next, self._listed
        self._count, self._next_count = self._next_count, 0
        self.counts.append(found)

    def _expand(self, codes: Codes) -> tuple[int, int]:
        """Expand a piece of the last layer; returns how many nodes it has, and how many new ones follow."""
        following = self.space.successors(codes)
        return len(codes), self._enter(unreached(self._table, following))

    def _enter(self, codes: Codes) -> int:
        """Enter codes into the layer that is being found; returns how many are new."""
        with self._entering:
            new, self._next_count = enter(self._table, codes, _mark(len(self.counts)), self._next, self._next_count)
        return int(new)

    @property
    def _is_marked(self) -> bool:
        """Whether some of the last layer is not listed."""
        return self._count < self.counts[-1]

    def _jobs(self) -> Iterator[Codes]:
        """What may be expanded of the last layer, in pieces."""
        begun = self._expanded
        for codes in self._layer():
            self._budget.check_expanded(begun)
            begun += len(codes)
            yield codes

    def _layer(self) -> Iterator[Codes]:
        """The last layer in pieces: what is listed, and then what is marked, in ascending order."""
        for start in range(0, self._count, self._piece):
            yield self._listed[start : min(start + self._piece, self._count), np.newaxis].astype(np.uint64)
        if self._is_marked:
            yield from self._marked()

    def _marked(self) -> Iterator[Codes]:
        mark = _mark(len(self.counts) - 1)
        for start in range(0, len(self._table), _STRETCH):
            stretch = self._table[start : start + _STRETCH]
            word = 0
            while word < len(stretch):
                codes: Codes = np.empty((self._piece, 1), dtype=np.uint64)
                count, word = marked(stretch, word, mark, codes)
                if count:
                    codes[:count] += np.uint64(start * CELLS)
                    yield codes[:count]

    def last(self, most: int) -> Codes:
        """At most so many nodes of the last layer, those with the least codes."""
        found = [least(self._listed[: self._count, np.newaxis].astype(np.uint64), most)]
        for codes in self._marked() if self._is_marked else ():
            found.append(codes[:most])
            if sum(map(len, found[1:])) >= most:
                break
        return least(np.concatenate(found), most)


def _kind(bound: int) -> Any:
    """The type of listed codes."""
    return np.uint32 if bound <= 2**32 else np.uint64


def _mark(layer: int) -> int:
    """The mark of the nodes of a layer that are not listed."""
    return 2 + (layer & 1)
