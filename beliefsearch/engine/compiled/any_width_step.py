"""The step of `reached_beliefs` for beliefs of any width."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .jit import inner_kernel, kernel
from .kernels import hash_of, image, includes, is_goal, size_of
from .step import EXHAUSTED, FREE, FULL, GOAL, PAUSED, close, opened
from .words import Words


@inner_kernel
def slot_of(beliefs: Words, slots: NDArray[np.uint32], belief: Words) -> Any:
    """The slot of the hash table that holds `belief`, or else a free one. Open addressing, linear probing."""
    last = np.uint64(slots.size - 1)
    slot = hash_of(belief) & last
    while slots[slot] != FREE:
        other = beliefs[np.int64(slots[slot]) - 1]
        if includes(other, belief) and includes(belief, other):
            break
        slot = (slot + np.uint64(1)) & last
    return np.int64(slot)


@kernel
def enter_all(beliefs: Words, count: int, slots: NDArray[np.uint32]) -> None:
    """Enter the first `count` beliefs, all different, into an empty hash table."""
    for place in range(count):
        slots[slot_of(beliefs, slots, beliefs[place])] = np.uint32(place + 1)


@kernel
def expand_any_width(
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
    """Expand beliefs in the order of the queue, and append new ones; see `reached_beliefs`.

    `books` is brought up to date at the end; returns an `Outcome`.
    """
    head, count, layer_end, depth, generated, max_frontier, max_size = opened(books)
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
            child = beliefs[count]  # where it stays if it is new
            image(tables, offsets, targets, action, belief, child)
            slot = slot_of(beliefs, slots, child)
            if slots[slot] != FREE:
                continue
            slots[slot] = np.uint32(count + 1)
            parents[count] = np.uint32(head - 1)
            via[count] = action
            count += 1
            max_size = max(max_size, size_of(child))
            if is_goal(goals, goals_of, goals_around, child):
                outcome = GOAL
                break
        if outcome == GOAL:
            break
    close(books, head, count, layer_end, depth, generated, max_frontier, max_size)
    return outcome
