"""Analysis of a problem's graph: its layers, its optimal plans, and its dominated beliefs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from fractions import Fraction
from math import inf
from typing import Any

import networkx as nx
from attrs import frozen

from ..errors import BeliefSearchError
from ..model.base import Cost
from .graph_reader import restored

_GIVE = "give a graph of belief_graph() or read_graph()"


@frozen
class OptimalPlans:
    """Summary of all optimal plans.

    Attributes
    ----------
    cost
        The cost of each of them; infinite if there is no plan.
    count
        Their number, as sequences of actions that end at the first goal they reach; infinite if some of them may go
        round a cycle of cost 0.
    edges
        The edges on some optimal plan, in networkx's form: tail, head, and a key.
    bottlenecks
        The nodes on all optimal plans, in order, including the start, and the goal if it is always the same.
    """

    cost: Cost
    count: int | float
    edges: frozenset[tuple[int, int, int]]
    bottlenecks: tuple[int, ...]


def layers(graph: nx.MultiDiGraph[int]) -> dict[Cost, list[int]]:
    """The nodes by their distance `g` from the start, nearest first.

    Examples
    --------
    >>> from beliefsearch.graph import belief_graph
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> layers(belief_graph(DevilProblem(n=2)))
    {0: [0], 1: [1], 2: [2], 3: [3]}
    """
    graph = _checked(graph, "g")
    found: dict[Cost, list[int]] = {}
    for node, data in graph.nodes(data=True):
        found.setdefault(_exact(data["g"]), []).append(node)
    return dict(sorted(found.items()))


def optimal_plans(graph: nx.MultiDiGraph[int], start: int = 0) -> OptimalPlans:
    """Count the optimal plans, and find their edges and bottlenecks.

    Parameters
    ----------
    graph
        The complete `belief_graph` of a plain or a sensorless problem.
    start
        The node to start from.

    Raises
    ------
    BeliefSearchError
        If the graph is not complete, or an action leads to several nodes, by percepts or by chance. Then a plan is no
        path, and it is free to do anything off its most expensive branch, so that the number of plans says little.

    Notes
    -----
    Costs are compared exactly: a float is a fraction. Two runs of Dijkstra's algorithm, from the start and backwards
    from the goals, find the edges of optimal paths. The number of paths from a node is the sum over its edges. The
    bottlenecks are the dominators of the end in the graph of these edges.

    Examples
    --------
    >>> from beliefsearch.graph import belief_graph
    >>> from beliefsearch_problems.river_crossing import RiverCrossingProblem
    >>> plans = optimal_plans(belief_graph(RiverCrossingProblem(story="missionaries")))
    >>> plans.cost, plans.count
    (11, 4)
    """
    if not graph.graph.get("complete", True):
        raise BeliefSearchError(f"the graph is not complete: {graph.graph['stopped']}")
    _require_paths(graph)
    graph = _checked(graph, "goal")
    if start not in graph:
        raise BeliefSearchError(f"there is no node {start!r} in the graph")
    goals = {node for node, data in graph.nodes(data=True) if data["goal"]}
    least, optimal = _optimal_part(graph, start, goals)
    if optimal is None:
        return OptimalPlans(inf, 0, frozenset(), ())
    edges = frozenset(optimal.edges(keys=True))
    count = _count_paths(optimal, start, goals) if nx.is_directed_acyclic_graph(optimal) else inf
    end = -1  # a common successor of all goals
    optimal.add_edges_from((goal, end) for goal in goals & set(optimal))
    dominator_of = nx.immediate_dominators(optimal, start)
    bottlenecks = []
    while end != start:
        end = dominator_of[end]
        bottlenecks.append(end)
    return OptimalPlans(least, count, edges, tuple(reversed(bottlenecks)))


def _optimal_part(
    graph: nx.MultiDiGraph[int], start: int, goals: Collection[int]
) -> tuple[Cost, nx.MultiDiGraph[int] | None]:
    """Return the least cost of a path to a goal, and the graph of the edges on such paths; None if there is none."""
    every = graph.edges(keys=True, data=True)
    edges = [(tail, head, key, _exact(data["cost"])) for tail, head, key, data in every if tail not in goals]
    cheapest: nx.DiGraph[int] = nx.DiGraph()
    cheapest.add_nodes_from(graph)
    for tail, head, _, cost in edges:
        known = cheapest.get_edge_data(tail, head)
        if known is None or cost < known["cost"]:
            cheapest.add_edge(tail, head, cost=cost)
    from_start: dict[int, Any] = nx.single_source_dijkstra_path_length(cheapest, start, weight="cost")
    to_goal: dict[int, Any] = {}
    if goals:
        to_goal = nx.multi_source_dijkstra_path_length(cheapest.reverse(copy=False), goals, weight="cost")
    if start not in to_goal:
        return inf, None
    optimal: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    optimal.add_node(start)
    for tail, head, key, cost in edges:
        if tail in from_start and head in to_goal and from_start[tail] + cost + to_goal[head] == to_goal[start]:
            optimal.add_edge(tail, head, key)
    return to_goal[start], optimal


def _count_paths(graph: nx.MultiDiGraph[int], start: int, goals: Collection[int]) -> int:
    """Count the paths from a node to goals in an acyclic graph."""
    paths_from: dict[int, int] = {}
    for node in reversed(list(nx.topological_sort(graph))):
        paths_from[node] = 1 if node in goals else sum(paths_from[head] for _, head in graph.out_edges(node))
    return paths_from[start]


def dominated_beliefs(graph: nx.MultiDiGraph[int]) -> dict[int, int]:
    """The dominated beliefs: each contains another one that was reached at no greater cost.

    A plan for the larger belief also wins from the smaller one, so a search need not expand the larger one;
    `solve(problem, dominance=True)` does not.

    Parameters
    ----------
    graph
        The `belief_graph` of a sensorless problem, complete or not.

    Raises
    ------
    BeliefSearchError
        If an action leads to several nodes: the cost of reaching a belief then depends on luck.

    Examples
    --------
    >>> from beliefsearch.graph import belief_graph
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> graph = belief_graph(DevilProblem(n=4))
    >>> for large, small in dominated_beliefs(graph).items():
    ...     print(graph.nodes[large]["label"], "contains", graph.nodes[small]["label"])
    HHHH HHHT contains HHHH
    HHHH HTTT contains HHHH
    """
    _require_paths(graph)
    graph = _checked(graph, "members")
    masks = _masks(graph)
    # A dominating belief comes before those it dominates. It suffices to compare with beliefs that are not dominated.
    order = sorted(graph, key=lambda node: (_exact(graph.nodes[node]["g"]), graph.nodes[node]["size"]))
    dominated: dict[int, int] = {}
    kept: list[int] = []
    for node in order:
        smaller = next((other for other in kept if not masks[other] & ~masks[node]), None)
        if smaller is None:
            kept.append(node)
        else:
            dominated[node] = smaller
    return dominated


def _checked(graph: nx.MultiDiGraph[int], attribute: str) -> nx.MultiDiGraph[int]:
    """The graph with its original attributes, also if it was read from a file; an error if nodes lack an attribute."""
    for node, data in graph.nodes(data=True):
        if attribute not in data:
            raise BeliefSearchError(f"node {node} has no {attribute!r}; {_GIVE}")
        if not isinstance(node, int) or isinstance(data.get("members"), str):
            return restored(graph)
    return graph


def _exact(number: Any) -> Cost:
    """The exact value of a number in a graph, where fractions are text."""
    return number if isinstance(number, int) else Fraction(number)


def _require_paths(graph: nx.MultiDiGraph[int]) -> None:
    """Raise `BeliefSearchError` unless plans are paths in the graph."""
    known: set[tuple[int, str]] = set()
    for tail, head, data in graph.edges(data=True):
        if "action" not in data:
            raise BeliefSearchError(f"the edge from node {tail} to {head} has no 'action'; {_GIVE}")
        if (tail, data["action"]) in known or "cost" not in data:
            raise BeliefSearchError(
                f"{data['action']} may lead from node {tail} to several others, by percepts or by chance, so plans are "
                "no paths in this graph; give the belief_graph() of a plain or a sensorless problem"
            )
        known.add((tail, data["action"]))


# The most beliefs that are compared with each other.
_MOST_COMPARED = 20_000


@frozen
class GraphAnalysis:
    """Figures of a graph of beliefs, or of states.

    Attributes
    ----------
    nodes, edges
        Their numbers.
    stopped
        The reason why the graph is not complete; empty if it is.
    counts
        The number of nodes by distance from the start and size of the belief.
    winnable
        The number of nodes from which a plan is sure to win; None if the graph is not complete, or has no costs to the
        goal.
    largest
        The winnable beliefs that lie in no other one; None if there are more than 20,000 beliefs.
    dominated
        The number of dominated beliefs; None if actions lead to several nodes, or there are more than 20,000 beliefs.
    plans
        The optimal plans; None if actions lead to several nodes, the graph is not complete, or has several starts.
    """

    nodes: int
    edges: int
    stopped: str
    counts: Mapping[tuple[Cost, int], int]
    winnable: int | None
    largest: tuple[int, ...] | None
    dominated: int | None
    plans: OptimalPlans | None


def analyse(graph: nx.MultiDiGraph[int]) -> GraphAnalysis:
    """Compute the figures of a graph.

    Parameters
    ----------
    graph
        The result of `belief_graph` or `read_graph`; the states of a plain problem count as beliefs of one state.

    Raises
    ------
    BeliefSearchError
        If it is another graph.

    Examples
    --------
    >>> from beliefsearch.graph import belief_graph
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> found = analyse(belief_graph(DevilProblem(n=4)))
    >>> found.nodes, found.winnable, found.largest, found.dominated, found.plans.count
    (22, 22, (0,), 2, 2)
    """
    graph = _checked(graph, "members")
    rows: dict[int, dict[str, Any]] = {node: graph.nodes[node] for node in graph}
    counts = Counter((_exact(row["g"]), row["size"]) for row in rows.values())
    complete = graph.graph.get("complete", True)
    winnable = [node for node, row in rows.items() if "cost_to_go" in row]
    known = complete and (winnable or not any(row["goal"] for row in rows.values()))
    is_path, few = False, len(rows) <= _MOST_COMPARED
    largest: list[int] = []
    masks = _masks(graph) if known and few else {}
    for node in sorted(winnable if masks else (), key=lambda node: -rows[node]["size"]):
        if all(masks[node] & ~masks[other] for other in largest):
            largest.append(node)
    with suppress(BeliefSearchError):
        _require_paths(graph)
        is_path = True
    return GraphAnalysis(
        nodes=len(rows),
        edges=graph.number_of_edges(),
        stopped="" if complete else graph.graph["stopped"],
        counts=dict(sorted(counts.items())),
        winnable=len(winnable) if known else None,
        largest=tuple(largest) if known and few else None,
        dominated=len(dominated_beliefs(graph)) if is_path and few else None,
        plans=optimal_plans(graph) if is_path and complete and sum(not g for g, _ in counts.elements()) == 1 else None,
    )


def _masks(graph: nx.MultiDiGraph[int]) -> dict[int, int]:
    """Return the belief of each node as a bit set of its named states."""
    bit_of: dict[str, int] = {}
    return {
        node: sum(1 << bit_of.setdefault(member, len(bit_of)) for member in data["members"])
        for node, data in graph.nodes(data=True)
    }
