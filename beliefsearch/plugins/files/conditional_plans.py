"""Conditional plans of files, made by following them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model.reachability import walk
from ...plans.node_plans import NodePlan, WrittenPlan
from ...plans.plan import ConditionalPlan, PlanNode
from ...verify.asked_game import PlayedGame
from ...verify.conditional import follow, many_blocks_of, readable
from ...verify.conditional_factored import FollowedBlocks
from ...verify.numbered import Numbered


def read_conditional_plan(problem: Any, written: Mapping[str, Any]) -> ConditionalPlan[Any, Any]:
    """The plan in a plan file, without unreachable nodes; raises as `verify.conditional` does."""
    return read_node_plan(problem, WrittenPlan(readable(problem), written))


def read_node_plan(problem: Any, plan: NodePlan) -> ConditionalPlan[Any, Any]:
    """The same plan without unreachable nodes; raises as that does."""
    blocks = many_blocks_of(problem)
    if blocks is not None:
        followed = FollowedBlocks(problem, blocks, plan)
        followed.cost()
        return followed.read()
    game = PlayedGame(problem)
    course = follow(game, plan)
    options = dict(zip(course.nodes, course.options, strict=True))
    after: dict[int, dict[int, int]] = {}  # by node and percept
    for node, of_place in zip(course.nodes, course.options, strict=True):
        branches = after.setdefault(node, {})
        for _, places in of_place:
            branches |= {percept: course.nodes[place] for percept, place in places.items()}
    number = Numbered(walk([0], lambda node: after[node].values()))
    actions, percepts = game.named_actions, game.named_percepts
    return ConditionalPlan(
        tuple(
            PlanNode(
                actions.met(options[node][0][0]) if options[node] else None,
                tuple((percepts.met(percept), number.number(target)) for percept, target in after[node].items()),
            )
            for node in number.items
        )
    )
