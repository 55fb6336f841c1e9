"""Traps: states in which an adversary can keep even a player who sees everything."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..heuristics.state_graph import StateGraph

__all__ = ["small_trap"]


def small_trap(graph: StateGraph, hopeless: NDArray[np.bool_], initial: NDArray[np.intp]) -> list[int]:
    """A small part of the greatest trap that is a trap itself and contains a possible start.

    Parameters
    ----------
    graph
        The problem's states.
    hopeless
        The greatest trap: whether the perfect-sight distance of a state is infinite.
    initial
        The members of the initial belief, one of them hopeless.

    Notes
    -----
    Greedy: a state is kept, and for each action a result that is kept already, or else the first hopeless
    one. To find the smallest trap is hard.
    """
    start = next(int(state) for state in initial if hopeless[state])
    kept = {start: None}
    frontier = [start]
    for state in frontier:  # grows while it is walked
        graph.tick()
        for action in np.flatnonzero(graph.applies[:, state]).tolist():
            results = graph.targets[graph.offsets[action, state] : graph.offsets[action, state + 1]].tolist()
            if not any(result in kept for result in results):
                chosen = next(result for result in results if hopeless[result])
                kept[chosen] = None
                frontier.append(chosen)
    return sorted(kept)
