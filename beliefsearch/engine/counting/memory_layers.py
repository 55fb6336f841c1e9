"""Breadth-first layers in memory: the last layer is expanded piece by piece, within limits and on all cores.

The simplest form has the reached nodes as one run of codes, and needs no kernels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from time import thread_time

import numpy as np

from ...running.run import Run
from .codes import Codes, Space, absent, least, merged, unique
from .executors import Engine, Serial, Threads

# The most words of successors of one piece, which should fit into the processor's caches; and those of the first piece.
_MOST_WORDS = 1 << 17
_FIRST_WORDS = 1 << 12
# The wanted processor time of a piece, in seconds. Ctrl-C and the limits are noticed between two pieces.
_SHORT, _LONG = 0.01, 0.05


class Walk(ABC):
    """A breadth-first search in memory. A subclass determines the form in which reached nodes are kept.

    With `before` it continues another search and takes over its nodes. `expanded` counts the expanded nodes, `reached`
    the nodes of the complete layers.
    """

    def __init__(
        self, space: Space, run: Run | None = None, *, engine: Engine | None = None, before: Walk | None = None
    ) -> None:
        self.space = space
        self.counts: list[int] = before.counts[:-1] if before else []
        self.expanded: int = before.expanded if before else 0
        self.reached = sum(self.counts)
        self._run = run or Run()
        self._engine = engine or Threads()
        self._piece = _Piece(space)
        self._end_layer(sum(self._enter(codes) for codes in (before.layer() if before else [space.starts()])))
        for codes in before.release() if before else ():
            self._run.tick()
            self._remember(codes)

    def advance(self) -> int:
        """Find the next layer and return the number of its nodes, which is added to `counts`; 0 if there is none."""
        depth = len(self.counts)
        reached = self.reached
        found = 0
        for expanded, new in self._engine.map(self._expand, self._jobs()):
            self._run.tick()
            self.expanded += expanded
            found += new
            self._run.observer.progressed(depth - 1, self.expanded, found, reached + found)
        if found:
            self._end_layer(found)
            self._run.observer.layer_finished(depth, found, reached + found)
        return found

    def _jobs(self) -> Iterator[Codes]:
        """Yield the last layer in pieces, until the limit of expansions is reached."""
        begun = self.expanded
        for codes in self._piece.cut(self.layer()):
            self._run.budget.check_expanded(begun)
            begun += len(codes)
            yield codes

    def _expand(self, codes: Codes) -> tuple[int, int]:
        """Expand a piece of the last layer; return the numbers of its nodes and of their new successors."""
        begun = thread_time()
        new = self._enter(self.space.successors(codes))
        self._piece.took(len(codes), thread_time() - begun)
        return len(codes), new

    def _end_layer(self, found: int) -> None:
        """Make the layer under construction, with `found` nodes, the last one."""
        self.counts.append(found)
        self.reached += found

    @abstractmethod
    def _enter(self, codes: Codes) -> int:
        """Add the new ones of these codes to the layer under construction, and return their number."""

    @abstractmethod
    def _remember(self, codes: Codes) -> None:
        """Mark codes of the last layer or an older one as reached."""

    @abstractmethod
    def layer(self) -> Iterator[Codes]:
        """Yield the last layer, in arrays of any size."""

    @abstractmethod
    def release(self) -> Iterator[Codes]:
        """Yield all reached nodes, in arrays of any size, and free each of them. The last layer stays."""

    @abstractmethod
    def last(self, most: int) -> Codes:
        """Return the nodes of the last layer with the least codes, at most `most`."""


class _Piece:
    """The number of nodes expanded at a time: few at first, then as many as take neither too long nor too short.

    It never falls below the first number. If each piece is compared with all reached nodes, its time does not depend
    on its size, and smaller pieces would only be more of them.
    """

    def __init__(self, space: Space) -> None:
        words = max(1, space.actions) * space.words
        self._most = max(1, _MOST_WORDS // words)
        self.size = self._least = max(1, _FIRST_WORDS // words)

    def took(self, nodes: int, seconds: float) -> None:
        """Adapt the size to the time that a piece of so many nodes took."""
        if seconds > _LONG:
            self.size = min(self.size, max(self._least, nodes // 2))
        elif seconds < _SHORT and nodes == self.size:
            self.size = min(2 * nodes, self._most)

    def cut(self, arrays: Iterable[Codes]) -> Iterator[Codes]:
        """Yield the rows of the arrays in pieces of the present size."""
        waiting: list[Codes] = []
        room = self.size
        for codes in arrays:
            start = 0
            while start < len(codes):
                waiting.append(codes[start : start + room])
                start += len(waiting[-1])
                room -= len(waiting[-1])
                if not room:
                    yield waiting[0] if len(waiting) == 1 else np.concatenate(waiting)
                    waiting, room = [], self.size
        if waiting:
            yield np.concatenate(waiting)


class MemoryLayers(Walk):
    """A breadth-first search that keeps the reached nodes as one run of codes.

    Each piece takes time in proportion to the number of all reached nodes, so this is for small searches. `work` is
    roughly the number of words compared so far.
    """

    def __init__(self, space: Space, run: Run | None = None) -> None:
        self.work = 0
        self._reached = space.starts()[:0]
        self._next: list[Codes] = []
        super().__init__(space, run, engine=Serial())

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
        return least(self._layer, most)
