"""The reached beliefs of a breadth-first search as a list of rows of words with a hash table."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...running.store.checkpoint import Checkpoint
from .array_model import CompiledModel, Rules
from .bitset_kernels import (
    RelationTables,
    enlarged,
    find_or_insert,
    image,
    includes,
    is_goal,
    rehash,
    size_of,
    slots_for,
)
from .bitset_words import Words
from .jit import kernel


class Outcome(IntEnum):
    """Reason why a kernel returned."""

    PAUSED = 0
    """The kernel has done as much as one call may do."""
    FULL = 1
    """There is no room for the successors of one more belief."""
    GOAL = 2
    """The last belief appended is a goal."""
    EXHAUSTED = 3
    """All reached beliefs are expanded."""
    ASK = 4
    """The author's method must be called for the actions of the next belief."""


class Counters(NamedTuple):
    """Counters of a breadth-first search. A kernel takes them and returns the new ones as a plain tuple.

    (To make a named tuple a kernel calls Python, where an alarm may raise an exception; the kernel would crash.)

    `head` is the next belief to expand and `depth` the depth of its layer, which ends before belief `layer_end`.
    `reached` counts the beliefs, `generated` the successors. `max_frontier` is the largest number of waiting beliefs,
    `max_size` the largest number of states of a belief.
    """

    head: int
    reached: int
    layer_end: int
    depth: int
    generated: int
    max_frontier: int
    max_size: int


# The wanted length of a call of a kernel. Ctrl-C and the limits are noticed between two calls only.
_CALL_SECONDS = 0.1

# Numba kernels take plain numbers instead of enums.
PAUSED, FULL, GOAL, EXHAUSTED, ASK = (int(outcome) for outcome in Outcome)


def next_pause(pause: int, seconds: float) -> int:
    """Return the amount of work for the next call, given that the amount `pause` took `seconds`."""
    return max(1, int(pause * min(2.0, _CALL_SECONDS / max(seconds, 1e-6))))


class Visited(NamedTuple):
    """Reached beliefs in their order, the place of the parent of each and the action from there, and a hash table."""

    beliefs: Words
    parents: NDArray[np.uint32]
    via: NDArray[Any]
    slots: NDArray[np.uint32]


@kernel
def expand_any_width(
    forward: RelationTables, rules: Rules, visited: Visited, counters: Counters, most_expanded: int, most_generated: int
) -> tuple[int, tuple[int, ...]]:
    """Expand beliefs in the order of the queue and append new ones; return an `Outcome` and the new counters."""
    tables, offsets, targets = forward
    applicable, applies_everywhere, goals, goals_of, goals_around = rules
    beliefs, parents, via, slots = visited
    head, count, layer_end, depth, generated, max_frontier, max_size = counters
    pause = generated + most_generated
    actions = applicable.shape[0]
    outcome = EXHAUSTED
    while head < count:
        if head == layer_end:
            layer_end = count
            depth += 1
        if generated >= pause or head >= most_expanded:
            outcome = PAUSED
            break
        if count + actions > beliefs.shape[0]:
            outcome = FULL
            break
        belief = beliefs[head]
        max_frontier = max(max_frontier, count - head)
        head += 1
        for action in range(actions):
            if not applies_everywhere and not includes(applicable[action], belief):
                continue
            generated += 1
            child = beliefs[count]  # computed in its final place, which is used again if the belief is not new
            image(tables, offsets, targets, action, belief, child)
            if find_or_insert(beliefs, slots, count, child) < count:
                continue
            parents[count] = np.uint32(head - 1)
            via[count] = action
            count += 1
            max_size = max(max_size, size_of(child))
            if is_goal(goals, goals_of, goals_around, child):
                outcome = GOAL
                break
        if outcome == GOAL:
            break
    return outcome, (head, count, layer_end, depth, generated, max_frontier, max_size)


FIRST_CAPACITY = 1 << 12

_HASHED = 8  # bytes of the hash table for each belief that there is room for

