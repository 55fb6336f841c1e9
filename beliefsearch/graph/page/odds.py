"""Page data of partially observable stochastic problems: what is possible, how likely it is, and the policy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from ...model.chance import Over, without_chance
from ...model.checked import checked_initial_distribution, checked_outcomes, checked_percept_distribution
from ...plans.plan import ConditionalPlan, PlanNode
from ...plans.policy_graph import PolicyGraph
from ...running.limits import Budget
from ...solvers.pomdp.model import pomdp_model
from .answer import Told
from .beliefs import BeliefPage


def odds_page(problem: Any, told: Told, budget: Budget, most_nodes: int) -> dict[str, Any]:
    """The parts of page data that depend on the problem, for partially observable ones."""

    def odds(state: Any, action: Any) -> Iterator[tuple[Any, Any, Any]]:
        for chance, result in checked_outcomes(problem, state, action):
            if problem.is_terminal(result):
                yield result, Over.WON if problem.is_goal(result) else Over.LOST, chance
                continue
            for seen, percept in checked_percept_distribution(problem, result, action):
                yield result, percept, chance * seen

    plan = None if told.graph is None or not len(told.graph) else _as_plan(problem, told.graph, budget)
    page = BeliefPage(without_chance(problem), evolve(told, plan=plan), budget, most_nodes, odds)
    if page.is_too_large():
        return page.outline()
    data = page.data()
    likely: dict[Any, Any] = {}
    for chance, state in checked_initial_distribution(problem):
        known = page.tables.state(problem.canonical(state))
        likely[known] = likely.get(known, 0) + chance
    return {**data, "odds": [float(likely.get(number, 0)) for number in data["start"]]}


def _as_plan(problem: Any, graph: PolicyGraph[Any, Any, Any], budget: Budget) -> ConditionalPlan[Any, Any]:
    """A policy graph as a plan, which ends where the game is over, and where the policy says nothing more."""
    percepts = pomdp_model(problem, budget).percepts
    end = len(graph)
    nodes = []
    for node in range(end):
        targets = graph.successors[node]
        branches = [(percept, targets.get(percept, end)) for percept in percepts]
        nodes.append(PlanNode(graph.action(node), (*branches, *((over, end) for over in Over))))
    # A plan begins with its first node.
    first, start = nodes[0], graph.start
    if start:
        moved = {0: start, start: 0}
        nodes[0], nodes[start] = nodes[start], first
        nodes = [
            PlanNode(node.action, tuple((percept, moved.get(target, target)) for percept, target in node.branches))
            for node in nodes
        ]
    return ConditionalPlan((*nodes, PlanNode(None)))
