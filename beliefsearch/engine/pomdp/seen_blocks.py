"""Blocks of states that are told apart by what is seen: the finest partition that every action and percept respects."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...solvers.pomdp.blocks import Blocks
from ..compiled.jit import inner_kernel, kernel
from .belief_tree import Rows

if TYPE_CHECKING:
    from ...solvers.pomdp.arrays import PomdpArrays


def seen_blocks(arrays: PomdpArrays, tick: Callable[[], None]) -> Blocks:
    """The finest blocks such that whatever follows one by one action and percept lies in one.

    States are merged as long as they must be: those that may follow one block, and those that may follow the start,
    which is a block to which nothing leads. Each pass is linear in the model; there are as many as the merging of
    blocks needs to get through it, mostly two or three.
    """
    start = np.flatnonzero(arrays.start).astype(np.int32)
    leader = np.arange(arrays.S, dtype=np.int32)
    first, stamps = np.zeros(arrays.O, np.int32), np.full(arrays.O, -1, np.int64)
    rows, stamp, merged = Rows.of(arrays, arrays.rewards, arrays.rewards), 0, 1  # no planes are needed
    while merged:
        order = np.argsort(leader, kind="stable").astype(np.int32)
        labels = leader[order]
        merged = 0
        for action in range(arrays.A):
            tick()
            for states, blocks in ((order, labels), (start, np.zeros(len(start), np.int32))):
                merged += merge_pass(action, arrays.S, states, blocks, rows, leader, first, stamps, stamp)
                stamp += arrays.S
        while ((after := leader[leader]) != leader).any():  # until all name the leader of their block, its least state
            leader = after
    return Blocks.by_label(leader.astype(np.int64), start.astype(np.int64))


@inner_kernel
def _leader_of(leader: Any, state: int) -> int:
    while leader[state] != state:
        leader[state] = leader[leader[state]]
        state = leader[state]
    return state


@kernel
def merge_pass(
    action: int, size: int, states: Any, blocks: Any, rows: Rows, leader: Any, first: Any, stamps: Any, stamp: int
) -> int:
    """Merge states that may follow one of these `blocks` by one percept; returns how many were merged.

    States of one block stand together. `first` has by percept a state that may follow the block whose stamp it has.
    """
    to_pointers, to_states, percept_pointers = rows.to_pointers, rows.to_states, rows.percept_pointers
    merged = 0
    for place in range(len(states)):
        now = stamp + blocks[place]
        row = action * size + states[place]
        for entry in range(to_pointers[row], to_pointers[row + 1]):
            after = to_states[entry]
            seen = rows.percept_rows[action * size + after]
            for k in range(percept_pointers[seen], percept_pointers[seen + 1]):
                percept = rows.percept_numbers[k]
                if stamps[percept] != now:
                    stamps[percept], first[percept] = now, after
                    continue
                one, other = _leader_of(leader, first[percept]), _leader_of(leader, after)
                if one != other:
                    leader[max(one, other)] = min(one, other)
                    merged += 1
    return merged
