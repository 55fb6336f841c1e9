"""One end of a layered search, on arrays of words by compiled kernels: the same layers as `ListedSide`."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.base import Action
from ...running.limits import EffortExceeded
from ...running.store.checkpoint import Checkpoint
from ...solvers.path.antichains import Side
from .array_model import CompiledModel
from .bitset_kernels import RelationTables, image, includes
from .bitset_words import Words, members_of_words
from .jit import kernel
from .sensorless import CompiledView
from .set_index import CHUNK, SetIndex

# Sets expanded before those known already are dropped: small enough for Ctrl-C, the limits and the memory gauge to be
# heard.
_GENERATED = 1 << 17


class Pruning(Enum):
    """Rule for the sets of a new layer that are dropped."""

    ALL = auto()
    """What a set of this layer or of an older one dominates."""
    LAYER = auto()
    """What a set of this layer dominates; so what is kept is what there is after exactly so many actions."""
    NONE = auto()


class ArraySide(Side[Action]):
    """One end of a layered search, its sets as rows of words; `backwards` is that of the goal.

    Dominated sets of the `first` layer are dropped, too. `tick` is called now and then, with the pairs of sets that are
    to be compared next, and raises to stop. Of each layer the `most` first are kept: the largest sets behind. With
    `before`, a side that it goes on from and a number, the first layer are sets of that side's last layer from that
    number on.
    """

    def __init__(
        self,
        model: CompiledModel[Any, Action],
        first: Words,
        *,
        backwards: bool,
        tick: Callable[[int], None],
        pruning: Pruning = Pruning.ALL,
        most: int | None = None,
        before: tuple[ArraySide[Action], int] | None = None,
    ) -> None:
        super().__init__(model.actions, backwards=backwards)
        self.model = model
        self._states = len(members_of_words(model.universe))
        self._tick = tick
        self._pruning = pruning
        self._most = most
        self._before = before
        self._known: Words = first[:0]
        self._index: SetIndex | None = None
        self.growth = 1.0
        """How many times as large as the layer before the last one is; 1 if that is not known."""
        self.layer: Words = first
        self._note_size(first)
        numbers = np.arange(len(first), dtype=np.int32)
        self._first, _ = self._take(first, numbers, numbers)

    @property
    def depth(self) -> int:
        return super().depth + (self._before[0].depth if self._before else 0)

    def path(self, number: int) -> tuple[Action, ...]:
        path = super().path(number)
        if self._before is None:
            return path
        for origins, _ in reversed(self._steps):
            number = int(origins[number])
        side, start = self._before
        rest = side.path(start + int(self._first[number]))
        return path + rest if self._backwards else rest + path

    def grown(self, start: int, stop: int) -> ArraySide[Action]:
        """Return a side that goes on from these sets of the last layer and drops nothing."""
        return ArraySide(
            self.model,
            self.layer[start:stop],
            backwards=self._backwards,
            tick=self._tick,
            pruning=Pruning.NONE,
            before=(self, start),
        )

    def to_keep(self, name: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        arrays = {f"{name}-layer": self.layer, f"{name}-known": self._known}
        return {**self._state(), "growth": self.growth, "model": self.model.digest}, arrays

    def _take_kept(self, checkpoint: Checkpoint, name: str, state: dict[str, Any]) -> None:
        checkpoint.demand(state.get("model") == self.model.digest)
        with checkpoint.sound():
            self.growth = state["growth"]
            self.layer, self._known = (checkpoint.array(f"{name}-{part}") for part in ("layer", "known"))
            self._index = None

    def advance(self) -> int:
        self._index = None
        before = len(self.layer)
        chunk = max(1, _GENERATED // max(1, len(self.model.actions)))
        known = self._index_of(largest_first(self._known)) if self._backwards else None
        parts: list[tuple[Words, NDArray[np.int32], NDArray[np.int32]]] = []
        generated = 0
        for start in range(0, max(1, len(self.layer)), chunk):
            self._tick(0)
            sets, origins, actions = expand(self.model, self.layer[start : start + chunk], backwards=self._backwards)
            generated += len(sets)
            self._note_size(sets)
            if self._pruning is Pruning.ALL:
                new = known.find(sets) < 0 if known else ~self._index_of(sets).including(self._known)
                sets, origins, actions = sets[new], origins[new], actions[new]
            parts.append((sets, origins + np.int32(start), actions))
        if len(parts) > 1:
            sets, origins, actions = map(np.concatenate, zip(*parts, strict=True))
        self._steps.append(self._take(sets, origins, actions))
        self.growth = len(self.layer) / max(1, before)
        return generated

    def index(self) -> SetIndex:
        """Return an index of the last layer."""
        if self._index is None:
            self._index = self._index_of(self.layer)
        return self._index

    def sort_by_size(self) -> None:
        """Put the sets of the last layer in the order that an index likes, the largest first; for layers not pruned."""
        order = np.argsort(-sizes_of(self.layer), kind="stable")
        self.layer = self.layer[order]
        self._index = None
        if self._steps:
            origins, actions = self._steps[-1]
            self._steps[-1] = origins[order], actions[order]
        else:
            self._first = self._first[order]

    def _take(
        self, sets: Words, origins: NDArray[np.int32], actions: NDArray[Any]
    ) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """Make the undominated of these sets the new layer; return their origins.

        Sets dominated by a known one are not among them, unless this is the first layer.
        """
        if self._pruning is Pruning.NONE:
            self.layer = sets
            self.kept += len(sets)
            return origins, actions
        kept = self._antichain(sets)[: self._most]
        self.layer = np.ascontiguousarray(sets[kept])
        if self._pruning is Pruning.ALL:
            remaining = self._known[~self._dominated(self._known, self.layer)]
            self._known = np.concatenate([remaining, self.layer])
        self.kept += len(kept)
        return origins[kept], actions[kept]

    def _index_of(self, sets: Words) -> SetIndex:
        return SetIndex(sets, self._states, self._tick)

    def _note_size(self, sets: Words) -> None:
        self._max_size = max(self._max_size, int(sizes_of(sets).max(initial=0)))

    def _dominated(self, sets: Words, by: Words) -> NDArray[np.bool_]:
        """For each of `sets` whether one of `by` dominates it."""
        if self._backwards:
            return self._index_of(by).find(sets) >= 0
        return self._index_of(sets).including(by)

    def _antichain(self, sets: Words) -> NDArray[np.intp]:
        """Return the places of undominated sets, one of equal ones: the largest first behind, the smallest ahead."""
        places = np.arange(len(sets), dtype=np.int64)
        if len(sets) < 2:
            return places
        sizes = sizes_of(sets)
        order = np.argsort(-sizes if self._backwards else sizes, kind="stable")
        index = self._index_of(sets[order])
        if self._backwards:
            return order[index.find(index.sets, places) < 0]
        return order[~index.including(index.sets, places)]


def sizes_of(sets: Words) -> NDArray[np.int64]:
    """Return the number of members of each set."""
    sizes: NDArray[np.int64] = np.bitwise_count(sets).sum(axis=1, dtype=np.int64)
    return sizes


def largest_first(sets: Words) -> Words:
    """Return the sets in an order that an index likes, if there are enough to matter."""
    if len(sets) <= CHUNK:
        return sets
    return sets[np.argsort(-sizes_of(sets), kind="stable")]


def meeting_of(ahead: ArraySide[Any], behind: ArraySide[Any]) -> tuple[int, int] | None:
    """Return the numbers of a set of the last layer ahead, and of the first one behind that includes it."""
    found = behind.index().find(ahead.layer)
    places = np.flatnonzero(found >= 0)
    return (int(places[0]), int(found[places[0]])) if len(places) else None


def array_sides(
    view: CompiledView[Any, Action], tick: Callable[[], None], spend: Comparisons | None = None
) -> tuple[ArraySide[Action], ArraySide[Action], Callable[[], tuple[int, int] | None]]:
    """Return both ends of a search of `view`, and where they meet; `spend`, if it is given, counts comparisons."""
    model, spend = view.model, spend or Comparisons(tick)
    behind = ArraySide(model, model.goals[model.goals.any(axis=1)], backwards=True, tick=spend)
    ahead = ArraySide(model, model.initial[np.newaxis], backwards=False, tick=spend)
    return ahead, behind, lambda: meeting_of(ahead, behind)


class Comparisons:
    """Counts pairs of sets that are compared; after about `most` it raises `EffortExceeded`."""

    def __init__(self, tick: Callable[[], None], most: float = inf) -> None:
        self._tick = tick
        self._most = most
        self.made = 0

    def __call__(self, comparisons: int) -> None:
        self._tick()
        self.made += comparisons
        if self.made > self._most:
            raise EffortExceeded


def expand(
    model: CompiledModel[Any, Any], sets: Words, *, backwards: bool
) -> tuple[Words, NDArray[np.int32], NDArray[np.int32]]:
    """Return the images, or the pre-images that are not empty, of these sets under all actions.

    Returns the sets, the place of the set from which each comes, and the number of the action.
    """
    relations = model.backward if backwards else model.forward
    room = len(sets) * len(model.actions)
    out: Words = np.empty((room, model.width), dtype=np.uint64)
    origins, actions = np.empty((2, room), dtype=np.int32)
    count = _expand(relations, model.applicable, model.universe, sets, backwards, out, origins, actions)
    return out[:count], origins[:count], actions[:count]


@kernel
def _expand(
    relations: RelationTables,
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
                image(relations, action, outside, sets[count])
                some = np.uint64(0)
                for word in range(universe.size):
                    sets[count, word] = applicable[action, word] & ~sets[count, word]
                    some |= sets[count, word]
                if some == 0:
                    continue
            elif includes(applicable[action], layer[origin]):
                image(relations, action, layer[origin], sets[count])
            else:
                continue
            origins[count] = origin
            actions[count] = action
            count += 1
    return count
