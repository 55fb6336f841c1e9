"""Breadth-first layers in memory: the last one is expanded piece by piece, within limits and on all cores.

The simplest form has what was reached as one run of codes, and needs no kernels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from time import thread_time

import numpy as np

from ...running.run import Run
from .codes import Codes, Space, absent, least, merged, unique
from .executors import Engine, Serial, Threads

# So many words of successors are made at a time at the most, and at first: few enough for the processor's caches.
_MOST_WORDS = 1 << 17
_FIRST_WORDS = 1 << 12
# How long a piece should take, in seconds of the processor: Ctrl-C and the limits are heard between two of them.
_SHORT, _LONG = 0.01, 0.05


class Walk(ABC):
    """A breadth-first search in memory. A subclass says in which form reached nodes are saved.

    With `before` it goes on from another one, which is left without what it had reached. `expanded` counts nodes so
    far, `reached` those in the layers that are complete.
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
        """Find the next layer; the number of its nodes, which is added to `counts` unless it is 0: there is none."""
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
        """Yield the pieces of the last layer that may be expanded."""
        begun = self.expanded
        for codes in self._piece.cut(self.layer()):
            self._run.budget.check_expanded(begun)
            begun += len(codes)
            yield codes

    def _expand(self, codes: Codes) -> tuple[int, int]:
        """Expand a piece of the last layer; returns how many nodes it has, and how many new ones follow."""
        begun = thread_time()
        new = self._enter(self.space.successors(codes))
        self._piece.took(len(codes), thread_time() - begun)
        return len(codes), new

    def _end_layer(self, found: int) -> None:
        """Make the layer that was being found, with so many nodes, the last one."""
        self.counts.append(found)
        self.reached += found

    @abstractmethod
    def _enter(self, codes: Codes) -> int:
        """Enter what of these codes is new into the layer that is being found; returns how many that are."""

    @abstractmethod
    def _remember(self, codes: Codes) -> None:
        """Enter codes that lie in the last layer or in an older one."""

    @abstractmethod
    def layer(self) -> Iterator[Codes]:
        """The last layer, in arrays of any size."""

    @abstractmethod
    def release(self) -> Iterator[Codes]:
        """All nodes reached, in arrays of any size, each of which is forgotten. The last layer stays."""

    @abstractmethod
    def last(self, most: int) -> Codes:
        """At most so many nodes of the last layer, those with the least codes."""


class _Piece:
    """Number of nodes expanded at a time: few at first, then as many as take neither too long nor too short.

    Never fewer than at first: a piece may take as long as all that was reached is large, and then smaller ones only
    make it more of them.
    """

    def __init__(self, space: Space) -> None:
        words = max(1, space.actions) * space.words
        self._most = max(1, _MOST_WORDS // words)
        self.size = self._least = max(1, _FIRST_WORDS // words)

    def took(self, nodes: int, seconds: float) -> None:
        """Learn of a piece."""
        if seconds > _LONG:
            self.size = min(self.size, max(self._least, nodes // 2))
        elif seconds < _SHORT and nodes == self.size:
            self.size = min(2 * nodes, self._most)

    def cut(self, arrays: Iterable[Codes]) -> Iterator[Codes]:
        """The rows of the arrays in pieces."""
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
    """A breadth-first search that keeps the codes of all nodes reached.

    Each piece takes time in proportion to all that was reached, so that this is for small searches. `work` says about
    how many words were compared so far.
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
        """At most so many nodes of the last layer, those with the least codes."""
        return least(self._layer, most)
