"""Stochastic problems as networkx graphs, with the best policy marked, and policy graphs as such graphs."""

from __future__ import annotations

from typing import Any

import networkx as nx

from ..model.stochastic import StochasticProblem
from ..plans.encoding import number_to_json
from ..plans.policy import Policy, PolicyGraph
from ..running.limits import STOPS, Budget
from ..solvers.mdp.mdp_model import ChanceModel, explore
from .notebook_graph import ShownGraph


def policy_graph(
    problem: StochasticProblem[Any, Any],
    policy: Policy[Any, Any] | None = None,
    *,
    max_nodes: int | None = None,
    budget: Budget | None = None,
) -> nx.MultiDiGraph[int]:
    """The graph with a node for each reachable state, and an edge for each action and each outcome.

    Nodes are numbered breadth-first from the start, and are states up to `canonical`. A node carries `state` (as
    text), `g` (the fewest actions from the start), `terminal`, `on_policy` (whether it is reachable under the policy),
    `action` (the policy's, as text; "" in a terminal state, or without a policy), `best` (the texts of all best
    actions), `label` and, if it is known, `value`; a terminal one also its `utility`. An edge carries `action`,
    `probability`, `on_policy` (whether the action is the policy's) and `label`. A fraction is text. The graph carries
    `complete` and `stopped`, as that of `belief_graph` does. Raises `ProblemError` if the problem breaks its contract,
    `BeliefSearchError` if the policy does not cover a state.
    """
    graph: nx.MultiDiGraph[int] = ShownGraph(complete=True, stopped="")
    model: ChanceModel[Any, Any] = ChanceModel()
    budget = budget or Budget()
    try:
        explore(problem, model, budget, most=max_nodes)
    except STOPS as stop:
        graph.graph.update(complete=False, stopped=budget.why(stop))
    chosen = [] if policy is None else [policy.action(state) for state in model.states[: len(model.utilities)]]
    for number, utility in enumerate(model.utilities):  # the explored states; more may have been reached
        state = model.states[number]
        node: dict[str, Any] = {"state": problem.format_state(state), "g": 0, "terminal": utility is not None}
        node.update(on_policy=False, action="", best=[])
        if utility is not None:
            node["utility"] = number_to_json(utility)
        elif policy is not None:
            node["action"] = problem.format_action(chosen[number])
            node["best"] = [problem.format_action(action) for action in policy.best_actions(problem, state)]
        value = utility if policy is None else policy.value(state)
        if value is not None:
            node["value"] = number_to_json(value)
        graph.add_node(number, **node, label=node["state"])
    for number in range(len(model.utilities)):
        for action, outcomes in zip(model.actions[number], model.outcomes[number], strict=True):
            name = problem.format_action(action)
            is_policy = policy is not None and action == chosen[number]
            for probability, result in outcomes:
                if result in graph:  # else the exploration was stopped before it
                    chance = number_to_json(probability)
                    label = f"{name}: {probability:.6g}" if isinstance(probability, float) else f"{name}: {probability}"
                    graph.add_edge(number, result, action=name, probability=chance, on_policy=is_policy, label=label)
    if graph:
        starts = set(range(model.starts)) & set(graph)
        nx.set_node_attributes(graph, nx.multi_source_dijkstra_path_length(graph, starts, weight=None), "g")
    if chosen:
        taken: nx.MultiDiGraph[int] = nx.MultiDiGraph(edge for edge in graph.edges if graph.edges[edge]["on_policy"])
        taken.add_node(0)
        nx.set_node_attributes(graph, dict.fromkeys({0, *nx.descendants(taken, 0)}, True), "on_policy")
    return graph


def policy_nodes_graph(
    problem: StochasticProblem[Any, Any, Any], policy: PolicyGraph[Any, Any, Any]
) -> nx.MultiDiGraph[int]:
    """The graph with a node for each node of the policy, of the same number, and an edge for each percept.

    A node carries `action`, `start` (whether the game begins there), `values` (the expected reward by the text of a
    state; a fraction is text) and `label`, an edge `percept` and `label`.
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
