"""Bidirectional search on arrays: layer by layer at first, and under an upper bound once the layers are large."""

from __future__ import annotations

from math import inf
from typing import Any, Generic

from attrs import define

from ...model.base import Action
from ...plans.result import SearchResult
from ...running.limits import EffortExceeded
from ...running.run import Record, Run
from ...running.store.checkpoint import Checkpoint
from ...solvers.path.antichains import Side, cheaper_side, layered_search, save_sides
from ...solvers.path.search_tree import plan_cost
from .bounded_bidirectional import BoundedSearch
from .frontier import Comparisons, array_sides
from .sensorless import CompiledView

# The number of pairs of a forward and a backward set from which on it pays to look for an upper bound.
_LARGE = 1 << 20


def array_bidirectional_search(
    view: CompiledView[Any, Action], *, most: float = inf, in_all: float = inf, run: Run | None = None
) -> SearchResult[Action]:
    """Find a plan with the fewest actions from both ends, as `bidirectional_belief_search` does.

    Raises `EffortExceeded` after about `most` comparisons of sets without an upper bound, or `in_all` with one. With a
    finite `most` it also raises it if there is an upper bound, but the rest is expected to take many minutes. A search
    that is stopped returns the plan of the upper bound, if there is one; the exception has it as `stopped`. With a
    checkpoint the search resumes from the saved state and saves its progress.
    """
    record: Record[Any, Action] = Record("bidirectional", view, run)
    search = _BothEnds(view, most, in_all, record)
    with record:
        try:
            return search.result()
        except EffortExceeded as exceeded:
            exceeded.stopped = search.stopped()
            raise
    return search.stopped()


@define
class _BothEnds(Generic[Action]):
    """A bidirectional search that may continue as a `bounded` one."""

    _view: CompiledView[Any, Action]
    _most: float
    _in_all: float
    _record: Record[Any, Action]
    bounded: BoundedSearch[Action] | None = None
    _depth: int = 0  # the forward depth at which the bounded search began

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
            if result is None:
                result = self._bounded_result(ahead.kept + behind.kept, ahead.max_size())
            return result
        finally:
            view.max_belief_size = max(view.max_belief_size, ahead.max_size())

    def stopped(self) -> SearchResult[Action]:
        """Return the result so far: the plan of the upper bound, if there is one, and the lower bound."""
        if self.bounded is None or not self.bounded.plan:
            return self._record.undecided()
        plan = self.bounded.plan
        return self._record.solved(plan, plan_cost(self._view, plan), 0)

    def _begin_bounded(self, depth: int) -> BoundedSearch[Action]:
        self._depth = depth
        patient = self._most == inf
        spend = Comparisons(self._record.tick, self._in_all)
        self.bounded = BoundedSearch(self._view, depth, self._record, spend, patient=patient)
        return self.bounded

    def _go_on_bounded(self, checkpoint: Checkpoint) -> SearchResult[Action]:
        sets, max_size = checkpoint.number("sets"), checkpoint.number("max_size")
        bounded = self._begin_bounded(checkpoint.number("depth"))
        self._record.watch(lambda: sets + bounded.kept)
        bounded.go_on(checkpoint)
        try:
            return self._bounded_result(sets, max_size)
        finally:
            self._view.max_belief_size = max(self._view.max_belief_size, max_size)

    def _bounded_result(self, sets: int, max_size: int) -> SearchResult[Action]:
        """Return the result of the bounded search; a checkpoint notes the figures of the sides that it replaces."""
        assert self.bounded is not None
        return self.bounded.result({"bounded": 1, "depth": self._depth, "sets": sets, "max_size": max_size})
