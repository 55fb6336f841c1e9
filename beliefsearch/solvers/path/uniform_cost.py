"""Uniform-cost search: the cheapest plan without any estimate."""

from __future__ import annotations

from ...model.problem import Action, Problem, State
from ...plans.result import SearchResult
from ...running.limits import Budget
from ...running.observer import Observer
from ...running.record import Record
from .best_first import best_first_search
from .dominance import Dominance
from .no_estimate import no_estimate

__all__ = ["uniform_cost_search"]


def uniform_cost_search(
    problem: Problem[State, Action],
    *,
    dominance: Dominance[State] | None = None,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> SearchResult[Action]:
    """Find a cheapest plan by expanding states in the order of their cost g.

    Notes
    -----
    Dijkstra's algorithm on a graph that is generated as it is walked. Russell and Norvig, 4th edition,
    section 3.4.2. For parameters and bounds see `best_first_search`.
    """
    record = Record("uniform-cost", problem, budget, observer)
    return best_first_search(problem, no_estimate, lambda g, h: g, record, priority_is_bound=True, dominance=dominance)
