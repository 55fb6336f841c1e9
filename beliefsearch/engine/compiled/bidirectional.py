"""Search from both ends on arrays: layer by layer at first, and under an upper bound once the layers grow large."""

from __future__ import annotations

from math import inf
from typing import Any, Generic

from attrs import define, evolve

from ...model.base import Action
from ...plans.result import SearchResult
from ...running.run import Record, Run
from ...running.store.checkpoint import Checkpoint
from ...solvers.path.antichains import Side, cheaper_side, layered_search, save_sides
from .bounded_bidirectional import BoundedSearch
from .frontier import Comparisons, array_sides
from .sensorless import CompiledView

# Pairs of sets compared for a meeting, from which on it pays to look for an upper bound.
_LARGE = 1 << 20


def array_bidirectional_search(
    view: CompiledView[Any, Action], *, most: float = inf, run: Run | None = None
) -> SearchResult[Action]:
    """Find a plan with the fewest actions from both ends, as `bidirectional_belief_search` does.

    After about `most` comparisons of sets it raises `EffortExceeded`, if no upper bound was found by then; or when one
    was, but the rest is expected to take many minutes. With a checkpoint it goes on from what was saved, and saves
    how far it has come.
    """
    record: Record[Any, Action] = Record("bidirectional", view, run)
    search = _BothEnds(view, most, record)
    with record:
        return search.result()
    result = record.undecided()
    bounded = search.bounded
    if bounded is None or not bounded.plan:
        return result
    known = f"{result.reason}; a plan of {len(bounded.plan)} actions is known by then, but not that none is shorter"
    return evolve(result, reason=known)


@define
class _BothEnds(Generic[Action]):
    """A search from both ends, and from some time on a `bounded` one."""

    _view: CompiledView[Any, Action]
    _most: float
    _record: Record[Any, Action]
    bounded: BoundedSearch[Action] | None = None
    # In place of the ends, once the search is bounded: all sets, the members of the largest, and the steps ahead.
    _sets: int = 0
    _max_size: int = 0
    _depth: int = 0

    def result(self) -> SearchResult[Action]:
        view, checkpoint = self._view, self._record.checkpoint
        if checkpoint is not None and checkpoint.kept and checkpoint.number("bounded"):
            return self._go_on_bounded(checkpoint)
        spend = Comparisons(self._record.tick, self._most)
        ahead, behind, meeting = array_sides(view, self._record.tick, spend)

        def next_side(one: Side[Action], other: Side[Action]) -> Side[Action] | None:
            large = self.bounded is None and len(one) * len(other) > _LARGE
            if large and self._begin_bounded(ahead.depth).find_plan():
                return None
            return cheaper_side(one, other)

        def save() -> None:
            if checkpoint is not None and checkpoint.due():
                tried = 1 + self._depth if self.bounded else 0
                both = {"ahead": ahead, "behind": behind}
                save_sides(checkpoint, self._record, both, bounded=0, tried=tried, comparisons=spend.made)

        self._record.watch(lambda: ahead.kept + behind.kept + (self.bounded.kept if self.bounded else 0))
        if checkpoint is not None and checkpoint.kept:
            self._record.go_on(checkpoint)  # first: what is proved stands even if a limit ends the rest
            ahead.go_on(checkpoint, "ahead")
            behind.go_on(checkpoint, "behind")
            spend.made = checkpoint.number("comparisons")
            tried = checkpoint.number("tried")
            if tried:
                self._begin_bounded(tried - 1)
        try:
            result = layered_search(ahead, behind, meeting, next_side, self._record, view, save)
            if result is not None:
                return result
            self._sets, self._max_size = ahead.kept + behind.kept, ahead.max_size()
            return self._bounded_result()
        finally:
            view.max_belief_size = max(view.max_belief_size, ahead.max_size())

    def _begin_bounded(self, depth: int) -> BoundedSearch[Action]:
        self._depth = depth
        patient = self._most == inf
        self.bounded = BoundedSearch(
            self._view, depth, self._record.tick, self._record, patient=patient, checkpoint=self._record.checkpoint
        )
        return self.bounded

    def _go_on_bounded(self, checkpoint: Checkpoint) -> SearchResult[Action]:
        self._sets, self._max_size = checkpoint.number("sets"), checkpoint.number("max_size")
        bounded = self._begin_bounded(checkpoint.number("depth"))
        self._record.watch(lambda: self._sets + bounded.kept)
        bounded.go_on(checkpoint)
        try:
            return self._bounded_result()
        finally:
            self._view.max_belief_size = max(self._view.max_belief_size, self._max_size)

    def _bounded_result(self) -> SearchResult[Action]:
        assert self.bounded is not None
        return self.bounded.result({"bounded": 1, "depth": self._depth, "sets": self._sets, "max_size": self._max_size})
