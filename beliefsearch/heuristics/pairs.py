"""Pairs: the cost to win from two states of the belief without knowing which of them is the true one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled.jit import inner_kernel, kernel
from ..model.base import Cost
from ..model.values import whole
from ..running.limits import TooDear
from .state_graph import BeliefSetting, StateGraph, settled

# A belief of at most this many members is looked up pair by pair; of a larger one, the most distant pairs
# of all are tried until one lies in it, which is soon.
_FEW_MEMBERS = 48
# Where there is an allowance: a table of more pairs takes too much memory, 30 bytes each while it is made.
_MOST_PAIRS = 4_000_000
_TRIED_AT_FIRST = 256


def pair_distances(graph: StateGraph) -> NDArray[np.float64]:
    """For two states: a lower bound on the cost of a plan that wins from both; exact if actions have one result.

    Shape (states, states), symmetric; the diagonal is about one state. It is the least solution of D(s, t) = min over
    actions of the cost + the largest D of two results, of s or of t, and D = 0 where both states are in one goal set.
    Where an action has several results a belief of two becomes one of more, of which again only pairs are looked at.
    O(states^2 * actions * results^2) for each sweep; 8 bytes an entry.
    """
    if graph.allowance is not None and graph.states**2 > _MOST_PAIRS:
        raise TooDear
    goals = graph.goals.astype(np.float32)
    values = np.where(goals.T @ goals > 0, 0.0, np.inf)
    return settled(values, graph, _sweep)


def pairs(setting: BeliefSetting, allowance: int | None) -> Callable[[Any], Cost]:
    """The heuristic: the largest distance of two members. Admissible, as a plan wins from every subset; consistent."""
    graph = setting.graph(allowance)
    distances = pair_distances(graph)
    first, second = np.triu_indices(graph.states)
    order = np.argsort(-distances[first, second], kind="stable")
    first, second = first[order].astype(np.int32), second[order].astype(np.int32)

    def estimate(belief: Any) -> Cost:
        members = setting.numbers(belief)
        if len(members) <= _FEW_MEMBERS:
            return whole(float(distances[np.ix_(members, members)].max()))
        inside = np.zeros(graph.states, dtype=np.bool_)
        inside[members] = True
        start, stop = 0, _TRIED_AT_FIRST
        while True:
            both = inside[first[start:stop]] & inside[second[start:stop]]
            place = int(both.argmax())
            if both[place]:
                return whole(float(distances[first[start + place], second[start + place]]))
            start, stop = stop, 4 * stop

    return estimate


@kernel
def _sweep(
    offsets: NDArray[np.int64],
    targets: NDArray[Any],
    applies: NDArray[np.bool_],
    costs: NDArray[np.float64],
    values: NDArray[np.float64],
    start: int,
    work: int,
) -> tuple[int, bool, int]:
    changed = False
    for s in range(start, applies.shape[1]):
        if work <= 0:
            return s, changed, work
        for t in range(s + 1):
            best = values[s, t]
            for action in range(applies.shape[0]):
                if not (applies[action, s] and applies[action, t]):
                    continue
                cost = max(costs[action, s], costs[action, t])
                worst = _worst_pair(offsets, targets, values, action, s, t, best - cost)
                work -= 1 + (_results(offsets, action, s) + _results(offsets, action, t)) ** 2
                if cost + worst < best:
                    best = cost + worst
            if best < values[s, t]:
                values[s, t] = values[t, s] = best
                changed = True
    return applies.shape[1], changed, work


@inner_kernel
def _results(offsets: NDArray[np.int64], action: int, state: int) -> Any:
    return offsets[action, state + 1] - offsets[action, state]


@inner_kernel
def _worst_pair(
    offsets: NDArray[np.int64],
    targets: NDArray[Any],
    values: NDArray[np.float64],
    action: int,
    s: int,
    t: int,
    enough: float,
) -> Any:
    """The largest value of two results of `action` in `s` or `t`; stops early at any value of `enough`."""
    worst = 0.0
    for one in (s, t):
        for i in range(offsets[action, one], offsets[action, one + 1]):
            for other in (s, t):
                for j in range(offsets[action, other], offsets[action, other + 1]):
                    value = values[targets[i], targets[j]]
                    if value > worst:
                        worst = value
                        if worst >= enough:
                            return worst
    return worst
