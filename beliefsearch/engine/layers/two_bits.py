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
from .space import Space
from .step import least
from .table import CELLS, OLD, enter, forget, marked, table_for, unreached
from .threads import Threads
from .walk import Walk

if TYPE_CHECKING:
    from .space import Codes

# Of so many codes one can be listed: both lists together then take a sixteenth of the memory of the table.
_LISTED = 512
_FEWEST_LISTED = 1 << 10
# So many words of the table, and so many codes in it, are looked for at a time.
_STRETCH = 1 << 20
_SOUGHT = 1 << 16


class TableLayers(Walk):
    """A breadth-first search that keeps two bits for each number below the bound; see `Layers`.

    Memory: 17/64 of a byte for each number below the bound; 9/32 if that is above 2**32.
    """

    def __init__(
        self,
        space: Space,
        budget: Budget | None = None,
        observer: Observer | None = None,
        engine: Engine | None = None,
        before: Walk | None = None,
    ) -> None:
        assert space.bound is not None
        self._bound = space.bound
        self._entering = Lock()
        self._table = table_for(self._bound)
        room = max(_FEWEST_LISTED, self._bound // _LISTED)
        self._listed, self._next = (np.empty(room, dtype=_kind(self._bound)) for _ in range(2))
        self._next_count = 0  # so many of the layer that is being found are listed
        super().__init__(space, budget, observer, engine=engine or Threads(), before=before)

    @staticmethod
    def nbytes_for(bound: int) -> int:
        """The memory that the table and the lists take, in bytes."""
        return bound // 4 + 2 * bound // _LISTED * int(np.dtype(_kind(bound)).itemsize)

    def advance(self) -> int:
        """Find the next layer; the number of its nodes, which is added to `counts` unless it is 0: there is none."""
        if self.reached == self._bound:
            return 0
        marks = self._is_marked
        found = super().advance()
        if found and marks:
            for start in range(0, len(self._table), _STRETCH):
                self._budget.tick()
                forget(self._table[start : start + _STRETCH], _mark(len(self.counts) - 2))
        return found

    def _enter(self, codes: Codes) -> int:
        new = unreached(self._table, codes)
        with self._entering:
            count, self._next_count = enter(self._table, new, _mark(len(self.counts)), self._next, self._next_count)
        return int(count)

    def _remember(self, codes: Codes) -> None:
        enter(self._table, codes, OLD, self._next[:0], 0)

    def _end_layer(self, found: int) -> None:
        super()._end_layer(found)
        self._listed, self._next = self._next, self._listed
        self._count, self._next_count = self._next_count, 0

    @property
    def _is_marked(self) -> bool:
        """Whether some of the last layer is not listed."""
        return self._count < self.counts[-1]

    def layer(self) -> Iterator[Codes]:
        """The last layer: what is listed, and then what is marked, in ascending order."""
        for start in range(0, self._count, _SOUGHT):
            yield self._listed[start : min(start + _SOUGHT, self._count), np.newaxis].astype(np.uint64)
        if self._is_marked:
            yield from self._marked()

    def _marked(self) -> Iterator[Codes]:
        mark = _mark(len(self.counts) - 1)
        for start in range(0, len(self._table), _STRETCH):
            stretch = self._table[start : start + _STRETCH]
            word = 0
            while word < len(stretch):
                codes: Codes = np.empty((_SOUGHT, 1), dtype=np.uint64)
                count, word = marked(stretch, word, mark, codes)
                if count:
                    codes[:count] += np.uint64(start * CELLS)
                    yield codes[:count]

    def release(self) -> Iterator[Codes]:
        raise NotImplementedError("no other layers take less memory")

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
