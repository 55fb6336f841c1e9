"""The graph that a solver searches, as a networkx graph."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any

import networkx as nx

from ..errors import InvalidPlanError
from ..model.checked import checked_cost
from ..model.hooks import ReversibleProblem
from ..model.problem import Action, Cost, Problem, State
from ..plans.encoding import number_to_json
from ..running.limits import STOPS, Budget
from ..solvers.path.distance_table import DistanceTable
from ..views.sensorless import BeliefView
from .shown import ShownGraph
from .walk import states_node, walked_graph


def search_graph(
    problem: Problem[State, Action],
    plan: Sequence[Action] | None = None,
    *,
    roots: Iterable[State] | None = None,
    max_nodes: int | None = None,
    budget: Budget | None = None,
) -> nx.MultiDiGraph[int]:
    """The graph of all nodes that a plan can reach; goals have no successors.

    `problem` is a plain one, or the view of a belief problem. The walk starts at the initial state or the given roots.
    `plan`, from the initial state, is marked as far as it belongs to the graph. The attributes are those of
    `belief_graph`; of a plain problem whose author numbers the states (`node_number`), a node carries `number` too.
    """
    budget = budget or Budget()

    def starts() -> Iterable[State]:
        return roots if roots is not None else [problem.initial_state()]

    def describe(state: State, g: Cost) -> dict[str, Any]:
        return _node(problem, state, g, problem.is_goal(state))

    def follow(state: State, node: dict[str, Any]) -> Iterator[tuple[State, Cost, dict[str, Any]]]:
        for action in () if node["goal"] else problem.actions(state):
            child = problem.result(state, action)
            cost = checked_cost(problem, state, action)
            yield child, cost, _edge(problem, action, cost)

    graph, number_of = walked_graph(starts, describe, follow, max_nodes=max_nodes, budget=budget)
    on_plan: list[State] = []
    try:
        on_plan += _states_along(problem, plan, number_of) if plan else []
    except STOPS as stop:
        graph.graph.update(complete=False, stopped=budget.why(stop))
    numbers = [number_of[state] for state in on_plan]
    for number in numbers:
        if number in graph:  # a limit may have come in between
            graph.nodes[number]["on_plan"] = True
    for (tail, head), action in zip(pairwise(numbers), plan or (), strict=False):
        parallel: Any = graph.get_edge_data(tail, head, default={})
        for data in parallel.values():
            data["on_plan"] |= data["action"] == problem.format_action(action)
    return graph


def tree_graph(problem: ReversibleProblem[State, Action], table: DistanceTable[State, Action]) -> nx.MultiDiGraph[int]:
    """The tree of a backward search from the goals: each state's only edge is the first action of a best plan.

    `table` is the problem's `distance_table`; the tree has the states in it. Attributes are those of `search_graph`,
    but nodes are numbered in the order of their distance from a goal, and in place of `g` they carry it as `distance`.
    No node or edge is on a plan: from each node the edges are one.
    """
    graph: nx.MultiDiGraph[int] = ShownGraph(complete=table.stopped is None, stopped=table.stopped or "")
    number_of: dict[State, int] = {}
    for state, distance in sorted(table.distances.items(), key=itemgetter(1)):
        number_of[state] = len(number_of)
        node = _node(problem, state, distance, state not in table.first_steps)
        node["distance"] = node.pop("g")
        graph.add_node(number_of[state], **node)
    for state, (action, parent) in table.first_steps.items():
        cost = checked_cost(problem, state, action)
        graph.add_edge(number_of[state], number_of[parent], **_edge(problem, action, cost))
    return graph


def _node(problem: Problem[State, Action], state: State, g: Cost, goal: bool) -> dict[str, Any]:
    if isinstance(problem, BeliefView):
        members, number = [problem.problem.format_state(member) for member in problem.members(state)], None
    else:
        members, number = [problem.format_state(state)], problem.node_number(state)
    node = states_node(members, number_to_json(g), goal, on_plan=False)
    return node if number is None else {**node, "number": number}


def _edge(problem: Problem[State, Action], action: Action, cost: Cost) -> dict[str, Any]:
    return {"action": problem.format_action(action), "cost": number_to_json(cost), "on_plan": False}


def _states_along(problem: Problem[State, Action], plan: Sequence[Action], drawn: Container[State]) -> list[State]:
    """The states along the plan, as far as the graph contains them."""
    states: list[State] = []
    state = problem.initial_state()
    for step, action in enumerate(plan, 1):
        if state not in drawn:
            return states
        states.append(state)
        if action not in problem.actions(state):
            raise InvalidPlanError(f"step {step}: the action {problem.format_action(action)} does not apply there")
        state = problem.result(state, action)
    return [*states, state] if state in drawn else states
