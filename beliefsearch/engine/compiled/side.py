"""One end of a layered search, on arrays of words by compiled kernels: the same layers as `ListedSide`."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.problem import Action
from ...running.limits import Outgrown
from ...solvers.path.belief_layers import Side
from .jit import kernel
from .kernels import image, includes
from .model import CompiledModel
from .sensorless_view import CompiledView
from .set_index import SetIndex
from .words import Words

# Comparisons in one call of a kernel, and sets expanded before those known already are dropped: small
# enough for Ctrl-C, the limits and the memory gauge to be heard.
_COMPARISONS = 20_000_000
_GENERATED = 1 << 17


class ArraySide(Side[Action]):
    """One end of a layered search, its sets as rows of words; `backwards` is that of the goal.

    Dominated sets of the `first` layer are dropped. `tick` is called now and then, with the comparisons that are to be
    made next, and raises to stop.
    """

    def __init__(
        self, model: CompiledModel[Any, Action], first: Words, *, backwards: bool, tick: Callable[[int], None]
    ) -> None:
        super().__init__(model.actions, backwards=backwards)
        self._model = model
        self._tick = tick
        self._known: Words = first[:0]
        self.layer: Words = first
        zeros = np.zeros(len(first), dtype=np.int32)
        self._take(first, zeros, zeros)

    def advance(self) -> int:
        model = self._model
        chunk = max(1, _GENERATED // max(1, len(model.actions)))
        nothing = np.zeros(0, dtype=np.int32)
        parts: list[tuple[Words, NDArray[np.int32], NDArray[Any]]] = [(self.layer[:0], nothing, nothing)]
        generated = 0
        for start in range(0, len(self.layer), chunk):
            self._tick(0)
            sets, origins, actions = self._expand(self.layer[start : start + chunk])
            generated += len(sets)
            self._note_size(sets)
            new = ~self._dominated(sets, self._known)
            parts.append((sets[new], origins[new] + np.int32(start), actions[new]))
        columns = zip(*parts, strict=True)
        sets, origins, actions = (np.concatenate(column) for column in columns)
        self._steps.append(self._take(sets, origins, actions))
        return generated

    def _expand(self, layer: Words) -> tuple[Words, NDArray[np.int32], NDArray[Any]]:
        """The images, or the pre-images that are not empty, of these sets under all actions."""
        model = self._model
        tables = model.backward if self._backwards else model.forward
        room = len(layer) * len(model.actions)
        sets: Words = np.empty((room, model.width), dtype=np.uint64)
        origins = np.empty(room, dtype=np.int32)
        actions: NDArray[Any] = np.empty(room, dtype=np.int32)
        count = _expand(
            tables.tables,
            tables.offsets,
            tables.targets,
            model.applicable,
            model.universe,
            layer,
            self._backwards,
            sets,
            origins,
            actions,
        )
        return sets[:count], origins[:count], actions[:count]

    def _take(
        self, sets: Words, origins: NDArray[np.int32], actions: NDArray[Any]
    ) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """Make the undominated of these sets the new layer; return their origins.

        Sets dominated by a known one are not among them, unless this is the first layer.
        """
        self._note_size(sets)
        sizes = np.bitwise_count(sets).sum(axis=1, dtype=np.int64)
        order = np.argsort(-sizes if self._backwards else sizes, kind="stable")
        kept = order[self._antichain(sets[order])]
        self.layer = np.ascontiguousarray(sets[kept])
        remaining = self._known[~self._dominated(self._known, self.layer)]
        self._known = np.concatenate([remaining, self.layer])
        self.kept += len(kept)
        return origins[kept], actions[kept]

    def _note_size(self, sets: Words) -> None:
        if len(sets):
            self._max_size = max(self._max_size, int(np.bitwise_count(sets).sum(axis=1, dtype=np.int64).max()))

    def _dominated(self, sets: Words, by: Words) -> NDArray[np.bool_]:
        """For each of `sets` whether one of `by` dominates it."""
        return look_up(sets, by, supersets=self._backwards, tick=self._tick) >= 0

    def _antichain(self, sets: Words) -> NDArray[np.intp]:
        """The places of the sets that no earlier one dominates; an antichain if `sets` is sorted by size."""
        places = np.arange(len(sets), dtype=np.int64)
        return np.flatnonzero(look_up(sets, sets, supersets=self._backwards, tick=self._tick, before=places) < 0)


def look_up(
    queries: Words,
    sets: Words,
    *,
    supersets: bool,
    tick: Callable[[int], None],
    before: NDArray[np.int64] | None = None,
    first_only: bool = False,
) -> NDArray[np.int64]:
    """`SetIndex.find` in batches, with ticks between; with `first_only` it stops at the first hit."""
    found = np.full(len(queries), -1, dtype=np.int64)
    tick(0)
    index = SetIndex(sets, supersets=supersets, queries=len(queries))
    stretch = max(1, int(_COMPARISONS / (index.cost * max(1, len(sets)))))
    for start in range(0, len(queries), stretch):
        stop = min(start + stretch, len(queries))
        tick(int((stop - start) * len(sets) * index.cost))
        limits = None if before is None else before[start:stop]
        found[start:stop] = index.find(queries[start:stop], limits)
        if first_only and (found[start:stop] >= 0).any():
            break
    return found


def array_sides(
    view: CompiledView[Any, Action], tick: Callable[[], None], most: float = inf
) -> tuple[ArraySide[Action], ArraySide[Action], Callable[[], tuple[int, int] | None]]:
    """Both ends of a search of `view`, and the function that finds where they meet.

    After about `most` comparisons of sets they raise `Outgrown`: another way to search may do better.
    """
    model = view.model
    made = 0

    def spend(comparisons: int) -> None:
        nonlocal made
        tick()
        made += comparisons
        if made > most:
            raise Outgrown

    behind = ArraySide(model, model.goals[model.goals.any(axis=1)], backwards=True, tick=spend)
    ahead = ArraySide(model, model.initial[np.newaxis], backwards=False, tick=spend)

    def meeting() -> tuple[int, int] | None:
        found = look_up(ahead.layer, behind.layer, supersets=True, tick=spend, first_only=True)
        places = np.flatnonzero(found >= 0)
        return (int(places[0]), int(found[places[0]])) if len(places) else None

    return ahead, behind, meeting


@kernel
def _expand(
    tables: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    targets: NDArray[Any],
    applicable: Words,
    universe: Words,
    layer: Words,
    backwards: bool,
    sets: Words,
    origins: NDArray[np.int32],
    actions: NDArray[np.int32],
) -> int:
    count = 0
    outside = np.empty_like(universe)
    for origin in range(layer.shape[0]):
        for word in range(universe.size):
            outside[word] = universe[word] & ~layer[origin, word]
        for action in range(applicable.shape[0]):
            if backwards:
                # What lies outside is traced back: there the action may go astray.
                image(tables, offsets, targets, action, outside, sets[count])
                some = np.uint64(0)
                for word in range(universe.size):
                    sets[count, word] = applicable[action, word] & ~sets[count, word]
                    some |= sets[count, word]
                if some == 0:
                    continue
            elif includes(applicable[action], layer[origin]):
                image(tables, offsets, targets, action, layer[origin], sets[count])
            else:
                continue
            origins[count] = origin
            actions[count] = action
            count += 1
    return count
