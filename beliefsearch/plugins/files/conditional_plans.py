"""Conditional plans and policy graphs of files, read as the checkers read them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...errors import InvalidPlanError
from ...model.reachability import walk
from ...plans.courses import follow
from ...plans.node_plans import NodePlan, WrittenPlan
from ...plans.partial_courses import PartialCourse, rules_of
from ...plans.plan import ConditionalPlan, PlanNode
from ...plans.policy import PolicyGraph
from ...verify.asked_game import PlayedGame
from ...verify.chance_game import AskedChanceGame
from ...verify.checker import UnreadableError
from ...verify.conditional import many_blocks_of, readable
from ...verify.conditional_factored import FollowedBlocks
from ...verify.numbered import Numbered
from ...verify.pomdp_file import graph_of_file


def read_conditional_plan(problem: Any, written: Mapping[str, Any]) -> ConditionalPlan[Any, Any]:
    """The plan in a plan file, without unreachable nodes; raises as `verify.conditional` does."""
    return read_node_plan(problem, WrittenPlan(readable(problem), written))


def read_node_plan(problem: Any, plan: NodePlan) -> ConditionalPlan[Any, Any]:
    """A plan followed node by node, as a conditional plan without unreachable nodes; raises likewise."""
    blocks, rules = many_blocks_of(problem), rules_of(problem)
    steps: dict[int, tuple[Any, dict[Any, int]]] = {}  # by node: the action, and the next node for each percept
    if blocks is not None:
        followed = FollowedBlocks(problem, blocks, plan)
        followed.cost()
        steps = followed.steps
    elif rules is not None:
        steps = PartialCourse(problem, rules, plan).steps
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


def read_policy_graph(problem: Any, written: Mapping[str, Any]) -> PolicyGraph[Any, Any, Any]:
    """The policy graph in a plan file, without checking its values; raises `InvalidPlanError` if it is none."""
    game = AskedChanceGame(problem)
    try:
        table = graph_of_file(game, written)
    except UnreadableError as error:
        raise InvalidPlanError(game.named(error)) from None
    states, actions, percepts = (part.items for part in game.parts)
    unit, nodes = table["unit"], table["nodes"]
    return PolicyGraph(
        [actions[a] for a, _, _ in nodes],
        [{percepts[o]: k for o, k in enumerate(after) if k is not None} for _, after, _ in nodes],
        [{states[s]: Fraction(v, unit) for s, v in enumerate(values) if v is not None} for _, _, values in nodes],
        steps=table.get("left"),
    )
