"""Which layers a search in memory keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...running.limits import Budget, machine_memory, resident_memory
from ...running.observer import Observer
from .engines import Engine
from .in_memory import MemoryLayers
from .space import Layers, Space
from .two_bits import TableLayers

if TYPE_CHECKING:
    from .space import Codes

# A table is made at once if it takes so few bytes, and else once codes take so large a part of its memory.
_SMALL_TABLE = 1 << 24
_PART = 32


def layers_of(
    space: Space, budget: Budget | None = None, observer: Observer | None = None, engine: Engine | None = None
) -> Layers:
    """The layers of a space in memory, in the form that takes the least.

    Where codes have a bound that is a table of two bits each, if there are many and there is room; and else sets of
    codes. By default the work is done on all cores.
    """
    budget = budget or Budget()
    if space.bound is None or not _fits(space.bound, budget):
        return MemoryLayers(space, budget, observer, engine)
    if TableLayers.nbytes_for(space.bound) <= _SMALL_TABLE:
        return TableLayers(space, budget, observer, engine)
    return _GrowingLayers(space, space.bound, budget, observer, engine)


def _fits(bound: int, budget: Budget) -> bool:
    """Whether there is room for a table."""
    limits = [limit for limit in (budget.limits.memory, machine_memory()) if limit is not None]
    return not limits or TableLayers.nbytes_for(bound) <= min(limits) - resident_memory()


class _GrowingLayers:
    """Sets of codes that become a table once they are large, if there is room then."""

    def __init__(
        self, space: Space, bound: int, budget: Budget, observer: Observer | None, engine: Engine | None
    ) -> None:
        self._parts = space, budget, observer, engine
        self._bound = bound
        self._budget = budget
        self._form: MemoryLayers | TableLayers = MemoryLayers(*self._parts)

    @property
    def counts(self) -> list[int]:
        return self._form.counts

    def advance(self) -> int:
        """Find the next layer; the number of its nodes, which is added to `counts` unless it is 0: there is none."""
        form = self._form
        large = isinstance(form, MemoryLayers) and form.nbytes * _PART > TableLayers.nbytes_for(self._bound)
        if large and _fits(self._bound, self._budget):
            self._form = TableLayers(*self._parts, before=form)
        return self._form.advance()

    def last(self, most: int) -> Codes:
        """At most so many nodes of the last layer, those with the least codes."""
        return self._form.last(most)
