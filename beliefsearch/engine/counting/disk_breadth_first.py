"""Breadth-first search for a plan that continues on disk once its beliefs take too much memory.

The plan is found backward from the goal through the layers on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import evolve

from ...errors import StoreError
from ...model.base import Action
from ...plans.result import SearchResult
from ...running.limits import EffortExceeded
from ...running.observer import Observer
from ...running.run import Record, Run
from ...running.store.checkpoint import Checkpoint
from ...solvers.path.search_tree import plan_cost
from ..compiled.breadth_first import array_breadth_first_search
from ..compiled.sensorless import CompiledView
from .belief_codes import BeliefSpace
from .codes import Codes, Space
from .disk_jobs import memory_each
from .disk_layers import DiskLayers
from .executors import Serial


def plan_from_layers(layers: DiskLayers, space: Space, finished: Callable[[], None]) -> list[int] | None:
    """Return a shortest path from a start to a goal, as numbers of actions; None if there is none.

    The path of `path_back` leads to the first goal, in the order of the files, of the first layer that has one. All
    layers must be kept. `finished` is called after each layer that has no goal.
    """
    while True:
        for codes in layers.pieces(len(layers.counts) - 1):
            goals = codes[space.goals(codes)]
            if len(goals):
                return path_back(layers, space, goals[:1])
        finished()
        if not layers.advance():
            return None


def path_back(layers: DiskLayers, space: Space, target: Codes) -> list[int]:
    """Return a shortest path to a node of the last layer, as numbers of actions, found backward layer by layer.

    In each layer it takes the first node that leads on to the path, and the first action that does. To find it the
    layer is expanded once more up to this node. Raises `StoreError` if no node leads there.
    """
    wanted = target.reshape(1, -1)
    path: list[int] = []
    for distance in reversed(range(len(layers.counts) - 1)):
        for codes in layers.pieces(distance):
            before = _before(space, codes, wanted)
            if before is not None:
                row, action = before
                wanted = codes[row : row + 1]
                path.append(action)
                break
        else:
            raise StoreError(f"the store is damaged: in layer {distance} nothing leads on to where the path goes")
    return path[::-1]


def _before(space: Space, codes: Codes, wanted: Codes) -> tuple[int, int] | None:
    """Return the row of the first node that leads to `wanted`, and its first action that does; None if none does."""
    found = []
    for action in range(space.actions):
        results, rows = space.results(codes, action)
        leading = rows[(results == wanted).all(axis=1)]
        if len(leading):
            found.append((int(leading.min()), action))
    return min(found, default=None)


# The search in memory may take a quarter of the memory, because its tables double and are copied into checkpoints.
_PART = 4


def stored_breadth_first_search(view: CompiledView[Any, Action], *, run: Run) -> SearchResult[Action]:
    """Find a plan with the fewest actions: in memory while there is room (`array_breadth_first_search`), then on disk.

    On disk the search begins again and keeps every layer. It may find another one of the shortest plans, see
    `plan_from_layers`.
    """
    checkpoint = run.checkpoint
    assert checkpoint is not None
    if not checkpoint.is_over:
        room = run.budget.most_memory()
        most = None if room is None else room // _PART
        try:
            return array_breadth_first_search(view, most_bytes=most, run=run)
        except EffortExceeded:
            checkpoint.give_up({"max_belief_size": view.max_belief_size})
    return disk_breadth_first_search(view, checkpoint.sequel("on-disk"), run=run)


def disk_breadth_first_search(view: CompiledView[Any, Action], store: Checkpoint, *, run: Run) -> SearchResult[Action]:
    """Find a plan with the fewest actions on disk; a search in the store is resumed.

    If beliefs have a bound it takes about as long as in memory. A belief takes 4 or 8 bytes on disk, and as much again
    while runs are merged.
    """
    record: Record[bytes, Action] = Record("breadth-first", view, run)
    unit_costs = view.has_unit_costs()
    with record:
        space = BeliefSpace(view.problem, model=view.model)
        if run.listener is not None:
            run = evolve(run, observer=_Within(run.observer, record))
        engine = Serial()  # the plan depends on the number of parts, which should not depend on the machine's cores
        layers = DiskLayers(space, store, engine, memory_each(run.budget, engine), run, keep_layers=True)
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
    """Return the number of states of the largest belief."""
    pieces = (codes for distance in range(len(layers.counts)) for codes in layers.pieces(distance))
    return max(int(np.bitwise_count(codes).sum(axis=1, dtype=np.int64).max()) for codes in pieces)


class _Within(Observer):
    """An observer of the layers that passes progress on with the proved lower bound instead of the depth."""

    def __init__(self, observer: Observer, record: Record[Any, Any]) -> None:
        self._observer = observer
        self._record = record

    def resumed(self, expanded: int, layers: int) -> None:
        self._observer.resumed(expanded, layers)

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        self._observer.progressed(self._record.lower_bound, expanded, frontier, reached)
