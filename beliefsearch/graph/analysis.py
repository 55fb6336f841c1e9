"""Analysis of a problem's graph: its layers, its optimal plans, and its dominated beliefs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
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
    """All plans of least cost, summed up.

    Attributes
    ----------
    cost
        What each of them costs; infinite if there is no plan.
    count
        How many there are: sequences of actions that end where a goal is first reached. Infinite if some of them may
        go round a circle that costs nothing.
    edges
        The edges that lie on one, as networkx names them: from, to, and a key.
    bottlenecks
        The nodes that every one of them comes through, in the order in which it does; with both ends, if the end is
        the same.
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
    """Count the plans of least cost, and find the edges and beliefs they go through.

    Parameters
    ----------
    graph
        What `belief_graph` gives for a plain or a sensorless problem, complete.
    start
        The node to start from.

    Raises
    ------
    BeliefSearchError
        If the graph is not complete, or an action leads to several nodes, after percepts or by chance. There a plan
        is no path, and what it does off its most expensive branch is free, so that counting plans says little.

    Notes
    -----
    Costs are compared exactly: a float is the fraction that it stands for. Each edge of an optimal path is on its way
    from the start and on its way to a goal as cheap as can be, so two searches find them all; how many paths go on from
    a node is the sum over its edges. The bottlenecks are the dominators of the end in that part of the graph.

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
    every = graph.edges(keys=True, data=True)
    open_edges = [(tail, head, key, _exact(data["cost"])) for tail, head, key, data in every if tail not in goals]
    cheapest: nx.DiGraph[int] = nx.DiGraph()
    cheapest.add_nodes_from(graph)
    for tail, head, _, cost in open_edges:
        known = cheapest.get_edge_data(tail, head)
        if known is None or cost < known["cost"]:
            cheapest.add_edge(tail, head, cost=cost)
    behind: dict[int, Any] = nx.single_source_dijkstra_path_length(cheapest, start, weight="cost")
    ahead: dict[int, Any] = {}
    if goals:
        ahead = nx.multi_source_dijkstra_path_length(cheapest.reverse(copy=False), goals, weight="cost")
    if start not in ahead:
        return OptimalPlans(inf, 0, frozenset(), ())
    least = ahead[start]
    ways: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    ways.add_node(start)
    for tail, head, key, cost in open_edges:
        if tail in behind and head in ahead and behind[tail] + cost + ahead[head] == least:
            ways.add_edge(tail, head, key)
    edges = frozenset(ways.edges(keys=True))
    count: int | float = inf
    if nx.is_directed_acyclic_graph(ways):
        onward: dict[int, int] = {}
        for node in reversed(list(nx.topological_sort(ways))):
            onward[node] = 1 if node in goals else sum(onward[head] for _, head in ways.out_edges(node))
        count = onward[start]
    end = -1  # behind all goals
    ways.add_edges_from((goal, end) for goal in goals & set(ways))
    before = nx.immediate_dominators(ways, start)
    bottlenecks = []
    while end != start:
        end = before[end]
        bottlenecks.append(end)
    return OptimalPlans(least, count, edges, tuple(reversed(bottlenecks)))


def dominated_beliefs(graph: nx.MultiDiGraph[int]) -> dict[int, int]:
    """The dominated beliefs: each contains another one that was reached at no greater cost.

    A plan that wins from the smaller belief is one that a search would find as cheaply, so it need not look at the
    larger one; `solve(problem, dominance=True)` does not.

    Parameters
    ----------
    graph
        What `belief_graph` gives for a sensorless problem. A graph that is not complete will do.

    Raises
    ------
    BeliefSearchError
        If an action leads to several nodes: what a belief on one of many branches costs to reach depends on luck.

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
    # A belief that dominates comes before those that it dominates; and only those that nothing dominates are needed.
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
    """The graph as it was before a file was made of it; `BeliefSearchError` if its nodes lack an attribute."""
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


# Of more beliefs it is not said which of them contain others.
_MOST_COMPARED = 20_000


@frozen
class GraphAnalysis:
    """Figures of a graph of beliefs, or of states.

    Attributes
    ----------
    nodes, edges
        How many there are.
    stopped
        What stopped the walk, if the graph is not complete; else empty.
    counts
        By distance from the start and size of the belief: how many.
    winnable
        From how many nodes a plan is sure to win; None if the graph is not complete, or has no costs to the goal.
    largest
        The winnable beliefs that lie in no other one; None if not looked for, in more than 20,000.
    dominated
        How many beliefs contain another one that was reached as cheaply; None where percepts or chance decide, or not
        looked for.
    plans
        The plans of least cost, summed up; None where percepts or chance decide, the graph is not complete, or begins
        with several starts.
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
    """Count what there is to count in a graph.

    Parameters
    ----------
    graph
        What `belief_graph` or `read_graph` gives; of a plain problem its states are beliefs of one state.

    Raises
    ------
    BeliefSearchError
        If it is the graph of something else.

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
    """Return, by node, the belief as a bit set of all states that are named."""
    bit_of: dict[str, int] = {}
    return {
        node: sum(1 << bit_of.setdefault(member, len(bit_of)) for member in data["members"])
        for node, data in graph.nodes(data=True)
    }
