"""Solvers by name (`SOLVERS`), each with a function for every kind of problem that it solves, and their aliases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from ..errors import BeliefSearchError, suggestion
from ..kinds import Kind
from ..running.lazy import LoadedWhenLookedUp


@frozen
class SolverEntry:
    """Entry of the registry: by kind of problem the functions of a solver, and its properties.

    Of a path one takes a problem, or a view that looks like one, of a conditional plan an AND-OR problem, and the
    keyword `run`; of a policy see `solvers/mdp/`.
    """

    functions: Mapping[Kind, Callable[..., Any]]
    objective: str = "worst"  # the cost that its plans have the least of, or "expected"
    informed: bool = False  # whether it takes a heuristic as its second argument
    weighted: bool = False  # whether it takes the keyword `weight`
    prunes: bool = False  # whether it takes the keyword `dominance`
    backwards: bool = False  # whether, where states are seen, the problem must be one that can be walked backwards
    layered: bool = False  # whether, where they are not, it takes `sides`, by which layers of sets are worked out
    guided: bool = False  # whether what it takes there is a guide, which may be wrong
    factored: bool = False  # whether it is for problems with factors, and takes the keyword `guide`
    on_arrays: bool = False  # whether, where there are percepts, the engine "compiled" has a form of it
    keeps: bool = False  # whether it saves how far it has come


def _solver(place: str, *kinds: Kind, **flags: Any) -> SolverEntry:
    return SolverEntry(LoadedWhenLookedUp(__package__, dict.fromkeys(kinds, place)), **flags)


_PATHS = (Kind.PLAIN, Kind.SENSORLESS)

SOLVERS: Mapping[str, SolverEntry] = {
    "breadth-first": _solver("..solvers.path.breadth_first:breadth_first_search", *_PATHS, prunes=True, keeps=True),
    "uniform-cost": _solver("..solvers.path.astar:uniform_cost_search", *_PATHS, prunes=True, keeps=True),
    "astar": _solver("..solvers.path.astar:astar_search", *_PATHS, informed=True, prunes=True, keeps=True),
    "weighted-astar": _solver(
        "..solvers.path.astar:weighted_astar_search", *_PATHS, informed=True, weighted=True, prunes=True, keeps=True
    ),
    "greedy-best-first": _solver(
        "..solvers.path.astar:greedy_best_first_search", *_PATHS, informed=True, prunes=True, keeps=True
    ),
    "anytime-weighted-astar": _solver(
        "..solvers.path.anytime:anytime_search", Kind.SENSORLESS, informed=True, factored=True
    ),
    "ida-star": _solver("..solvers.path.ida_star:iterative_deepening_astar_search", *_PATHS, informed=True, keeps=True),
    "iterative-deepening": _solver("..solvers.path.ida_star:iterative_deepening_search", *_PATHS, keeps=True),
    "depth-first": _solver("..solvers.path.depth_first:depth_first_search", *_PATHS),
    "bidirectional": SolverEntry(
        LoadedWhenLookedUp(
            __package__,
            {
                Kind.PLAIN: "..solvers.path.bidirectional:bidirectional_search",
                Kind.SENSORLESS: "..solvers.path.regression:bidirectional_belief_search",
            },
        ),
        backwards=True,
        layered=True,
        keeps=True,
    ),
    "regression": _solver("..solvers.path.regression:regression_search", Kind.SENSORLESS, layered=True, keeps=True),
    "and-or": _solver("..solvers.contingent.ldfs:and_or_search", Kind.CONTINGENT, informed=True, prunes=True),
    "and-or-graph": _solver("..solvers.contingent.and_or_graph:and_or_graph_search", Kind.CONTINGENT, on_arrays=True),
    "alpha-beta": _solver("..solvers.contingent.alpha_beta:alpha_beta_search", Kind.CONTINGENT),
    "closed-loop-greedy": _solver(
        "..solvers.contingent.closed_loop_greedy:closed_loop_greedy_search", Kind.CONTINGENT, informed=True, guided=True
    ),
    "expected-and-or": _solver(
        "..solvers.contingent.expected_cost:expected_and_or_search",
        Kind.CONTINGENT,
        objective="expected",
        informed=True,
    ),
    "expected-partitions": _solver(
        "..engine.guessing.branch_and_bound:expected_partitions_search", Kind.CONTINGENT, objective="expected"
    ),
    "backward-induction": _solver(
        "..solvers.mdp.backward_induction:decide_by_layers", Kind.STOCHASTIC, objective="expected"
    ),
    "policy-iteration": _solver(
        "..solvers.mdp.policy_iteration:decide_by_policies", Kind.STOCHASTIC, objective="expected"
    ),
    "value-iteration": _solver("..solvers.mdp.value_iteration:decide_by_values", Kind.STOCHASTIC, objective="expected"),
    "finite-horizon": _solver("..solvers.pomdp.finite_horizon:finite_horizon_search", Kind.POMDP, objective="expected"),
    "belief-graph": _solver("..engine.pomdp.belief_graph:BeliefGraphSearch", Kind.POMDP, objective="expected"),
    "heuristic-search-value-iteration": _solver(
        "..solvers.pomdp.plain_hsvi:TrialSearch", Kind.POMDP, objective="expected", keeps=True
    ),
}

ALIASES: Mapping[str, str] = {
    "bfs": "breadth-first",
    "hsvi": "heuristic-search-value-iteration",
    "dijkstra": "uniform-cost",
    "ucs": "uniform-cost",
    "a*": "astar",
    "a-star": "astar",
    "weighted-a*": "weighted-astar",
    "greedy": "greedy-best-first",
    "anytime": "anytime-weighted-astar",
    "lama": "anytime-weighted-astar",
    "ida*": "ida-star",
    "iterative-deepening-astar": "ida-star",
    "ids": "iterative-deepening",
    "dfs": "depth-first",
    "bidirectional-breadth-first": "bidirectional",
    "backward": "regression",
    "and-or-search": "and-or",
    "ldfs": "and-or",
    "minimax": "alpha-beta",
    "clg": "closed-loop-greedy",
    "strong-planning": "and-or-graph",
    "ao-graph": "and-or-graph",
    "dp": "backward-induction",
    "dynamic-programming": "backward-induction",
    "pi": "policy-iteration",
    "vi": "value-iteration",
}


def solvers_of(*kinds: Kind) -> list[str]:
    """Return the names of the solvers of problems of these kinds."""
    return [name for name, entry in SOLVERS.items() if not entry.functions.keys().isdisjoint(kinds)]


def find_solver(name: str, *kinds: Kind) -> str:
    """Return the solver's own name, for a name or an alias; raise `BeliefSearchError` if there is none.

    It may be for problems of these `kinds`, by default those whose answer is a plan.
    """
    found = ALIASES.get(name.lower(), name.lower())
    kinds = kinds or _WITH_PLANS
    if found not in SOLVERS or SOLVERS[found].functions.keys().isdisjoint(kinds):
        names = solvers_of(*kinds)
        there_are = f"there are {', '.join(names)}"
        if found in SOLVERS:
            for_kinds = " and ".join(kind.value for kind in SOLVERS[found].functions)
            raise BeliefSearchError(
                f"this is no problem for {name!r}; {there_are} ({found} is for {for_kinds} problems)"
            )
        hint = suggestion(name.lower(), [*names, *(alias for alias, of in ALIASES.items() if of in names)])
        raise BeliefSearchError(f"there is no solver called {name!r}; {hint or there_are}")
    return found


_WITH_PLANS = (Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT)
