"""Solvers by name. One algorithm a file, each a function; they know `Problem` and nothing above it.

`SOLVERS` maps each name that `--solver` takes to its function and to what the front door must know to
call it. `ALIASES` are the other names people have for the same algorithms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from ..plans.result import SearchResult
from .and_or.bounded import and_or_search
from .and_or.expected import expected_and_or_search
from .and_or.graph import and_or_graph_search
from .path.astar import astar_search, greedy_best_first_search, uniform_cost_search, weighted_astar_search
from .path.bidirectional import bidirectional_search
from .path.breadth_first import breadth_first_search
from .path.distance_table import DistanceTable, distance_table
from .path.iterative_deepening_astar import iterative_deepening_astar_search
from .path.regression import bidirectional_belief_search, regression_search

__all__ = [
    "ALIASES",
    "SOLVERS",
    "DistanceTable",
    "SolverEntry",
    "and_or_graph_search",
    "and_or_search",
    "astar_search",
    "bidirectional_belief_search",
    "bidirectional_search",
    "breadth_first_search",
    "distance_table",
    "expected_and_or_search",
    "greedy_best_first_search",
    "iterative_deepening_astar_search",
    "regression_search",
    "uniform_cost_search",
    "weighted_astar_search",
]


@frozen
class SolverEntry:
    """A solver as the front door sees it.

    Attributes
    ----------
    function
        Takes a problem and the keywords `budget` and `observer`. None: it is for beliefs only.
    for_beliefs
        The function to be called instead when the problem is a view on beliefs.
    for_percepts
        The function for AND-OR problems: its plans may branch on percepts. None: its plans are sequences.
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
    """

    function: Callable[..., SearchResult[Any]] | None
    for_beliefs: Callable[..., SearchResult[Any]] | None = None
    for_percepts: Callable[..., SearchResult[Any]] | None = None
    objective: str = "worst"
    informed: bool = False
    weighted: bool = False
    prunes: bool = False
    backwards: bool = False


SOLVERS: Mapping[str, SolverEntry] = {
    "breadth-first": SolverEntry(breadth_first_search, prunes=True),
    "uniform-cost": SolverEntry(uniform_cost_search, prunes=True),
    "astar": SolverEntry(astar_search, informed=True, prunes=True),
    "weighted-astar": SolverEntry(weighted_astar_search, informed=True, weighted=True, prunes=True),
    "greedy-best-first": SolverEntry(greedy_best_first_search, informed=True, prunes=True),
    "ida-star": SolverEntry(iterative_deepening_astar_search, informed=True),
    "bidirectional": SolverEntry(bidirectional_search, for_beliefs=bidirectional_belief_search, backwards=True),
    "regression": SolverEntry(None, for_beliefs=regression_search),
    "and-or": SolverEntry(None, for_percepts=and_or_search, informed=True, prunes=True),
    "and-or-graph": SolverEntry(None, for_percepts=and_or_graph_search),
    "expected-and-or": SolverEntry(None, for_percepts=expected_and_or_search, objective="expected", informed=True),
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
}
