"""Construction of a conditional plan from an action for each node."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action
from ...plans.plan import ConditionalPlan, PlanNode

Node = TypeVar("Node", bound=Hashable)


def plan_graph(
    problem: AndOrProblem[Node, Action],
    root: Node,
    choose: Callable[[Node], Action],
    stand_ins: Callable[[Node, list[Node]], dict[Node, Node]] | None = None,
) -> ConditionalPlan[Action, Any]:
    """Follow the chosen actions from `root` through every outcome; all goals share one end node.

    `stand_ins` maps, for a node and its outcomes, some of these to other nodes whose plans also work for them. Nodes
    are numbered breadth-first, in O(outcomes of the nodes met).
    """
    number_of: dict[Node, int] = {}
    frontier: list[Node] = []
    end: int | None = None
    steps: list[PlanNode[Action, Any]] = []

    def number(node: Node) -> int:
        nonlocal end
        if node not in number_of:
            is_goal = problem.is_goal(node)
            if end is None or not is_goal:
                number_of[node] = len(frontier)
                frontier.append(node)
            else:
                number_of[node] = end
            if is_goal:
                end = number_of[node]
        return number_of[node]

    number(root)
    for node in frontier:  # grows while it is walked
        if problem.is_goal(node):
            steps.append(PlanNode(None))
            continue
        action = choose(node)
        outcomes = problem.outcomes(node, action)
        others = stand_ins(node, [child for _, child in outcomes]) if stand_ins else {}
        branches = tuple((percept, number(others.get(child, child))) for percept, child in outcomes)
        steps.append(PlanNode(action, branches))
    return ConditionalPlan(tuple(steps))
