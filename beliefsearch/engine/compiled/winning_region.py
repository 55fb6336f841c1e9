"""The winning region of a `BeliefGraph`: from where a player who keeps trying wins in every possible state.

The same as `engine/bits/strong_cyclic.py` finds, by pairs of a node and a state of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .belief_graph import BeliefGraph, distances_within
from .belief_graph_builder import list_members
from .bitset_words import Words
from .jit import kernel
from .observed_model import ObservedModel, OutcomeRows

# So many nodes are looked at in one call; in between the limits are heard.
_PIECE = 1 << 12
_ONE = np.uint64(1)
_LOW = np.int64(63)


def winning_nodes(
    graph: BeliefGraph, model: ObservedModel[Any, Any], tick: Callable[[], None]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark the nodes of the region, and the safe options: those of which all outcomes belong to it.

    A round crosses out the nodes that have a state from which no way to a won node is left. Within a round the
    states that have one are collected, from the nodes near the goals to those far from them, again and again. O(n m) a
    round for n pairs of a node and a state and m ways from one to the next, but mostly few passes do.
    """
    kept = np.ones(len(graph.won), dtype=np.bool_)
    while True:
        safe = kept[graph.node_of]
        if len(graph.actions):
            safe &= np.logical_and.reduceat(kept[graph.children], graph.first_child[:-1])
        distance = distances_within(graph, safe, tick)
        near = kept & (distance >= 0)
        if (near == kept).all():
            near = _able_in_all_states(graph, model, safe, kept, distance, tick)
            if (near == kept).all():
                return kept, safe
        kept = near


def _able_in_all_states(
    graph: BeliefGraph,
    model: ObservedModel[Any, Any],
    safe: NDArray[np.bool_],
    kept: NDArray[np.bool_],
    distance: NDArray[np.int32],
    tick: Callable[[], None],
) -> NDArray[np.bool_]:
    """Mark the nodes of `kept` from which safe options lead on to a won node from all states."""
    able: Words = np.zeros_like(graph.beliefs)
    able[graph.won] = graph.beliefs[graph.won]
    order = np.argsort(distance, kind="stable")
    order = order[(kept & ~graph.won)[order]]
    members = np.empty(len(model.states), dtype=np.int64)
    image: Words = np.zeros(model.width, dtype=np.uint64)
    while True:
        gained = 0
        for start in range(0, len(order), _PIECE):
            tick()
            gained += _gain(
                model.rows, len(model.actions), graph, safe, order[start : start + _PIECE], able, members, image
            )
        order = order[(able[order] != graph.beliefs[order]).any(axis=1)]
        if not gained or not len(order):
            complete = kept.copy()
            complete[order] = False
            return complete


@kernel
def _gain(
    rows: OutcomeRows,
    number_of_actions: int,
    graph: BeliefGraph,
    safe: NDArray[np.bool_],
    nodes: NDArray[np.int64],
    able: Words,
    members: NDArray[np.int64],
    image: Words,
) -> Any:
    """Enter in `able` the states of `nodes` from which an option may lead to a state that is there; returns how many.

    `members` and `image` are scratch.
    """
    offsets, percept_of, result_of = rows
    beliefs, _, first_option, actions, first_child, children = graph
    gained = 0
    for node in nodes:
        size = list_members(beliefs[node], members)
        for place in range(size):
            state = members[place]
            if able[node, state >> 6] >> np.uint64(state & _LOW) & _ONE != 0:
                continue
            found = False
            for option in range(first_option[node], first_option[node + 1]):
                if not safe[option]:
                    continue
                row = state * number_of_actions + actions[option]
                for entry in range(offsets[row], offsets[row + 1]):
                    result = np.int64(result_of[entry])
                    word, bit = result >> 6, np.uint64(result & _LOW)
                    around = np.int64(0)  # children that hold the result; which of them is meant the percept tells
                    for child in children[first_child[option] : first_child[option + 1]]:
                        around += np.int64(beliefs[child, word] >> bit & _ONE)
                    for child in children[first_child[option] : first_child[option + 1]]:
                        if able[child, word] >> bit & _ONE == 0:
                            continue
                        if around > 1:
                            image[:] = 0
                            for other in range(size):
                                other_row = members[other] * number_of_actions + actions[option]
                                for after in range(offsets[other_row], offsets[other_row + 1]):
                                    if percept_of[after] == percept_of[entry]:
                                        reached = np.int64(result_of[after])
                                        image[reached >> 6] |= _ONE << np.uint64(reached & _LOW)
                            if (image != beliefs[child]).any():
                                continue
                        found = True
                        break
                    if found:
                        break
                if found:
                    break
            if found:
                able[node, state >> 6] |= _ONE << np.uint64(state & _LOW)
                gained += 1
    return gained
