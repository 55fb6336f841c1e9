"""One side of a bidirectional search on arrays of words by compiled kernels: the same layers as `ListedSide`."""

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
from .bitset_kernels import RelationTables, Traced, image, images
from .bitset_words import Integers, Integers32, Truths, Words, members_of_words
from .jit import kernel
from .sensorless import CompiledView
from .set_index import CHUNK, SetIndex

# Sets generated at a time, before the dominated ones are dropped. In between Ctrl-C and the limits are noticed.
_GENERATED = 1 << 17


class Pruning(Enum):
    """The sets of a new layer that are dropped."""

    ALL = auto()
    """Sets dominated by a set of this layer or of an older one."""
    LAYER = auto()
    """Sets dominated by a set of this layer; then the layer stands for all plans of exactly this length."""
    NONE = auto()


class ArraySide(Side[Action]):
    """One side of a bidirectional search, its sets as rows of words; the backward side begins at the goals.

    Dominated sets of the `first` layer are dropped, too. `tick` is called with the number of pairs of sets that are
    compared next and raises to stop. With `most` only so many sets of each layer are kept, on the backward side the
    largest. `before` is another side and a number, if this side continues that one: the first layer then consists of
    sets of its last layer from that number on.
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
        """The size of the last layer divided by that of the layer before it; 1 at the beginning."""
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
        """Return a side without pruning that continues from these sets of the last layer."""
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
        parts: list[tuple[Words, Integers32, Integers32]] = []
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
        """Sort the last layer by size, the largest set first, for a quicker index; for sides without pruning."""
        order = np.argsort(-sizes_of(self.layer), kind="stable")
        self.layer = self.layer[order]
        self._index = None
        if self._steps:
            origins, actions = self._steps[-1]
            self._steps[-1] = origins[order], actions[order]
        else:
            self._first = self._first[order]

    def _take(self, sets: Words, origins: Integers32, actions: NDArray[Any]) -> tuple[Integers32, NDArray[Any]]:
        """Make the undominated sets the new layer; return their origins and actions.

        The caller has dropped those that an older layer dominates.
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

    def _dominated(self, sets: Words, by: Words) -> Truths:
        """Mark those of `sets` that one of `by` dominates."""
        if self._backwards:
            return self._index_of(by).find(sets) >= 0
        return self._index_of(sets).including(by)

    def _antichain(self, sets: Words) -> NDArray[np.intp]:
        """Return the places of the undominated sets, one of equal ones; smallest first, or backward largest first."""
        places = np.arange(len(sets), dtype=np.int64)
        if len(sets) < 2:
            return places
        sizes = sizes_of(sets)
        order = np.argsort(-sizes if self._backwards else sizes, kind="stable")
        index = self._index_of(sets[order])
        if self._backwards:
            return order[index.find(index.sets, places) < 0]
        return order[~index.including(index.sets, places)]


def sizes_of(sets: Words) -> Integers:
    """Return the number of members of each set."""
    sizes: Integers = np.bitwise_count(sets).sum(axis=1, dtype=np.int64)
    return sizes


def largest_first(sets: Words) -> Words:
    """Return the sets with the largest first, which makes an index quicker, unless they are too few to matter."""
    if len(sets) <= CHUNK:
        return sets
    return sets[np.argsort(-sizes_of(sets), kind="stable")]


def meeting_of(ahead: ArraySide[Any], behind: ArraySide[Any]) -> tuple[int, int] | None:
    """Return the numbers of a set of the last forward layer and of the first backward set that includes it."""
    found = behind.index().find(ahead.layer)
    places = np.flatnonzero(found >= 0)
    return (int(places[0]), int(found[places[0]])) if len(places) else None


def array_sides(
    view: CompiledView[Any, Action], tick: Callable[[], None], spend: Comparisons | None = None
) -> tuple[ArraySide[Action], ArraySide[Action], Callable[[], tuple[int, int] | None]]:
    """Return both sides of a search of `view` and the function that finds where they meet.

    `spend`, if it is given, counts the comparisons of sets.
    """
    model, spend = view.model, spend or Comparisons(tick)
    behind = ArraySide(model, model.goals[model.goals.any(axis=1)], backwards=True, tick=spend)
    ahead = ArraySide(model, model.initial[np.newaxis], backwards=False, tick=spend)
    return ahead, behind, lambda: meeting_of(ahead, behind)


class Comparisons:
    """A counter of the pairs of sets that are compared; it raises `EffortExceeded` after about `most`."""

    def __init__(self, tick: Callable[[], None], most: float = inf) -> None:
        self._tick = tick
        self._most = most
        self.made = 0

    def __call__(self, comparisons: int) -> None:
        self._tick()
        self.made += comparisons
        if self.made > self._most:
            raise EffortExceeded


def expand(model: CompiledModel[Any, Any], sets: Words, *, backwards: bool) -> Traced:
    """Return the images, or the pre-images that are not empty, of these sets under all actions."""
    if not backwards:
        return images(model.forward, model.applicable, 0, len(model.actions), sets)
    return _preimages(model.backward, model.applicable, model.universe, sets)


@kernel
def _preimages(relations: RelationTables, applicable: Words, universe: Words, layer: Words) -> Traced:
    """Return the pre-images that are not empty, under all actions."""
    tables, offsets, targets = relations
    room = layer.shape[0] * applicable.shape[0]
    sets = np.empty((room, universe.size), dtype=np.uint64)
    origins, actions = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
    count = 0
    outside = np.empty_like(universe)
    for origin in range(layer.shape[0]):
        for word in range(universe.size):
            outside[word] = universe[word] & ~layer[origin, word]
        for action in range(applicable.shape[0]):
            # `relations` is the inverse: the image of the complement are the states from which the action may miss.
            image(tables, offsets, targets, action, outside, sets[count])
            some = np.uint64(0)
            for word in range(universe.size):
                sets[count, word] = applicable[action, word] & ~sets[count, word]
                some |= sets[count, word]
            if some != 0:
                origins[count], actions[count] = origin, action
                count += 1
    return sets[:count], origins[:count], actions[:count]
