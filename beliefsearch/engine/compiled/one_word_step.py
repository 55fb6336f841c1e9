"""The step of `reached_beliefs` for beliefs that fit in one word.

Beliefs of up to 64 states are so common, and so much can be saved with them, that they have a kernel of
their own. The byte tables are turned round, so that what a byte leads to under all actions lies side by
side: the successors of a belief under all actions are then a few unions of rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bitset_kernels import bits_of, lowest_bit, mix
from .bitset_words import Words
from .jit import kernel
from .step import EXHAUSTED, FREE, FULL, GOAL, PAUSED, close, opened

_ONE = np.uint64(1)
_BYTE = np.uint64(255)
_EIGHT = np.uint64(8)


def side_by_side(tables: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Byte tables of shape (actions, bytes, 256, 1) as an array of shape (bytes, 256, actions)."""
    return np.ascontiguousarray(tables[..., 0].transpose(1, 2, 0))


@kernel
def expand_one_word(
    tables: NDArray[np.uint64],
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
    """Do the same as `any_width_step.expand_any_width` for beliefs of one word; `tables` are side by side."""
    head, count, layer_end, depth, generated, max_frontier, max_size = opened(books)
    pause = generated + most_generated
    actions = applicable.shape[0]
    last = np.uint64(slots.size - 1)
    children = np.empty(actions, dtype=np.uint64)
    outcome = EXHAUSTED
    while head < count and outcome == EXHAUSTED:
        if head == layer_end:
            layer_end = count
            depth += 1
        if generated >= pause or head >= most_expanded:
            outcome = PAUSED
            break
        if count + actions > beliefs.shape[0]:
            outcome = FULL
            break
        belief = beliefs[head, 0]
        max_frontier = max(max_frontier, count - head)
        head += 1
        children[:] = 0
        place = 0
        rest = belief
        while rest != 0:
            row = tables[place, np.int64(rest & _BYTE)]
            for action in range(actions):
                children[action] |= row[action]
            rest >>= _EIGHT
            place += 1
        for action in range(actions):
            if not applies_everywhere and belief & ~applicable[action, 0] != 0:
                continue
            generated += 1
            child = children[action]
            slot = mix(child) & last
            while slots[slot] != FREE and beliefs[np.int64(slots[slot]) - 1, 0] != child:
                slot = (slot + _ONE) & last
            if slots[slot] != FREE:
                continue
            slots[slot] = np.uint32(count + 1)
            beliefs[count, 0] = child
            parents[count] = np.uint32(head - 1)
            via[count] = action
            count += 1
            max_size = max(max_size, bits_of(child))
            state = lowest_bit(child)
            for number in range(goals_of[state], goals_of[state + 1]):
                if child & ~goals[goals_around[number], 0] == 0:
                    outcome = GOAL
            if outcome == GOAL:
                break
    close(books, head, count, layer_end, depth, generated, max_frontier, max_size)
    return outcome