_SAVED = "beliefs", "parents", "via"


class ListedBeliefs:
    """All reached beliefs in the order in which breadth-first search finds them; the array is also its queue.

    The place of the parent and the number of the action from there take 6 or 8 bytes a belief. Only the first
    `counters.reached` rows of the arrays of `visited` are in use.
    """

    def __init__(self, model: CompiledModel[Any, Any], counters: Counters) -> None:
        self._model = model
        self.counters = counters
        nothing = np.zeros(0, dtype=np.uint32)
        via = np.zeros(0, dtype=np.uint16 if len(model.actions) <= 1 << 16 else np.uint32)
        self.visited = Visited(np.zeros((0, model.width), dtype=np.uint64), nothing, via, nothing)
        self._resize(max(FIRST_CAPACITY, 2 * len(model.actions)))
        self.visited.beliefs[0] = model.initial
        self._rehash()

    @property
    def nbytes(self) -> int:
        """The memory used, in bytes."""
        return sum(array.nbytes for array in self.visited)

    @property
    def nbytes_with_room(self) -> int:
        """The memory that will be used after `make_room`, in bytes."""
        beliefs, parents, via, _ = self.visited
        row = beliefs.itemsize * self._model.width + parents.itemsize + via.itemsize
        return 2 * len(beliefs) * (row + _HASHED)

    @property
    def is_full(self) -> bool:
        """Whether there may be too little room for the successors of one belief."""
        return self.counters.reached + len(self._model.actions) > len(self.visited.beliefs)

    def make_room(self) -> None:
        """Make room for twice as many beliefs."""
        self._resize(2 * len(self.visited.beliefs))
        self._rehash()

    def expand_next(self, most_expanded: int, most_generated: int) -> Outcome:
        """Expand beliefs in order, as `ReachedBeliefs.expand_next` does, or until there is no room."""
        model = self._model
        outcome, counters = expand_any_width(
            model.forward, model.rules, self.visited, self.counters, most_expanded, most_generated
        )
        self.counters = Counters(*counters)
        return Outcome(outcome)

    def path_to_last(self) -> list[int]:
        """Return the numbers of the actions that lead to the last belief appended."""
        place = self.counters.reached - 1
        path = []
        while place:
            path.append(int(self.visited.via[place]))
            place = int(self.visited.parents[place])
        return path[::-1]

    def to_save(self, checkpoint: Checkpoint) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
        """Return the arrays that a checkpoint saves whole (none here), and the new rows of those that only grow."""
        return {}, {name: getattr(self.visited, name)[checkpoint.rows(name) : self.counters.reached] for name in _SAVED}

    def restore(self, checkpoint: Checkpoint) -> None:
        """Restore what was saved; `counters` has been set to the saved ones."""
        capacity = len(self.visited.beliefs)
        while capacity < self.counters.reached:
            capacity *= 2
        self._resize(capacity)
        for name in _SAVED:
            begin = 0
            for piece in checkpoint.pieces(name):
                getattr(self.visited, name)[begin : begin + len(piece)] = piece
                begin += len(piece)
        self._rehash()

    def release(self) -> Visited:
        """Return the arrays and hold them no longer, so that the caller can free them."""
        visited = self.visited
        nothing: Any = (array[:0].copy() for array in visited)  # views would keep the arrays alive
        self.visited = Visited(*nothing)
        return visited

    def _resize(self, capacity: int) -> None:
        """Make room for this many beliefs, array by array, so that each old array is freed before the next copy."""
        self.visited = self.visited._replace(slots=np.zeros(0, dtype=np.uint32))
        for name in _SAVED:
            self.visited = self.visited._replace(**{name: enlarged(getattr(self.visited, name), capacity)})

    def _rehash(self) -> None:
        """Rebuild the hash table so that it is at most half full at the present capacity."""
        self.visited = self.visited._replace(slots=slots_for(len(self.visited.beliefs)))
        rehash(self.visited.beliefs, self.counters.reached, self.visited.slots)
