"""Which layers a search in memory keeps."""

from __future__ import annotations

from ...running.limits import Budget
from ...running.observer import Observer
from .in_memory import MemoryLayers
from .space import Layers, Space
from .two_bits import TableLayers

# Tables up to so many bytes are made without a second thought.
_SMALL_TABLE = 1 << 24


def layers_of(space: Space, budget: Budget | None = None, observer: Observer | None = None) -> Layers:
    """The layers of a space, in memory: a table of two bits a code where it has a bound and that is small."""
    if space.bound is not None and space.bound // 4 <= _SMALL_TABLE:
        return TableLayers(space, budget, observer)
    return MemoryLayers(space, budget, observer)
