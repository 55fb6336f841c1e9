"""The beliefs a breadth-first search has reached, as arrays, and the step that adds the next of them.

That step is the seam of the engine: expand a stretch of beliefs under all actions, make the successors
unique, drop those reached before, append the rest with their parents. `expand_next` does it in this
process; an engine that is spread over several would replace it and nothing else.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..jit import kernel
from .compiled_model import CompiledModel
from .kernels import hash_of, image, includes, is_goal
from .one_word_step import expand_one_word, side_by_side
from .words import Words

__all__ = ["Outcome", "ReachedBeliefs"]

_FIRST_CAPACITY = 1 << 12
_FREE = np.uint32(0)  # a slot that holds no belief; others hold the place of one, plus 1


class Outcome(IntEnum):
    """Why a step came to its end."""

    PAUSED = 0
    """It has generated as many successors as it was asked to."""
    FULL = 1
    """There is no room for the successors of one more belief."""
    GOAL = 2
    """The last belief appended is a goal."""
    EXHAUSTED = 3
    """Everything that was reached is expanded."""


_PAUSED, _FULL, _GOAL, _EXHAUSTED = (int(outcome) for outcome in Outcome)

# Where the books of a search keep which number.
_HEAD, _COUNT, _LAYER_END, _DEPTH, _GENERATED, _MAX_FRONTIER = range(6)


class ReachedBeliefs:
    """All beliefs reached so far, in the order in which breadth-first search meets them.

    The queue of the search is the same array: `head` is the place of the next belief to expand. Parents
    are kept as the place of the parent and the number of the action between, 6 or 8 bytes a belief.

    Parameters
    ----------
    model
        The problem.

    Attributes
    ----------
    beliefs
        Shape (capacity, width); the first `len(self)` rows are in use.
    """

    def __init__(self, model: CompiledModel[Any, Any]) -> None:
        self._model = model
        self._via_kind = np.uint16 if len(model.actions) <= 1 << 16 else np.uint32
        self._books = np.zeros(6, dtype=np.int64)
        self._books[_COUNT] = self._books[_LAYER_END] = 1
        self.beliefs: Words = np.empty((0, model.width), dtype=np.uint64)
        self._parents = np.empty(0, dtype=np.uint32)
        self._via: NDArray[Any] = np.empty(0, dtype=self._via_kind)
        self._resize(max(_FIRST_CAPACITY, 2 * len(model.actions)))
        self.beliefs[0] = model.initial
        self._slots = np.zeros(0, dtype=np.uint32)
        self._rehash()
        tables = model.forward.tables
        self._side_by_side = side_by_side(tables) if model.width == 1 and len(tables) else None

    def __len__(self) -> int:
        return int(self._books[_COUNT])

    @property
    def expanded(self) -> int:
        """How many beliefs have been expanded."""
        return int(self._books[_HEAD])

    @property
    def generated(self) -> int:
        """How many successors they had, repetitions included."""
        return int(self._books[_GENERATED])

    @property
    def max_frontier(self) -> int:
        """The most beliefs that waited at one time."""
        return int(self._books[_MAX_FRONTIER])

    @property
    def depth(self) -> int:
        """The number of actions that lead to the belief that is to be expanded next."""
        return int(self._books[_DEPTH])

    def expand_next(self, most_expanded: int, most_generated: int) -> Outcome:
        """Expand beliefs in order until there is a reason to stop; the step described above.

        Parameters
        ----------
        most_expanded
            Stop before more than so many beliefs are expanded, counted from the beginning.
        most_generated
            Pause after about so many successors, counted from this call.
        """
        model = self._model
        if self._is_full():
            self._grow()
        search = (
            model.applicable,
            model.applies_everywhere,
            model.goals,
            model.goals_of,
            model.goals_around,
            self.beliefs,
            self._parents,
            self._via,
            self._slots,
            self._books,
            most_expanded,
            most_generated,
        )
        if self._side_by_side is not None:
            return Outcome(expand_one_word(self._side_by_side, *search))
        tables = model.forward
        return Outcome(_expand(tables.tables, tables.offsets, tables.targets, *search))

    def path_to_last(self) -> list[int]:
        """The numbers of the actions that lead to the belief appended last."""
        place = len(self) - 1
        path = []
        while place:
            path.append(int(self._via[place]))
            place = int(self._parents[place])
        return path[::-1]

    def max_size(self) -> int:
        """The members of the largest belief."""
        largest = 0
        for start in range(0, len(self), 1 << 16):
            sizes = np.bitwise_count(self.beliefs[start : min(start + (1 << 16), len(self))])
            largest = max(largest, int(sizes.sum(axis=1, dtype=np.int64).max()))
        return largest

    def _is_full(self) -> bool:
        return len(self) + len(self._model.actions) > len(self.beliefs)

    def _grow(self) -> None:
        self._resize(2 * len(self.beliefs))
        self._rehash()

    def _resize(self, capacity: int) -> None:
        """Make room for so many beliefs; one array after the other, so that the old ones are freed in between."""
        width = self._model.width
        used = min(len(self), len(self.beliefs))
        beliefs: Words = np.empty((capacity, width), dtype=np.uint64)
        parents = np.empty(capacity, dtype=np.uint32)
        via: NDArray[Any] = np.empty(capacity, dtype=self._via_kind)
        beliefs[:used] = self.beliefs[:used]
        parents[:used] = self._parents[:used]
        via[:used] = self._via[:used]
        self.beliefs, self._parents, self._via = beliefs, parents, via

    def _rehash(self) -> None:
        """Lay the hash table out anew, at most half full with the present capacity."""
        self._slots = np.zeros(0, dtype=np.uint32)  # frees the old one first
        self._slots = np.zeros(1 << (2 * len(self.beliefs) - 1).bit_length(), dtype=np.uint32)
        _enter_all(self.beliefs, len(self), self._slots)


@kernel
def _slot_of(beliefs: Words, slots: NDArray[np.uint32], belief: Words) -> Any:
    """The slot that holds `belief`, or the free one where it belongs. Open addressing, linear probing."""
    last = np.uint64(slots.size - 1)
    slot = hash_of(belief) & last
    while slots[slot] != _FREE:
        other = beliefs[np.int64(slots[slot]) - 1]
        if includes(other, belief) and includes(belief, other):
            break
        slot = (slot + np.uint64(1)) & last
    return np.int64(slot)


@kernel
def _enter_all(beliefs: Words, count: int, slots: NDArray[np.uint32]) -> None:
    for place in range(count):
        slots[_slot_of(beliefs, slots, beliefs[place])] = np.uint32(place + 1)


@kernel
def _expand(
    tables: NDArray[np.uint64],
    offsets: NDArray[np.int64],
    targets: NDArray[Any],
    applicable: Words,
    applies_everywhere: bool,
    goals: Words,
    goals_of: NDArray[np.int64],
    goals_around: NDArray[np.int64],
    beliefs: Words,
    parents: NDArray[np.uint32],
    via: NDArray[Any],
    slots: NDArray[np.uint32],
    books: NDArray[np.int64],
    most_expanded: int,
    most_generated: int,
) -> int:
    head, count, generated = books[_HEAD], books[_COUNT], books[_GENERATED]
    layer_end, depth, max_frontier = books[_LAYER_END], books[_DEPTH], books[_MAX_FRONTIER]
    pause = generated + most_generated
    actions = applicable.shape[0]
    outcome = _EXHAUSTED
    while head < count:
        if head == layer_end:
            layer_end = count
            depth += 1
        if generated >= pause or head >= most_expanded:
            outcome = _PAUSED
            break
        if count + actions > beliefs.shape[0]:
            outcome = _FULL
            break
        belief = beliefs[head]
        max_frontier = max(max_frontier, count - head)
        head += 1
        for action in range(actions):
            if not applies_everywhere and not includes(applicable[action], belief):
                continue
            generated += 1
            child = beliefs[count]  # where it stays if it is new
            image(tables, offsets, targets, action, belief, child)
            slot = _slot_of(beliefs, slots, child)
            if slots[slot] != _FREE:
                continue
            slots[slot] = np.uint32(count + 1)
            parents[count] = np.uint32(head - 1)
            via[count] = action
            count += 1
            if is_goal(goals, goals_of, goals_around, child):
                outcome = _GOAL
                break
        if outcome == _GOAL:
            break
    books[_HEAD], books[_COUNT], books[_GENERATED] = head, count, generated
    books[_LAYER_END], books[_DEPTH], books[_MAX_FRONTIER] = layer_end, depth, max_frontier
    return outcome
