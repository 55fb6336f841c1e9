"""Proofs by exhaustion whose beliefs are too many for the search in memory: layers on disk, and a table made of them.

On disk no belief stands for another: the table has all that can be reached for less than the bound, layer by layer. A
search in memory takes some hundred bytes for each, from both ends; the table takes some tens.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from ..engine.compiled.frontier import largest_first
from ..engine.compiled.sensorless import CompiledView
from ..engine.compiled.set_index import SetIndex
from ..engine.counting.belief_codes import BeliefSpace
from ..engine.counting.disk_jobs import memory_each
from ..engine.counting.disk_layers import DiskLayers
from ..engine.counting.executors import Serial
from ..model.base import Cost
from ..plans.encoding import Json
from ..running.limits import EffortExceeded
from ..running.run import Run
from ..running.store.checkpoint import Checkpoint
from ..verify.lower_arrays import MOST_ENTRIES
from .cores import proof_of_listed
from .exhaustion import TooLong, exhaustion

# The lists in memory may take one part in so many of it: sides, and what is written of them, take some more.
_PART = 4
# With more bytes than these, some minutes' work, it is first tried on disk, where nothing is lost by a kill.
_FIRST = 1 << 30


def stored_exhaustion(
    view: CompiledView[Any, Any], bound: Cost, tick: Callable[[], None], run: Run
) -> dict[str, Json] | None:
    """The proof by exhaustion that no plan costs less than `bound`: in memory while it is small, then on disk.

    It is None if a plan costs less. Where actions differ in costs, only that there is no plan can be shown on disk.
    Raises `TooLong` if that is more than a checker takes; at a limit the layers on disk are saved.
    """
    if bound < math.inf and not view.has_unit_costs():
        return exhaustion(view, bound, tick)
    checkpoint: Any = run.checkpoint
    disk = checkpoint.sequel("exhaustion-on-disk")
    room = run.budget.most_memory()
    most = math.inf if room is None else room // _PART
    if not checkpoint.is_over:
        try:
            return exhaustion(view, bound, tick, min(most, _FIRST))
        except EffortExceeded:
            checkpoint.give_up({"in": "memory"})
    if not disk.is_over:
        try:
            return _on_disk(view, bound, disk, run)
        except TooLong:
            disk.give_up({"in": "files"})
    if most > _FIRST:
        with suppress(EffortExceeded):  # from both ends lists may be far shorter, and fit into all there is
            return exhaustion(view, bound, tick, most)
    raise TooLong(MOST_ENTRIES)


def _on_disk(view: CompiledView[Any, Any], bound: Cost, checkpoint: Checkpoint, run: Run) -> dict[str, Json] | None:
    limit = None if bound == math.inf else math.ceil(bound)
    model = view.model
    goals = SetIndex(largest_first(model.goals[model.goals.any(axis=1)]), len(model.states))
    space = BeliefSpace(view.problem, model=model)
    engine = Serial()
    layers = DiskLayers(space, checkpoint, engine, memory_each(run.budget, engine), run, keep_layers=True)
    distance = 0
    while distance < len(layers.counts) or layers.advance():
        if sum(layers.counts[: distance + 1]) > MOST_ENTRIES:
            raise TooLong(MOST_ENTRIES)
        if any((goals.find(codes) >= 0).any() for codes in layers.pieces(distance)):
            return None
        distance += 1
        if distance == limit:
            break
    listed = layers.counts[:distance]
    sets = np.concatenate([codes for at in range(len(listed)) for codes in layers.pieces(at)])
    left = None if limit is None else np.repeat(limit - np.arange(len(listed), dtype=np.uint32), listed)
    return proof_of_listed(view, sets, run.tick, left)
