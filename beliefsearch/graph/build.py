"""Builders of the graphs of a problem by its kind: of beliefs, of states, and of a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import networkx as nx

from ..engine.bits.contingent import BitsetContingentView
from ..engine.views import view_of
from ..errors import InvalidPlanError, ProblemError
from ..kinds import Kind, is_plain, is_stochastic, kind_of, possible_game, require
from ..model.base import Action, State
from ..model.hooks import ArrayHook
from ..model.stochastic import AnyProblem
from ..plans.plan import ConditionalPlan
from ..plans.policy import Policy, PolicyGraph, PolicyResult
from ..plans.result import SearchResult, plan_of
from ..running.alarm import known_within
from ..running.limits import Budget, Limits
from .and_or_graph import and_or_walk, conditional_plan_graph
from .search_graph import policy_graph, policy_nodes_graph, search_walk, true_state_walk
from .stream import GraphStream, as_networkx, as_stream

AnyPlan: TypeAlias = (
    "Sequence[Action] | ConditionalPlan[Action, Any] | Policy[Any, Action] | SearchResult[Action]"
    " | PolicyResult[Any, Action]"
)

_Graph: TypeAlias = "GraphStream | nx.MultiDiGraph[int]"

# Between these numbers of states the author's arrays are used: fewer need none, and more cannot be explored.
_MANY, _TOO_MANY = 1000, 1_000_000


def belief_graph(
    problem: AnyProblem[State, Action],
    plan: AnyPlan[Action] | None = None,
    *,
    all_starts: bool = False,
    engine: str = "auto",
    max_nodes: int | None = None,
    limits: Limits | None = None,
) -> nx.MultiDiGraph[int]:
    """The graph of all reachable beliefs, which a solver searches.

    Parameters
    ----------
    problem
        A plain problem, whose beliefs have one state each, or a belief problem. With percepts the graph is the AND-OR
        graph: an edge for each action and each percept after it.
    plan
        A plan, whose nodes and edges are marked.
    all_starts
        Whether to begin with every possible start of a plain problem, as for one without an initial state.
    engine
        The representation of beliefs of a sensorless problem, one of `ENGINES`; the graph is the same.
    max_nodes
        The largest number of nodes.
    limits
        Limits of time and memory.

    Returns
    -------
    networkx.MultiDiGraph
        Node 0 is the start. A node carries `members` (the states of the belief, as text), `size`, `g` (the least cost
        from the start; in an AND-OR graph the fewest actions), `goal`, `on_plan` and `label`; an edge carries `action`,
        `cost`, `on_plan` and, in an AND-OR graph, `percept` and `label`. Goals have no successors. The graph carries
        `complete`, and `stopped`, the reason if a limit or Ctrl-C stopped it.

    Raises
    ------
    ProblemError
        If the problem is stochastic, or breaks its contract.
    InvalidPlanError
        If the plan is no plan of the problem.
    LimitError
        If a limit or Ctrl-C came before there was a graph to return.

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> graph = belief_graph(DevilProblem(n=4))
    >>> graph.number_of_nodes(), graph.number_of_edges(), graph.nodes[0]["size"]
    (22, 126, 6)
    >>> [data["members"] for _, data in graph.nodes(data=True) if data["goal"]]
    [['HHHH']]
    """
    return _within(limits, "graph of beliefs", problem, plan, max_nodes=max_nodes, all_starts=all_starts, engine=engine)


def state_graph(
    problem: AnyProblem[State, Action],
    plan: AnyPlan[Action] | None = None,
    *,
    all_starts: bool = False,
    max_nodes: int | None = None,
    limits: Limits | None = None,
) -> nx.MultiDiGraph[int]:
    """The graph of all reachable states, without regard to the player's knowledge.

    Parameters
    ----------
    problem
        A problem of any kind. For a belief problem, node attributes are those of `true_state_graph`, and goals have
        successors; for a stochastic one they are those of `policy_graph`, and edges carry a `probability`.
    plan
        The plan of a plain problem, or the policy of a stochastic one, to be marked.
    all_starts, max_nodes, limits
        As for `belief_graph`, which gives the same graph for a plain problem.

    Raises
    ------
    ProblemError
        If a plan of a belief problem is given, which is no path of states; and as for `belief_graph`.

    Examples
    --------
    >>> from beliefsearch_problems.monty_hall import MontyHallProblem
    >>> graph = state_graph(MontyHallProblem())
    >>> len(graph), sorted({data["probability"] for _, _, data in graph.edges(0, data=True)})
    (19, ['1/2'])
    """
    if plan is not None:
        require("mark a plan among states", problem)
    return _within(limits, "graph of states", problem, plan, max_nodes=max_nodes, all_starts=all_starts)


def plan_graph(
    problem: AnyProblem[State, Action], plan: AnyPlan[Action], *, limits: Limits | None = None
) -> nx.MultiDiGraph[int]:
    """The graph of a plan: a sequence of actions, a conditional plan, or a policy.

    Parameters
    ----------
    problem
        A problem of any kind.
    plan
        A plan for it. Nodes are its steps, see `conditional_plan_graph`; for a policy they are the states reachable
        under it, with their attributes and numbers in `state_graph`.
    limits
        As for `belief_graph`.

    Raises
    ------
    InvalidPlanError
        If it is no plan for the problem.

    Examples
    --------
    >>> from beliefsearch import solve
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> devil = DevilProblem(n=2)
    >>> graph = plan_graph(devil, solve(devil).require_plan())
    >>> [graph.nodes[step]["label"] for step in graph]
    ['{0, 1}', '{0}', '{0, 1}', 'done']
    """
    if plan is None:
        raise InvalidPlanError("there is no plan to draw: it is None")
    return _within(limits, "graph of a plan", problem, plan)


def searched_beliefs(problem: object, budget: Budget, max_nodes: int | None) -> GraphStream:
    """The graph of all reachable beliefs, as far as the limits allow; the caller runs the alarm."""
    alone = not has_start(problem)
    return as_stream(_built("graph of beliefs", problem, None, budget, max_nodes=max_nodes, all_starts=alone))


def searched_graph(problem: object, plan: object, budget: Budget, **options: Any) -> GraphStream:
    """The graph that `export` writes: of a conditional plan, or of the whole search with the plan marked.

    `options` are those of `belief_graph`. The caller runs the alarm of `budget`. Nodes are described only when they are
    written, so that there may be millions.
    """
    what = "graph of states" if is_stochastic(problem) else "graph of beliefs"
    if plan is not None and kind_of(problem) in (Kind.CONTINGENT, Kind.POMDP):
        what = "graph of a plan"
    return as_stream(_built(what, problem, plan, budget, at_once=False, **options))


def has_start(problem: object) -> bool:
    """Whether the problem has an initial state, which a plain problem need not have."""
    if not is_plain(problem):
        return True
    try:
        problem.initial_state()
    except ProblemError:
        return False
    return True


def _within(limits: Limits | None, what: str, problem: object, plan: object, **options: Any) -> nx.MultiDiGraph[int]:
    """Build the graph of this name, within limits that also stop the author's code."""
    budget = Budget(limits)
    return known_within(
        budget, "there is no graph", lambda: as_networkx(_built(what, problem, plan_of(plan), budget, **options))
    )


