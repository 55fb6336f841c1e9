"""Solvers by name. One algorithm a file, each a function; they know `Problem` and nothing above it.

`SOLVERS` maps each name that `--solver` takes to its function and to what the front door must know to
call it. `ALIASES` are the other names people have for the same algorithms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from ..solution import SearchResult
from .astar import astar_search
from .bidirectional import bidirectional_search
from .breadth_first import breadth_first_search
from .distance_table import DistanceTable, distance_table
from .greedy_best_first import greedy_best_first_search
from .iterative_deepening_astar import iterative_deepening_astar_search
from .uniform_cost import uniform_cost_search
from .weighted_astar import weighted_astar_search

__all__ = [
    "ALIASES",
    "SOLVERS",
    "DistanceTable",
    "SolverEntry",
    "astar_search",
    "bidirectional_search",
    "breadth_first_search",
    "distance_table",
    "greedy_best_first_search",
    "iterative_deepening_astar_search",
    "uniform_cost_search",
    "weighted_astar_search",
]


@frozen
class SolverEntry:
    """A solver as the front door sees it.

    Attributes
    ----------
    function
        Takes a problem and the keywords `budget` and `observer`.
    informed
        Whether it takes a heuristic as its second argument.
    weighted
        Whether it takes the keyword `weight`.
    backwards
        Whether it needs a problem that can be walked backwards.
    """

    function: Callable[..., SearchResult[Any]]
    informed: bool = False
    weighted: bool = False
    backwards: bool = False


SOLVERS: Mapping[str, SolverEntry] = {
    "breadth-first": SolverEntry(breadth_first_search),
    "uniform-cost": SolverEntry(uniform_cost_search),
    "astar": SolverEntry(astar_search, informed=True),
    "weighted-astar": SolverEntry(weighted_astar_search, informed=True, weighted=True),
    "greedy-best-first": SolverEntry(greedy_best_first_search, informed=True),
    "ida-star": SolverEntry(iterative_deepening_astar_search, informed=True),
    "bidirectional": SolverEntry(bidirectional_search, backwards=True),
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
}
