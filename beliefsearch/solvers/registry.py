"""Solvers by name, each with a function for every kind of problem that it solves.

One algorithm a file. A solver of plain problems knows `Problem` and nothing above it; a view makes a sensorless
problem look like one. `SOLVERS` maps each name that `--solver` takes to its entry, `ALIASES` the other names people
have for the same algorithms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from ..errors import BeliefSearchError, suggestion
from ..kinds import Kind
from .and_or.bounded import and_or_search
from .and_or.expected import expected_and_or_search
from .and_or.graph import and_or_graph_search
from .mdp.array_induction import decide_by_layers
from .mdp.policy_iteration import decide_by_policies
from .mdp.value_iteration import decide_by_values
from .path.astar import astar_search, greedy_best_first_search, uniform_cost_search, weighted_astar_search
from .path.bidirectional import bidirectional_search
from .path.breadth_first import breadth_first_search
from .path.iterative_deepening_astar import iterative_deepening_astar_search
from .path.regression import bidirectional_belief_search, regression_search

__all__ = ["ALIASES", "SOLVERS", "SolverEntry", "find_solver", "solvers_of"]


@frozen
class SolverEntry:
    """An entry of the registry: a solver's functions and properties.

    Attributes
    ----------
    functions
        By kind of problem: what solves it. Of a path it takes a problem, or a view that looks like one, of a
        conditional plan an AND-OR problem, and the keywords `budget` and `observer`; of a policy see `solvers/mdp/`.
    objective
        What its plans have the least of: the "worst" or the "expected" cost.
    informed
        Whether it takes a heuristic as its second argument.
    weighted
        Whether it takes the keyword `weight`.
    prunes
        Whether it takes the keyword `dominance`.
    backwards
        Whether, where states are seen, it needs a problem that can be walked backwards.
    layered
        Whether, where they are not, it takes the keyword `sides`: which way layers of sets are worked out.
    """

    functions: Mapping[Kind, Callable[..., Any]]
    objective: str = "worst"
    informed: bool = False
    weighted: bool = False
    prunes: bool = False
    backwards: bool = False
    layered: bool = False


def _path(function: Callable[..., Any], **flags: bool) -> SolverEntry:
    return SolverEntry({Kind.PLAIN: function, Kind.SENSORLESS: function}, **flags)  # type: ignore[arg-type]  # objective


SOLVERS: Mapping[str, SolverEntry] = {
    "breadth-first": _path(breadth_first_search, prunes=True),
    "uniform-cost": _path(uniform_cost_search, prunes=True),
    "astar": _path(astar_search, informed=True, prunes=True),
    "weighted-astar": _path(weighted_astar_search, informed=True, weighted=True, prunes=True),
    "greedy-best-first": _path(greedy_best_first_search, informed=True, prunes=True),
    "ida-star": _path(iterative_deepening_astar_search, informed=True),
    "bidirectional": SolverEntry(
        {Kind.PLAIN: bidirectional_search, Kind.SENSORLESS: bidirectional_belief_search}, backwards=True, layered=True
    ),
    "regression": SolverEntry({Kind.SENSORLESS: regression_search}, layered=True),
    "and-or": SolverEntry({Kind.CONTINGENT: and_or_search}, informed=True, prunes=True),
    "and-or-graph": SolverEntry({Kind.CONTINGENT: and_or_graph_search}),
    "expected-and-or": SolverEntry({Kind.CONTINGENT: expected_and_or_search}, objective="expected", informed=True),
    "backward-induction": SolverEntry({Kind.STOCHASTIC: decide_by_layers}, objective="expected"),
    "policy-iteration": SolverEntry({Kind.STOCHASTIC: decide_by_policies}, objective="expected"),
    "value-iteration": SolverEntry({Kind.STOCHASTIC: decide_by_values}, objective="expected"),
}

ALIASES: Mapping[str, str] = {
    "bfs": "breadth-first",
    "dijkstra": "uniform-cost",
    "ucs": "uniform-cost",
    "a*": "astar",
    "a-star": "astar",
    "weighted-a*": "weighted-astar",
    "greedy": "greedy-best-first",
    "ida*": "ida-star",
    "iterative-deepening-astar": "ida-star",
    "bidirectional-breadth-first": "bidirectional",
    "backward": "regression",
    "and-or-search": "and-or",
    "ldfs": "and-or",
    "strong-planning": "and-or-graph",
    "ao-graph": "and-or-graph",
    "dp": "backward-induction",
    "dynamic-programming": "backward-induction",
    "pi": "policy-iteration",
    "vi": "value-iteration",
}


def solvers_of(*kinds: Kind) -> list[str]:
    """The names of the solvers of problems of these kinds."""
    return [name for name, entry in SOLVERS.items() if not entry.functions.keys().isdisjoint(kinds)]


def find_solver(name: str, *kinds: Kind) -> str:
    """The solver's own name, for a name or an alias.

    Parameters
    ----------
    name
        The name.
    kinds
        The kinds of problems it may be for; by default those whose answer is a plan.

    Raises
    ------
    BeliefSearchError
        If there is no such solver.
    """
    found = ALIASES.get(name.lower(), name.lower())
    names = solvers_of(*(kinds or _WITH_PLANS))
    if found not in names:
        hint = (
            suggestion(name.lower(), [*names, *(alias for alias, of in ALIASES.items() if of in names)])
            or f"there are {', '.join(names)}"
        )
        raise BeliefSearchError(f"there is no solver called {name!r}; {hint}")
    return found


_WITH_PLANS = (Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT)
