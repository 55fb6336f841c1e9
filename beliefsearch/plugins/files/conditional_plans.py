"""Conditional plans of files, made by following them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model.reachability import walk
from ...plans.courses import follow
from ...plans.node_plans import NodePlan, WrittenPlan
from ...plans.plan import ConditionalPlan, PlanNode
from ...verify.asked_game import PlayedGame
from ...verify.conditional import many_blocks_of, readable
from ...verify.conditional_factored import FollowedBlocks
from ...verify.numbered import Numbered


def read_conditional_plan(problem: Any, written: Mapping[str, Any]) -> ConditionalPlan[Any, Any]:
    """The plan in a plan file, without unreachable nodes; raises as `verify.conditional` does."""
    return read_node_plan(problem, WrittenPlan(readable(problem), written))


def read_node_plan(problem: Any, plan: NodePlan) -> ConditionalPlan[Any, Any]:
    """The same plan without unreachable nodes; raises as that does."""
    blocks = many_blocks_of(problem)
    steps: dict[int, tuple[Any, dict[Any, int]]] = {}  # by node the action, and by percept the next node
    if blocks is not None:
        followed = FollowedBlocks(problem, blocks, plan)
        followed.cost()
        steps = followed.steps
    else:
        game = PlayedGame(problem)
        course = follow(game, plan)
        for node, options in zip(course.nodes, course.options, strict=True):
            for action, places in options:
                _, branches = steps.setdefault(node, (game.named_actions.met(action), {}))
                branches |= {game.named_percepts.met(percept): course.nodes[place] for percept, place in places.items()}
    ends: tuple[Any, dict[Any, int]] = None, {}
    number = Numbered(walk([0], lambda node: steps.get(node, ends)[1].values()))
    nodes = []
    for node in number.items:
        action, branches = steps.get(node, ends)
        nodes.append(PlanNode(action, tuple((percept, number.number(target)) for percept, target in branches.items())))
    return ConditionalPlan(tuple(nodes))
