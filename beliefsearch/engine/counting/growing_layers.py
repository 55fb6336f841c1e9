"""Layers of a search in memory, in the form that suits its size."""

from __future__ import annotations

from ...running.limits import Budget, resident_memory
from ...running.run import Run
from .codes import Codes, Space
from .memory_layers import MemoryLayers, Walk

# So many words are compared without kernels in less time than kernels take to load, or so.
_LITTLE_WORK = 1 << 22
# What kernels take, in bytes, once they are loaded. To compile them takes more, but only once.
_KERNELS = 100 << 20
# A table is made once codes take so large a part of its memory.
_PART = 128


class GrowingLayers:
    """Layers of a space in memory, in the form that takes the least time and room for what is reached so far.

    At first that is one run of codes; later, by kernels on all cores, sets of codes; and where codes have a bound, if
    many below it are reached and there is room, a table of two bits each.
    """

    def __init__(self, space: Space, run: Run | None = None) -> None:
        self._space, self._run = space, run or Run()
        self._form: Walk = MemoryLayers(self._space, self._run)

    @property
    def counts(self) -> list[int]:
        return self._form.counts

    def advance(self) -> int:
        """Find the next layer; the number of its nodes, which is added to `counts` unless it is 0: there is none."""
        self._form = self._grown()
        return self._form.advance()

    def last(self, most: int) -> Codes:
        """At most so many nodes of the last layer, those with the least codes."""
        return self._form.last(most)

    def _grown(self) -> Walk:
        """The layers in the form that suits the next one."""
        space, run, form = self._space, self._run, self._form
        if isinstance(form, MemoryLayers):
            work = form.work + form.counts[-1] * space.actions * space.words
            if work <= _LITTLE_WORK or not _has_room(_KERNELS, run.budget):
                return form
        from .hashed_layers import HashedLayers
        from .two_bit_layers import TableLayers

        if isinstance(form, TableLayers):
            return form
        if space.bound is not None:
            table = TableLayers.nbytes_for(space.bound)
            if _PART * HashedLayers.nbytes_for(form.reached) > table and _has_room(table, run.budget):
                return TableLayers(space, run, before=form)
        return form if isinstance(form, HashedLayers) else HashedLayers(space, run, before=form)


def _has_room(size: int, budget: Budget) -> bool:
    """Whether so many bytes are left."""
    most = budget.most_memory()
    return most is None or size <= most - resident_memory()
