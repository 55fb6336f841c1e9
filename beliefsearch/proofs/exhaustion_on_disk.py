"""Proofs by exhaustion whose beliefs ahead are too many for memory: layers on disk, which a certificate lists.

Behind there are some layers in memory, as many as are few sets. Ahead are all beliefs as far as these reach, layer by
layer: on disk no belief stands for another. So a plan that is cheaper would be seen where a belief ahead lies in a set
behind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import field, frozen

from ..engine.compiled.frontier import ArraySide, largest_first
from ..engine.compiled.sensorless import CompiledView
from ..engine.compiled.set_index import SetIndex
from ..engine.counting.belief_codes import BeliefSpace
from ..engine.counting.disk_jobs import memory_each
from ..engine.counting.disk_layers import DiskLayers
from ..engine.counting.disk_state import LayerFile
from ..engine.counting.executors import Serial
from ..model.base import Cost
from ..plans.encoding import Json, encode_state
from ..running.limits import EffortExceeded
from ..running.observer import Observer
from ..running.run import Run
from ..running.store.checkpoint import Checkpoint
from ..verify.proof_exhaustion import MOST_LISTED
from .exhaustion import TooLong, exhaustion, sets

if TYPE_CHECKING:
    from ..engine.compiled.bitset_words import Words
    from ..engine.counting.codes import Codes

# The lists in memory may take one part in so many of it: sides, and what is written of them, take some more.
_PART = 4
# With more bytes than these, some minutes' work, it is first tried on disk, where nothing is lost by a kill.
_FIRST = 1 << 30
# So many sets behind are listed at the most: a checker compares the last beliefs ahead with them.
_MOST_BEHIND = 1 << 14


def stored_exhaustion(
    view: CompiledView[Any, Any], bound: Cost, tick: Callable[[], None], run: Run
) -> dict[str, Json] | None:
    """The proof by exhaustion that no plan costs less than `bound`: in memory while it is small, then on disk.

    It is None if a plan costs less. Where actions differ in costs, only that there is no plan can be shown on disk.
    Raises `TooLong` if a list on disk grows longer than a checker takes; at a limit the layers on disk are saved.
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
        with suppress(
            EffortExceeded
        ):  # lists from both ends may be far shorter, and fit if they are given all there is
            return exhaustion(view, bound, tick, most)
    raise TooLong(MOST_LISTED)


def _on_disk(view: CompiledView[Any, Any], bound: Cost, checkpoint: Checkpoint, run: Run) -> dict[str, Json] | None:
    limit = bound if bound == math.inf else math.ceil(bound)
    behind, depth = _behind(view, limit, run.tick)
    reach = 0 if depth == math.inf else limit - depth
    last = min(reach, limit - 1)
    states = len(view.model.states)
    every = SetIndex(largest_first(np.concatenate(behind)), states)
    # A belief at the reach may lie in a set at the depth: they make the bound together.
    earlier = SetIndex(largest_first(np.concatenate(behind[:-1])), states) if 0 < depth < math.inf else every
    space = BeliefSpace(view.problem, model=view.model)
    engine = Serial()
    within = _Counting(run.observer)
    memory = memory_each(run.budget, engine)
    layers = DiskLayers(space, checkpoint, engine, memory, Run(run.budget, within), keep_layers=True)
    distance = 0
    while distance < len(layers.counts) or layers.advance():
        within.check(sum(layers.counts[: distance + 1]))
        index = every if distance < reach else earlier
        if any((index.find(codes) >= 0).any() for codes in layers.pieces(distance)):
            return None
        if distance == last:
            break
        distance += 1
    listed = min(distance + 1, len(layers.counts))
    priced = view.has_unit_costs()
    ahead = ListedLayers(tuple((at if priced else 0, file) for at in range(listed) for file in layers.files(at)))
    # Whoever looks for a list in a file passes all that stands before it: the longest is the last.
    lists: dict[str, Any] = {
        "states": [encode_state(view.problem, state) for state in view.model.states],
        "behind": [entry for number, layer in enumerate(behind) for entry in sets(layer, number)],
        "ahead": ahead,
    }
    written = [None if number == math.inf else int(number) for number in (limit, reach, depth)]
    return {"kind": "exhaustion", "bound": written[0], "reach": written[1], "depth": written[2], **lists}


def _behind(view: CompiledView[Any, Any], limit: Cost, tick: Callable[[], None]) -> tuple[list[Words], Cost]:
    """Layers of sets that are won by so many actions, and how many: infinite if there are no others."""
    side = ArraySide(view.model, view.model.goals[view.model.goals.any(axis=1)], backwards=True, tick=lambda _: tick())
    layers = [side.layer]
    while limit < math.inf and len(layers) <= limit:
        side.advance()
        if not len(side.layer):
            return layers, math.inf
        if sum(map(len, layers)) + len(side.layer) > _MOST_BEHIND:
            break
        layers.append(side.layer)
    return layers, len(layers) - 1


@frozen
class ListedLayers(Collection[Json]):
    """The list of beliefs ahead in a certificate, which stays on disk: each iteration reads the files anew.

    Each entry is a set as a hexadecimal number, with a cost. What was read is not what was written if the store has
    changed since: `StoreError` where that shows.
    """

    _files: tuple[tuple[int, LayerFile], ...] = field(repr=False)

    def __len__(self) -> int:
        return sum(file.nodes for _, file in self._files)

    def __iter__(self) -> Iterator[Json]:
        for cost, file in self._files:
            for codes in file.pieces():
                for members in _masks(codes):
                    yield [f"{members:x}", cost]

    def __contains__(self, entry: object) -> bool:
        return any(entry == other for other in self)


def _masks(codes: Codes) -> Iterator[int]:
    """Beliefs as whole numbers, bit i for state i."""
    for row in codes.tolist():
        mask = 0
        for word in reversed(row):
            mask = mask << 64 | word
        yield mask


class _Counting(Observer):
    """Stops a list that grows too long for a checker as soon as that shows."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def check(self, listed: int) -> None:
        if listed > MOST_LISTED:
            raise TooLong(MOST_LISTED)

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        self.check(reached)
        self._observer.progressed(bound, expanded, frontier, reached)

    def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
        self._observer.layer_finished(bound, frontier, reached)
