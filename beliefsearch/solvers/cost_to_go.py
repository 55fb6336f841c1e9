"""Least cost from each node of a graph to a goal, whatever percepts or results may come."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heappush

from ..model.base import Cost


def costs_to_go(goals: Iterable[int], edges: Iterable[tuple[int, int, object, Cost]]) -> dict[int, Cost]:
    """Return, by node, the least cost in the worst case; nodes from which no plan is sure to win are left out.

    At `goals` nothing more is to be paid. `edges` are: from, to, the action and what it costs; an action that leads
    from a node to several others may lead to any. Dijkstra's algorithm in the form of D. E. Knuth, "A Generalization of
    Dijkstra's Algorithm", Information Processing Letters 6(1), 1977: an action is as dear as its cost and the dearest
    of its results, which is the last one settled. O(edges * log(edges)).
    """
    costs: dict[tuple[int, object], Cost] = {}
    open_results: dict[tuple[int, object], int] = {}
    into: dict[int, list[tuple[int, object]]] = {}
    for tail, head, action, cost in edges:
        choice = tail, action
        costs[choice] = cost
        open_results[choice] = open_results.get(choice, 0) + 1
        into.setdefault(head, []).append(choice)
    waiting: list[tuple[Cost, int]] = [(0, goal) for goal in goals]
    heapify(waiting)
    found: dict[int, Cost] = {}
    while waiting:
        paid, node = heappop(waiting)
        if node in found:
            continue
        found[node] = paid
        for choice in into.get(node, ()):
            open_results[choice] -= 1
            if not open_results[choice]:
                heappush(waiting, (costs[choice] + paid, choice[0]))
    return found