def _built(what: str, problem: Any, plan: Any, budget: Budget, **options: Any) -> _Graph:
    kind = kind_of(problem)
    if options.get("all_starts"):
        require("begin with every start", problem)
    if kind not in GRAPHS[what]:
        require(what, problem)
    return GRAPHS[what][kind](problem, plan, budget, **options)


def _by_search(
    problem: Any, plan: Any, budget: Budget, *, all_starts: bool, engine: str = "auto", **options: Any
) -> GraphStream:
    """The graph of beliefs, or of states, in the order of their distance."""
    listed = problem.all_states() if engine == "auto" and isinstance(problem, ArrayHook) else None
    if listed is not None and _MANY < len(listed) < _TOO_MANY:
        engine = "compiled"  # calls of the author's code for each state would take minutes
    view = view_of(problem, engine=engine, budget=budget)
    roots = None
    if all_starts or not has_start(problem):
        roots = (problem.canonical(start) for start in problem.possible_starts())
    if isinstance(plan, ConditionalPlan):
        try:
            plan = plan.as_sequence()
        except ValueError as error:
            raise InvalidPlanError(str(error)) from error
    return search_walk(view, plan, roots=roots, budget=budget, **options)


def _by_percepts(
    problem: Any, plan: Any, budget: Budget, *, max_nodes: int | None, at_once: bool = True, **_: object
) -> GraphStream:
    possible = possible_game(problem)
    view: BitsetContingentView[Any, Any] = BitsetContingentView(possible, budget.tick)
    known = None if plan is None else _conditional(plan)
    return and_or_walk(view, known, max_nodes=max_nodes, budget=budget, at_once=at_once)


