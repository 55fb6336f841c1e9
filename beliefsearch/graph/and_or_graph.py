"""The graphs of conditional plans and of winning regions, and AND-OR graphs of beliefs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, TypeAlias

import networkx as nx

from ..belief_space.contingent import ContingentView
from ..errors import InvalidPlanError
from ..kinds import possible_game
from ..model.base import Action, State
from ..model.belief import outcomes
from ..model.exact import shown
from ..model.problem import BeliefProblem
from ..model.stochastic import AnyProblem
from ..plans.encoding import number_to_json
from ..plans.node_plans import require_applicable
from ..plans.plan import ConditionalPlan
from ..plans.winning_region import WinningRegion
from ..plans.wording import number_order
from ..running.limits import Budget
from .notebook_graph import ShownGraph
from .stream import Row
from .walk import Walk, arrangements_of, states_node

_Place: TypeAlias = "tuple[int, Any]"
"""A step of a plan, with a belief in which it is reached."""


def conditional_plan_graph(
    view: ContingentView[Any, Any, Any], plan: ConditionalPlan[Any, Any]
) -> nx.MultiDiGraph[int]:
    """The graph of a plan for the problem of `view`: steps are nodes, percepts are edges.

    Steps are numbered as in the plan. An end becomes a leaf for each belief in which the game may end: the first has
    the plan's number, the others come after all steps. A node carries `members` (the possible states, as text), `size`,
    `g` (the fewest actions from the start), `goal`, `on_plan`, `action` ("" at an end) and `label`; an edge carries
    `action`, `percept`, `cost`, `on_plan` and `label`, which is the percept. Raises `InvalidPlanError` if it is no plan
    for the problem.
    """
    problem = view.problem
    graph: nx.MultiDiGraph[int] = ShownGraph(complete=True, stopped="")
    further = count(len(plan.nodes))
    number_of: dict[_Place, int] = {}
    depth_of: dict[int, int] = {}
    places: dict[int, list[_Place]] = {}  # by number; a step may be reached with several beliefs
    branches: dict[_Place, list[tuple[Any, _Place]]] = {}
    for place, depth, follow in places_along(view, plan):
        step, _ = place
        number = number_of[place] = next(further) if plan.nodes[step].is_end and step in places else step
        depth_of.setdefault(number, depth)
        places.setdefault(number, []).append(place)
        branches[place] = follow
    for number in sorted(places):
        step, _ = places[number][0]
        node = plan.nodes[step]
        beliefs = [belief for _, belief in places[number]]
        texts = {problem.format_state(state) for belief in beliefs for state in view.members(belief)}
        members = sorted(texts, key=number_order)
        text = "" if node.is_end else problem.format_action(node.action)
        attributes = states_node(members, depth_of[number], node.is_end)
        graph.add_node(number, **{**attributes, "label": text or "done"}, on_plan=True, action=text)
        if not node.is_end:
            cost = shown(max(view.action_cost(belief, node.action) for belief in beliefs))
            edges = [(percept, number_of[after]) for place in places[number] for percept, after in branches[place]]
            for percept, target in dict.fromkeys(edges):
                data = outcome_edge(problem, node.action, percept, cost)
                graph.add_edge(number, target, **{**data, "label": data["percept"]}, on_plan=True)
    return graph


def places_along(
    view: ContingentView[Any, Any, Any], plan: ConditionalPlan[Any, Any], *, may_lose: bool = False
) -> Iterator[tuple[_Place, int, list[tuple[Any, _Place]]]]:
    """Yield every reachable place, breadth-first, with its depth and the next place for each percept.

    A plan that ends in a belief that is not won raises `InvalidPlanError`, unless it `may_lose`.
    """
    depths: dict[_Place, int] = {(0, view.initial_node()): 0}
    frontier = list(depths)
    for place in frontier:  # grows while it is walked
        step, belief = place
        node = plan.nodes[step]
        if node.is_end and not may_lose and not view.is_goal(belief):
            raise InvalidPlanError(f"the plan ends at node {step}, where the game need not be won")
        follow: list[tuple[Any, _Place]] = []
        if not node.is_end:
            require_applicable(view.problem, f"step {step}", node.action, view.members(belief))
        for percept, child in () if node.is_end else view.outcomes(belief, node.action):
            if percept not in node.target_of:
                name = view.problem.format_percept(percept)
                raise InvalidPlanError(f"node {step} has no branch for the percept {name}, which is possible there")
            after = node.target_of[percept], child
            follow.append((percept, after))
            if after not in depths:
                depths[after] = depths[place] + 1
                frontier.append(after)
        yield place, depths[place], follow


def and_or_walk(
    view: ContingentView[Any, Any, Any],
    plan: ConditionalPlan[Any, Any] | None = None,
    *,
    max_nodes: int | None = None,
    budget: Budget,
    at_once: bool = True,
) -> Walk[Any]:
    """The AND-OR graph: a node for each reachable belief, an edge for each action and percept.

    Attributes are those of `conditional_plan_graph`, but `action` of nodes is "", and the label of an edge also names
    its action. The beliefs and edges along `plan` are marked.
    """
    problem = view.problem
    marked: set[Any] = set()
    for (step, belief), _, follow in () if plan is None else places_along(view, plan):
        marked.add(belief)
        marked.update((belief, plan.nodes[step].action, percept) for percept, _ in follow if plan is not None)
    alike = arrangements_of(problem, budget)

    def describe(belief: Any, depth: Any, goal: bool) -> Row:
        states = list(view.members(belief))
        members = [problem.format_state(state) for state in states]
        more = {"arrangements": sum(alike[state] for state in states)} if alike else {}
        return {**states_node(members, depth, goal), "on_plan": belief in marked, "action": "", **more}

    def follow_all(belief: Any, goal: bool) -> Iterator[tuple[Any, int, Row]]:
        for action in () if goal else view.actions(belief):
            cost = shown(view.action_cost(belief, action))
            for percept, child in view.outcomes(belief, action):
                data = outcome_edge(problem, action, percept, cost)
                yield child, 1, {**data, "on_plan": (belief, action, percept) in marked}

    return Walk(
        lambda: [view.initial_node()],
        view.is_goal,
        describe,
        follow_all,
        max_nodes=max_nodes,
        budget=budget,
        at_once=at_once,
    )


def outcome_edge(problem: BeliefProblem[Any, Any, Any], action: Any, percept: Any, cost: Any) -> dict[str, Any]:
    """The attributes of an edge: action, percept and cost, with the action and the percept as label."""
    perceived = "" if percept is None else problem.format_percept(percept)
    name = problem.format_action(action)
    label = ": ".join(filter(None, (name, perceived)))
    return {"action": name, "percept": perceived, "cost": number_to_json(cost), "label": label}


def region_graph(problem: AnyProblem[State, Action], region: WinningRegion[State, Action]) -> nx.MultiDiGraph[int]:
    """A winning region as a graph: a node for each belief, an edge for each safe action and percept.

    Parameters
    ----------
    problem
        The problem of the region.
    region
        The result of `winning_region`.

    Returns
    -------
    networkx.MultiDiGraph
        Nodes have the numbers of the beliefs in the region, and carry `members` (the states, as text), `size`, `g` (the
        fewest safe actions from the start, missing if there is no way), `goal` and `label`; edges carry `action`,
        `percept`, `cost` and `label`. The graph carries `start`, the node of the initial belief, or -1 if it is not in
        the region.
    """
    played: Any = problem
    possible: BeliefProblem[Any, Any, Any] = possible_game(played)
    start = -1 if region.start is None else region.start
    graph: nx.MultiDiGraph[int] = ShownGraph(complete=True, stopped="", start=start)
    beliefs = [[region.states[place] for place in places] for places in region.beliefs]
    numbers = {frozenset(belief): number for number, belief in enumerate(beliefs)}
    graph.add_nodes_from(range(len(region)))
    for number, belief in enumerate(beliefs):
        for action in map(region.actions.__getitem__, region.safe[number]):
            cost = max(possible.action_cost(state, action) for state in belief)
            for percept, following in outcomes(possible, belief, action).items():
                data = outcome_edge(possible, action, percept, cost)
                graph.add_edge(number, numbers[frozenset(following)], **data)
    depths = {} if region.start is None else nx.single_source_shortest_path_length(graph, region.start)
    for number, belief in enumerate(beliefs):
        members = sorted([possible.format_state(state) for state in belief], key=number_order)
        attributes = states_node(members, depths.get(number), not region.safe[number])
        graph.nodes[number].update((name, value) for name, value in attributes.items() if value is not None)
    return graph
