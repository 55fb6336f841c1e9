"""The graph that a solver searches, as a networkx graph."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from heapq import heappop, heappush
from operator import itemgetter
from typing import Any

import networkx as nx

from ..errors import InvalidPlanError
from ..model.checked import checked_cost
from ..model.hooks import ReversibleProblem
from ..model.problem import Action, Cost, Problem, State
from ..plans.encoding import number_to_json
from ..running.limits import STOPS, Budget, LimitReached
from ..solvers.path.distance_table import DistanceTable
from ..views.sensorless import BeliefView
from .walk import members_label


def search_graph(
    problem: Problem[State, Action],
    plan: Sequence[Action] | None = None,
    *,
    roots: Iterable[State] | None = None,
    max_nodes: int | None = None,
    budget: Budget | None = None,
) -> nx.MultiDiGraph[int]:
    """The graph of all nodes that a plan can reach; goals have no successors.

    Parameters
    ----------
    problem
        A plain problem, or the view of a belief problem.
    plan
        Actions from the initial state; its nodes and edges are marked, as far as they belong to the graph.
    roots
        Where to start from instead of the initial state.
    max_nodes
        How many nodes may be expanded.
    budget
        Limits; when they are reached the graph is left unfinished.

    Returns
    -------
    networkx.MultiDiGraph
        Nodes are numbered in the order of their distance `g` from the roots. A node carries `members`
        (the states of a belief as text, or the one state), `size`, `g`, `goal`, `on_plan` and `label`; an
        edge carries `action`, `cost` and `on_plan`. The graph carries `complete`, and `stopped`, which
        tells what stopped it if it is not complete. Of a plain problem whose author numbers the states
        (`node_number`), a node carries `number` too.
    """
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(complete=True, stopped="")
    budget = budget or Budget()
    g_of: dict[State, Cost] = {}
    frontier: list[tuple[Cost, int, State]] = []
    number_of: dict[State, int] = {}
    edges: list[tuple[State, State, Action, Cost]] = []
    age = 0
    on_plan: list[State] = []
    try:
        for age, state in enumerate(roots if roots is not None else [problem.initial_state()]):
            budget.tick()
            if state not in g_of:
                g_of[state] = 0
                frontier.append((0, age, state))  # ages grow, so this is a heap
        while frontier:
            g, _, state = heappop(frontier)
            if state in number_of:
                continue  # reached before, more cheaply
            if max_nodes is not None and len(number_of) >= max_nodes:
                raise LimitReached(f"the limit of {max_nodes} nodes was reached")
            budget.tick()
            number_of[state] = len(number_of)
            goal = problem.is_goal(state)
            graph.add_node(number_of[state], **_node(problem, state, g, goal))
            if goal:
                continue
            for action in problem.actions(state):
                budget.tick()
                child = problem.result(state, action)
                cost = checked_cost(problem, state, action)
                edges.append((state, child, action, cost))
                if child not in g_of or g + cost < g_of[child]:
                    g_of[child] = g + cost
                    age += 1
                    heappush(frontier, (g + cost, age, child))
    except STOPS as stop:
        graph.graph.update(complete=False, stopped=budget.why(stop))
    try:
        on_plan += _states_along(problem, plan, number_of) if plan else []
    except STOPS as stop:
        graph.graph.update(complete=False, stopped=budget.why(stop))
    for state in on_plan:
        if number_of[state] in graph:  # a limit may have come in between
            graph.nodes[number_of[state]]["on_plan"] = True
    steps = set(zip(on_plan, plan or (), strict=False))
    for state, child, action, cost in edges:
        if child in number_of and number_of[child] in graph:
            text = problem.format_action(action)
            marked = (state, action) in steps
            graph.add_edge(number_of[state], number_of[child], action=text, cost=number_to_json(cost), on_plan=marked)
    return graph


def tree_graph(problem: ReversibleProblem[State, Action], table: DistanceTable[State, Action]) -> nx.MultiDiGraph[int]:
    """The tree of a backward search from the goals: each state's only edge is the first action of a best plan.

    Parameters
    ----------
    problem
        The problem that the table is of.
    table
        Its `distance_table`; the tree has the states in it.

    Returns
    -------
    networkx.MultiDiGraph
        As `search_graph`, but nodes are numbered in the order of their distance from a goal, and in place of
        `g` they carry it as `distance`. No node or edge is on a plan: from each node the edges are one.
    """
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(complete=table.stopped is None, stopped=table.stopped or "")
    number_of: dict[State, int] = {}
    for state, distance in sorted(table.distances.items(), key=itemgetter(1)):
        number_of[state] = len(number_of)
        node = _node(problem, state, distance, state not in table.first_steps)
        node["distance"] = node.pop("g")
        graph.add_node(number_of[state], **node)
    for state, (action, parent) in table.first_steps.items():
        cost = number_to_json(checked_cost(problem, state, action))
        text = problem.format_action(action)
        graph.add_edge(number_of[state], number_of[parent], action=text, cost=cost, on_plan=False)
    return graph


def _node(problem: Problem[State, Action], state: State, g: Cost, goal: bool) -> dict[str, Any]:
    if isinstance(problem, BeliefView):
        members = [problem.problem.format_state(member) for member in problem.members(state)]
    else:
        members = [problem.format_state(state)]
    node = {"members": members, "size": len(members), "g": number_to_json(g), "goal": goal, "on_plan": False}
    node["label"] = members_label(members)
    number = None if isinstance(problem, BeliefView) else problem.node_number(state)
    return node if number is None else {**node, "number": number}


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
