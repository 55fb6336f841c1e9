"""Conditional plans, and all that they are chosen from, as networkx graphs."""

from __future__ import annotations

from itertools import count
from typing import Any

import networkx as nx

from ..model.problem import BeliefProblem
from ..plans.plan import ConditionalPlan, PlanNode
from ..running.limits import STOPS, Budget, LimitReached
from ..views.contingent import ContingentView

__all__ = ["and_or_graph", "conditional_plan_graph"]


def conditional_plan_graph(
    view: ContingentView[Any, Any, Any], plan: ConditionalPlan[Any, Any]
) -> nx.MultiDiGraph[int]:
    """The steps of a plan as nodes, and what may be perceived after each as edges.

    Parameters
    ----------
    view
        The problem as it was searched.
    plan
        A plan for it.

    Returns
    -------
    networkx.MultiDiGraph
        Steps are numbered as in the plan. Its one end, which says only that the game is won, becomes a leaf for each
        belief in which the game may end: the first has the plan's number, the others come after all steps. A node
        carries `members` (the states that are possible there, as text), `size`, `g` (the fewest actions to there),
        `goal`, `on_plan`, `action` (what to do, "" at an end) and `label`; an edge carries `action`, `percept`,
        `cost`, `on_plan` and `label`, which is the percept.
    """
    problem = view.problem
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(complete=True, stopped="")
    root = view.initial_node()
    beliefs: dict[int, list[Any]] = {0: [root]}  # of steps; some do for several beliefs
    depth = {0: 0}
    leaf_of: dict[tuple[int, Any], int] = {(0, root): 0} if plan.nodes[0].is_end else {}
    taken: set[int] = set(leaf_of.values())
    further = count(len(plan.nodes))
    edges: dict[int, dict[tuple[Any, int], None]] = {}
    frontier = [(0, root)]
    met = set(frontier)
    for number, belief in frontier:  # grows while it is walked: breadth-first
        action = plan.nodes[number].action
        for percept, child in () if plan.nodes[number].is_end else view.outcomes(belief, action):
            target = plan.follow(number, percept)
            if (target, child) not in met:
                met.add((target, child))
                frontier.append((target, child))
                if plan.nodes[target].is_end:
                    leaf = next(further) if target in taken else target
                    leaf_of[target, child] = leaf
                    taken.add(leaf)
                else:
                    leaf = target
                depth.setdefault(leaf, depth[number] + 1)
                beliefs.setdefault(leaf, []).append(child)
            edges.setdefault(number, {})[percept, leaf_of.get((target, child), target)] = None
    for number in sorted(depth):
        node = plan.nodes[number] if number < len(plan.nodes) else PlanNode[Any, Any](None)
        members = sorted({problem.format_state(s) for belief in beliefs[number] for s in view.members(belief)})
        text = "" if node.is_end else problem.format_action(node.action)
        graph.add_node(number, **_node(members, depth[number], node.is_end), on_plan=True, action=text)
        graph.nodes[number]["label"] = text or "done"
        if not node.is_end:
            cost = max(view.action_cost(belief, node.action) for belief in beliefs[number])
            for percept, target in edges[number]:
                graph.add_edge(number, target, **_edge(problem, node.action, percept, cost), on_plan=True)
    return graph


def and_or_graph(
    view: ContingentView[Any, Any, Any], *, max_nodes: int | None = None, budget: Budget | None = None
) -> nx.MultiDiGraph[int]:
    """Every belief that can come up as a node, with an edge for each action and each percept after it.

    Parameters
    ----------
    view
        A view on a belief problem.
    max_nodes
        How many nodes there may be.
    budget
        Limits; when they are reached the graph is left unfinished.

    Returns
    -------
    networkx.MultiDiGraph
        As for `conditional_plan_graph`, but `action` of nodes is "", and the label of an edge names its action too.
    """
    problem = view.problem
    budget = budget or Budget()
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(complete=True, stopped="")
    root = view.initial_node()
    number_of = {root: 0}
    depth = [0]
    frontier = [root]
    edges: list[tuple[int, int, dict[str, Any]]] = []
    try:
        for number, belief in enumerate(frontier):  # grows while it is walked: breadth-first
            if max_nodes is not None and number >= max_nodes:
                raise LimitReached(f"the limit of {max_nodes} nodes was reached")
            budget.tick()
            goal = view.is_goal(belief)
            members = [problem.format_state(state) for state in view.members(belief)]
            graph.add_node(number, **_node(members, depth[number], goal), on_plan=False, action="")
            for action in () if goal else view.actions(belief):
                cost = view.action_cost(belief, action)
                for percept, child in view.outcomes(belief, action):
                    budget.tick()
                    if child not in number_of:
                        number_of[child] = len(frontier)
                        depth.append(depth[number] + 1)
                        frontier.append(child)
                    data = _edge(problem, action, percept, cost)
                    data["label"] = ": ".join(filter(None, (data["action"], data["percept"])))
                    edges.append((number, number_of[child], {**data, "on_plan": False}))
    except STOPS as stop:
        graph.graph.update(complete=False, stopped=budget.why(stop))
    for tail, head, data in edges:
        if head in graph:  # else the graph was left unfinished
            graph.add_edge(tail, head, **data)
    return graph


def _node(members: list[str], depth: int, goal: bool) -> dict[str, Any]:
    label = " ".join(members)
    if len(label) > 60:
        label = f"{len(members)} states"
    return {"members": members, "size": len(members), "g": depth, "goal": goal, "label": label}


def _edge(problem: BeliefProblem[Any, Any, Any], action: Any, percept: Any, cost: Any) -> dict[str, Any]:
    told = "" if percept is None else problem.format_percept(percept)
    price = cost if isinstance(cost, (int, float)) else str(cost)
    return {"action": problem.format_action(action), "percept": told, "cost": price, "label": told}
