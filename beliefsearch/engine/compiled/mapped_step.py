"""The step of `reached_beliefs` for beliefs that are found by a map with a bit for each of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .jit import kernel
from .kernels import bits_of, is_goal
from .step import EXHAUSTED, FULL, GOAL, PAUSED, close, opened
from .words import Words

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_BYTE = np.uint64(255)
_EIGHT = np.uint64(8)
_LOW = np.uint64(63)
_SIX = np.uint64(6)


@kernel
def expand_mapped(
    tables: NDArray[np.uint64],
    applicable: Words,
    applies_everywhere: bool,
    goals: Words,
    goals_of: NDArray[np.int64],
    goals_around: NDArray[np.int64],
    largest_goal: int,
    waiting: Words,
    reached: Words,
    steps: Words,
    books: NDArray[np.int64],
    most_expanded: int,
    most_generated: int,
) -> int:
    """Do the same as `any_width_step.expand_any_width` on the arrays of `MappedBeliefs`, and fill `steps`.

    Pauses when `steps`, of which no bit is set, has no room for one more belief. The loop has no branch that is
    hard to foresee but whether a belief is new: the processor then looks up many bits of the map at the same time.
    """
    head, count, layer_end, depth, generated, max_frontier, max_size = opened(books)
    pause = generated + most_generated
    actions, places = tables.shape[0], tables.shape[1]
    most_expanded = min(most_expanded, head + steps.size * 64 // actions)
    last = np.uint64(waiting.size - 1)
    step = _ZERO
    outcome = EXHAUSTED
    while head < count and outcome == EXHAUSTED:
        if head == layer_end:
            layer_end = count
            depth += 1
        if generated >= pause or head >= most_expanded:
            outcome = PAUSED
            break
        if count + actions - head > waiting.size:
            outcome = FULL
            break
        belief = waiting[np.uint64(head) & last]
        max_frontier = max(max_frontier, count - head)
        head += 1
        for action in range(actions):
            here = step
            step += _ONE
            if not applies_everywhere and belief & ~applicable[action, 0] != 0:
                continue
            generated += 1
            child = _ZERO
            rest = belief
            for place in range(places):
                child |= tables[action, place, rest & _BYTE, 0]
                rest >>= _EIGHT
            word, bit = child >> _SIX, _ONE << (child & _LOW)
            if reached[word] & bit != 0:
                continue
            reached[word] |= bit
            steps[here >> _SIX] |= _ONE << (here & _LOW)
            slot = np.uint64(count) & last
            waiting[slot] = child
            count += 1
            size = bits_of(child)
            max_size = max(max_size, size)
            if size <= largest_goal and is_goal(goals, goals_of, goals_around, waiting[slot : slot + _ONE]):
                outcome = GOAL
                break
    close(books, head, count, layer_end, depth, generated, max_frontier, max_size)
    return outcome
