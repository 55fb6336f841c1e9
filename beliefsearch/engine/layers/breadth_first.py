"""Breadth-first search for a plan that goes on in a store once its beliefs take too much memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...model.problem import Action
from ...plans.result import SearchResult
from ...running.checkpoint import Checkpoint, StoreOfSearch
from ...running.limits import Budget, Outgrown
from ...running.observer import Observer
from ...running.record import Record
from ...solvers.path.parents import plan_cost
from ..compiled.breadth_first import array_breadth_first_search
from ..compiled.sensorless_view import CompiledView
from .belief_space import BeliefSpace
from .engines import Serial
from .on_disk import DiskLayers
from .path_back import plan_from_layers
from .sizes import memory_each

# The search in memory may take one part in so many: its tables grow by doubling, and are kept from time to time.
_PART = 4


def stored_breadth_first_search(
    view: CompiledView[Any, Action],
    *,
    budget: Budget | None = None,
    observer: Observer | None = None,
    checkpoint: Checkpoint,
) -> SearchResult[Action]:
    """Find a plan with the fewest actions: in memory while there is room (`array_breadth_first_search`), then on disk.

    On disk the search begins anew, and every layer is kept. Of the shortest plans it may find another one, as
    `plan_from_layers` says.
    """
    budget = budget or Budget()
    if not checkpoint.is_over:
        room = budget.most_memory()
        most = None if room is None else room // _PART
        try:
            return array_breadth_first_search(
                view, most_bytes=most, budget=budget, observer=observer, checkpoint=checkpoint
            )
        except Outgrown:
            checkpoint.give_up({"max_belief_size": view.max_belief_size})
    return disk_breadth_first_search(view, checkpoint.sequel("on-disk").as_store(), budget=budget, observer=observer)


def disk_breadth_first_search(
    view: CompiledView[Any, Action], store: StoreOfSearch, *, budget: Budget, observer: Observer | None = None
) -> SearchResult[Action]:
    """Find a plan with the fewest actions, on disk, and go on from what the store has.

    Time as in memory and, where beliefs have a bound, about as long; 4 or 8 bytes a belief on disk, and once more while
    runs are merged.
    """
    record: Record[bytes, Action] = Record("breadth-first", view, budget, observer)
    unit_costs = view.has_unit_costs()
    with record:
        space = BeliefSpace(view.problem, model=view.model)
        within = None if observer is None else _Within(observer, record)
        engine = Serial()  # which of the shortest plans is found depends on how codes are divided, not on the machine
        layers = DiskLayers(space, store, engine, memory_each(budget, engine), budget, within, keep_layers=True)
        record.watch(lambda: layers.reached)

        def count() -> None:
            record.tally(layers.expanded, layers.generated, max(layers.counts))

        def finished() -> None:
            count()
            record.finish_layer(len(layers.counts) if unit_costs else 0, layers.counts[-1])

        try:
            path = plan_from_layers(layers, space, finished)
            view.max_belief_size = _largest(layers)
        finally:
            count()
        if path is None:
            return record.unsolvable()
        plan = tuple(view.model.actions[number] for number in path)
        return record.solved(plan, plan_cost(view, plan), record.lower_bound)
    return record.undecided()


def _largest(layers: DiskLayers) -> int:
    """The size of the largest belief."""
    pieces = (codes for distance in range(len(layers.counts)) for codes in layers.pieces(distance))
    return max(int(np.bitwise_count(codes).sum(axis=1, dtype=np.int64).max()) for codes in pieces)


class _Within(Observer):
    """Tells of progress within layers, and with it the bound that was proved."""

    def __init__(self, observer: Observer, record: Record[Any, Any]) -> None:
        self._observer = observer
        self._record = record

    def resumed(self, expanded: int, layers: int) -> None:
        self._observer.resumed(expanded, layers)

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        self._observer.progressed(self._record.lower_bound, expanded, frontier, reached)
