"""Graphs of states: those that a solver searches, trees of a search backwards, true states, and policies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any, Generic

import networkx as nx

from ..belief_space.sensorless import BeliefView
from ..errors import InvalidPlanError
from ..model.adapters import Quotient
from ..model.base import Action, Cost, State
from ..model.belief import initial_states, is_goal_belief, perceived, successors
from ..model.checked import written_cost
from ..model.exact import shown
from ..model.hooks import ReversibleProblem
from ..model.problem import BeliefProblem, Problem
from ..model.stochastic import StochasticProblem
from ..plans.encoding import number_to_json
from ..plans.policy import Policy, PolicyGraph
from ..running.limits import STOPS, Budget
from ..solvers.mdp.mdp_model import ChanceModel, explore
from ..solvers.path.distance_table import DistanceTable
from .and_or_graph import outcome_edge
from .notebook_graph import ShownGraph
from .stream import GraphStream, Kinds, Row, kinds_by_level
from .walk import Walk, arrangements_of, states_node


def search_walk(
    problem: Problem[State, Action],
    plan: Sequence[Action] | None = None,
    *,
    roots: Iterable[State] | None = None,
    max_nodes: int | None = None,
    budget: Budget,
    at_once: bool = True,
) -> Walk[State]:
    """The graph of all reachable nodes; goals have no successors.

    `problem` is a plain one, or the view of a belief problem. The walk starts at the initial state or the given roots.
    `plan`, from the initial state, is marked as far as it belongs to the graph. The attributes are those of
    `belief_graph`; if the author numbers the states of a plain problem (`node_number`), a node also carries `number`.
    `at_once` is that of `Walk`.
    """
    author: Any = problem.problem if isinstance(problem, (BeliefView, Quotient)) else problem
    alike = arrangements_of(author, budget) if roots is None else {}

    def follow(state: State, goal: bool) -> Iterator[tuple[State, Cost, Row]]:
        for action in () if goal else problem.actions(state):
            child = problem.result(state, action)
            cost = written_cost(problem, state, action)
            yield child, cost, _edge(problem, action, shown(cost))

    optional = {**_optional(problem), **({"arrangements": int} if alike else {})}
    walk = Walk(
        lambda: [problem.initial_state()] if roots is None else roots,
        problem.is_goal,
        lambda state, g, goal: _node(problem, state, shown(g), goal, alike),
        follow,
        max_nodes=max_nodes,
        budget=budget,
        at_once=at_once,
        optional=optional,
    )
    on_plan: list[int] = []
    try:
        on_plan += _numbers_along(problem, plan, walk.number) if plan else []
    except STOPS as stop:
        walk.stop(budget.why(stop))
    for number in on_plan:
        walk.mark(number)
    for (tail, head), action in zip(pairwise(on_plan), plan or (), strict=False):
        walk.mark(tail, head, problem.format_action(action))
    return walk


class TreeStream(GraphStream, Generic[State, Action]):
    """The tree of a backward search from the goals: each state's only edge is the first action of a best plan.

    `table` is the problem's `distance_table`; the tree has the states in it. Attributes are those of `search_walk`,
    but nodes are numbered in the order of their distance from a goal, which they carry as `distance` in place of `g`.
    No node or edge is marked: the path from each node is a plan.
    """

    def __init__(self, problem: ReversibleProblem[State, Action], table: DistanceTable[State, Action]) -> None:
        self.about = {"complete": table.stopped is None, "stopped": table.stopped or ""}
        self._problem = problem
        self._first_steps = table.first_steps
        self._distances = sorted(table.distances.items(), key=itemgetter(1))
        self._number_of = {state: number for number, (state, _) in enumerate(self._distances)}

    def levels(self) -> list[Cost]:
        return [distance for _, distance in self._distances]

    def nodes(self) -> Iterator[tuple[int, Row]]:
        for number, (state, distance) in enumerate(self._distances):
            node = _node(self._problem, state, distance, state not in self._first_steps)
            node["distance"] = node.pop("g")
            yield number, node

    def edges(self) -> Iterator[tuple[int, int, Row]]:
        for state, (action, parent) in self._first_steps.items():
            cost = written_cost(self._problem, state, action)
            yield self._number_of[state], self._number_of[parent], _edge(self._problem, action, cost)

    def number_of_edges(self) -> int:
        return len(self._first_steps)

    def node_kinds(self) -> Kinds:
        for _, first in self.nodes():
            return kinds_by_level(first, "distance", self.levels(), _optional(self._problem))
        return {}


def _optional(problem: Problem[Any, Any]) -> Kinds:
    """The attributes that only some nodes have."""
    return {} if isinstance(problem, BeliefView) else {"number": int}


def _node(
    problem: Problem[State, Action], state: State, g: Cost, goal: bool, alike: Mapping[Any, int] | None = None
) -> dict[str, Any]:
    if isinstance(problem, BeliefView):
        states: Sequence[Any] = problem.members(state)
        members, number = [problem.problem.format_state(member) for member in states], None
    else:
        states, members, number = [state], [problem.format_state(state)], problem.node_number(state)
    node = states_node(members, number_to_json(g), goal, on_plan=False)
    if alike:
        node["arrangements"] = sum(alike[member] for member in states)
    return node if number is None else {**node, "number": number}


def _edge(problem: Problem[State, Action], action: Action, cost: Cost) -> dict[str, Any]:
    return {"action": problem.format_action(action), "cost": number_to_json(cost), "on_plan": False}


def _numbers_along(
    problem: Problem[State, Action], plan: Sequence[Action], number_of: Callable[[State], int | None]
) -> Iterator[int]:
    """The numbers of the states along the plan, as far as the graph contains them."""
    state = problem.initial_state()
    for step, action in enumerate(plan, 1):
        number = number_of(state)
        if number is None:
            return
        yield number
        if action not in problem.actions(state):
            raise InvalidPlanError(f"step {step}: the action {problem.format_action(action)} does not apply there")
        state = problem.result(state, action)
    if (number := number_of(state)) is not None:
        yield number


def true_state_walk(
    problem: BeliefProblem[Any, Any, Any], *, max_nodes: int | None = None, budget: Budget
) -> Walk[Any]:
    """The graph with a node for each reachable state, and an edge for each result of an action and each percept.

    Goals have successors: a player who does not know that the state is a goal goes on. Nodes are numbered breadth-first
    from the possible starts, whose `g` is 0, and are states up to `canonical`. A node carries `members` (the one state,
    as text), `size`, `g` (the fewest actions from a start), `goal` and `label`; an edge carries `action`, `percept`,
    `cost` and `label`. The graph carries `complete` and `stopped`, as that of `belief_graph`.
    """

    def follow(state: Any, _: bool) -> Iterator[tuple[Any, int, Row]]:
        for action in problem.actions(state):
            cost = written_cost(problem, state, action)
            for result in successors(problem, state, action, budget.tick):
                for percept in perceived(problem, result, action):
                    yield problem.canonical(result), 1, outcome_edge(problem, action, percept, cost)

    return Walk(
        lambda: [problem.canonical(start) for start in initial_states(problem, budget.tick)],
        lambda state: is_goal_belief(problem, frozenset((state,))),
        lambda state, depth, goal: states_node([problem.format_state(state)], depth, goal),
        follow,
        max_nodes=max_nodes,
        budget=budget,
    )


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
