"""Shared by all graphs: the walk over reachable nodes, and the short text of a node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import networkx as nx

from ..running.limits import STOPS, Budget, LimitReached

Node = TypeVar("Node")

_LONGEST_LABEL = 60


def members_label(members: Sequence[str]) -> str:
    """The members in one line; if they are many, only their number."""
    label = " ".join(members)
    return label if len(label) <= _LONGEST_LABEL else f"{len(members)} states"


def walked_graph(
    roots: Callable[[], Iterable[Node]],
    describe: Callable[[Node, int], dict[str, Any]],
    follow: Callable[[Node], Iterable[tuple[Node, dict[str, Any]]]],
    *,
    max_nodes: int | None = None,
    budget: Budget | None = None,
) -> nx.MultiDiGraph[int]:
    """The graph reachable from the roots, numbered breadth-first; incomplete if a limit is reached.

    Parameters
    ----------
    roots
        Gives what to start from.
    describe
        The attributes of a node, given it and the fewest steps to there.
    follow
        What may follow a node, each with the attributes of the edge to it.
    max_nodes, budget
        As for `search_graph`.
    """
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(complete=True, stopped="")
    budget = budget or Budget()
    number_of: dict[Node, int] = {}
    frontier: list[Node] = []
    depths: list[int] = []
    edges: list[tuple[int, int, dict[str, Any]]] = []

    def number(node: Node, depth: int) -> int:
        if node not in number_of:
            number_of[node] = len(frontier)
            frontier.append(node)
            depths.append(depth)
        return number_of[node]

    try:
        for root in roots():
            number(root, 0)
        for place, node in enumerate(frontier):  # grows while it is walked
            if max_nodes is not None and place >= max_nodes:
                raise LimitReached(f"the limit of {max_nodes} nodes was reached")
            budget.tick()
            graph.add_node(place, **describe(node, depths[place]))
            for child, data in follow(node):
                budget.tick()
                edges.append((place, number(child, depths[place] + 1), data))
    except STOPS as stop:
        graph.graph.update(complete=False, stopped=budget.why(stop))
    graph.add_edges_from(edge for edge in edges if edge[1] in graph)  # else the graph was left unfinished
    return graph