def _by_chance(
    problem: Any, plan: Any, budget: Budget, *, max_nodes: int | None = None, **_: object
) -> nx.MultiDiGraph[int]:
    if not isinstance(plan, Policy | None):
        raise InvalidPlanError(f"what to do in a stochastic problem is a policy, not {plan!r:.40}")
    return policy_graph(problem, plan, max_nodes=max_nodes, budget=budget)


def _true_states(problem: Any, _plan: None, budget: Budget, *, max_nodes: int | None, **_: object) -> GraphStream:
    return true_state_walk(problem, max_nodes=max_nodes, budget=budget)


def _steps(problem: Any, plan: Any, budget: Budget, **_: object) -> nx.MultiDiGraph[int]:
    view: BitsetContingentView[Any, Any] = BitsetContingentView(problem, budget.tick)
    return conditional_plan_graph(view, _conditional(plan))


def _followed(problem: Any, plan: Any, budget: Budget) -> nx.MultiDiGraph[int]:
    """The graph of the states along a policy."""
    graph = _by_chance(problem, plan, budget)
    graph.remove_nodes_from([node for node, data in graph.nodes(data=True) if not data["on_policy"]])
    graph.remove_edges_from([edge for edge in graph.edges if not graph.edges[edge]["on_policy"]])
    return graph


def _conditional(plan: Any) -> ConditionalPlan[Any, Any]:
    return plan if isinstance(plan, ConditionalPlan) else ConditionalPlan.of_sequence(tuple(plan))


def _nodes(problem: Any, plan: Any, budget: Budget, **_: object) -> nx.MultiDiGraph[int]:
    if not isinstance(plan, PolicyGraph):
        raise InvalidPlanError(f"what to do in a partially observable game is a policy graph, not {plan!r:.40}")
    return policy_nodes_graph(problem, plan)


GRAPHS: Mapping[str, Mapping[Kind, Callable[..., _Graph]]] = {
    "graph of beliefs": {
        Kind.PLAIN: _by_search,
        Kind.SENSORLESS: _by_search,
        Kind.CONTINGENT: _by_percepts,
        Kind.POMDP: _by_percepts,
    },
    "graph of states": {
        Kind.PLAIN: _by_search,
        Kind.SENSORLESS: _true_states,
        Kind.CONTINGENT: _true_states,
        Kind.STOCHASTIC: _by_chance,
        Kind.POMDP: _by_chance,
    },
    "graph of a plan": {
        **dict.fromkeys((Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT), _steps),
        Kind.STOCHASTIC: _followed,
        Kind.POMDP: _nodes,
    },
}
"""The builder of each graph by kind of problem; `MISSING` in `kinds.py` has the reasons for kinds that are not here."""
