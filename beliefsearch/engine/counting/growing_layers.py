"""Breadth-first layers in memory, in a representation that suits their size."""

from __future__ import annotations

from ...running.limits import Budget, resident_memory
from ...running.run import Run
from .codes import Codes, Space
from .memory_layers import MemoryLayers, Walk

# Comparing so many words without kernels takes about as long as loading the kernels.
_LITTLE_WORK = 1 << 22
# The memory that loaded kernels take, in bytes. Compiling them takes more, but happens only once.
_KERNELS = 100 << 20
# The table is made as soon as the listed codes take this part (1/128) of its memory.
_PART = 128


class GrowingLayers:
    """Layers of a space in memory, in the form that takes the least time and memory for the nodes reached so far.

    The first form is one run of codes. The second form is hash sets of codes, by kernels on all cores. If codes have a
    bound, many codes below it are reached and there is room, the third form is a table with two bits for each code.
    """

    def __init__(self, space: Space, run: Run | None = None) -> None:
        self._space, self._run = space, run or Run()
        self._form: Walk = MemoryLayers(self._space, self._run)

    @property
    def counts(self) -> list[int]:
        return self._form.counts

    def advance(self) -> int:
        """Find the next layer and return the number of its nodes, which is added to `counts`; 0 if there is none."""
        self._form = self._grown()
        return self._form.advance()

    def last(self, most: int) -> Codes:
        """Return the nodes of the last layer with the least codes, at most `most`."""
        return self._form.last(most)

    def _grown(self) -> Walk:
        """Return the layers in the form that suits the next one."""
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
    """Whether so many bytes of memory are left."""
    most = budget.most_memory()
    return most is None or size <= most - resident_memory()
