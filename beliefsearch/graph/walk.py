"""Shared by all graphs: the walk over reachable nodes, and the attributes of nodes that stand for states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar

import networkx as nx

from ..model.problem import Cost
from ..running.limits import STOPS, Budget, LimitReached
from .shown import ShownGraph

Node = TypeVar("Node")

_LONGEST_LABEL = 60


def states_node(members: Sequence[str], g: Any, goal: bool, **marks: Any) -> dict[str, Any]:
    """The attributes of a node for these states; many are not named in its label, but counted."""
    text = " ".join(members)
    label = text if len(text) <= _LONGEST_LABEL else f"{len(members)} states"
    return {"members": members, "size": len(members), "g": g, "goal": goal, **marks, "label": label}


def walked_graph(
    roots: Callable[[], Iterable[Node]],
    describe: Callable[[Node, Cost], dict[str, Any]],
    follow: Callable[[Node, dict[str, Any]], Iterable[tuple[Node, Cost, dict[str, Any]]]],
    *,
    max_nodes: int | None,
    budget: Budget,
) -> tuple[nx.MultiDiGraph[int], dict[Node, int]]:
    """The graph reachable from the roots, incomplete if a limit is reached; and the numbers of its nodes.

    They are numbered by their distance from the roots, and those equally far in the order in which they were reached.
    `describe` gives the attributes of a node, told its distance; `follow`, told a node and its attributes, gives what
    may come next, how far that is, and the attributes of the edge.
    """
    graph: nx.MultiDiGraph[int] = ShownGraph(complete=True, stopped="")
    g_of: dict[Node, Cost] = {}
    number_of: dict[Node, int] = {}
    frontier: list[tuple[Cost, int, Node]] = []
    edges: list[tuple[int, Node, dict[str, Any]]] = []
    ages = count()

    def reach(node: Node, g: Cost) -> None:
        budget.tick()
        if node not in g_of or g < g_of[node]:
            g_of[node] = g
            heappush(frontier, (g, next(ages), node))

    try:
        for root in roots():
            reach(root, 0)
        while frontier:
            g, _, node = heappop(frontier)
            if node in number_of:
                continue  # reached before, more cheaply
            if max_nodes is not None and len(number_of) >= max_nodes:
                raise LimitReached(f"the limit of {max_nodes} nodes was reached")
            budget.tick()
            number = number_of[node] = len(number_of)
            attributes = describe(node, g)
            graph.add_node(number, **attributes)
            for child, cost, data in follow(node, attributes):
                edges.append((number, child, data))
                reach(child, g + cost)
    except STOPS as stop:
        graph.graph.update(complete=False, stopped=budget.why(stop))
    for number, child, data in edges:
        if number_of.get(child) in graph:  # else the graph was left unfinished
            graph.add_edge(number, number_of[child], **data)
    return graph, number_of
