"""A policy graph as a networkx graph."""

from __future__ import annotations

from typing import Any

import networkx as nx

from ..model.stochastic import StochasticProblem
from ..plans.encoding import number_to_json
from ..plans.policy_graph import PolicyGraph
from .shown import ShownGraph


def policy_nodes_graph(
    problem: StochasticProblem[Any, Any, Any], policy: PolicyGraph[Any, Any, Any]
) -> nx.MultiDiGraph[int]:
    """A node for each of the policy's, numbered as there, and an edge for each percept that may come.

    A node carries `action`, `start` (whether the game begins there), `values` (by the text of a state what is
    expected from there on; a fraction is text) and `label`, an edge `percept` and `label`.
    """
    graph: nx.MultiDiGraph[int] = ShownGraph(complete=True, stopped="")
    for node in range(len(policy)):
        action = problem.format_action(policy.action(node))
        values = {problem.format_state(state): number_to_json(value) for state, value in policy.values[node].items()}
        graph.add_node(node, action=action, start=node == policy.start, values=values, label=action)
    for node in range(len(policy)):
        for percept, target in policy.successors[node].items():
            seen = problem.format_percept(percept)
            graph.add_edge(node, target, percept=seen, label=seen)
    return graph
