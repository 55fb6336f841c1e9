"""Weighted A* search: a good plan sooner, and a proof of how good it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import BeliefSearchError
from ...model.problem import Action, Problem, State
from ...plans.result import SearchResult
from ...running.limits import Budget
from ...running.observer import Observer
from ...running.record import Record
from .best_first import best_first_search
from .dominance import Dominance

if TYPE_CHECKING:
    from ...heuristics.registry import Heuristic

__all__ = ["weighted_astar_search"]


def weighted_astar_search(
    problem: Problem[State, Action],
    heuristic: Heuristic[State] | None = None,
    *,
    weight: float = 2.0,
    dominance: Dominance[State] | None = None,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> SearchResult[Action]:
    """Find a plan that costs at most `weight` times the least, by the order of g + weight * h.

    Parameters
    ----------
    problem, heuristic, budget, observer
        As for `astar_search`.
    weight
        At least 1, which is A*; the larger, the greedier.

    Returns
    -------
    SearchResult
        Its lower bound is usually much better than cost / weight; see `best_first_search`.

    Raises
    ------
    BeliefSearchError
        If the weight is below 1 or not finite.

    Notes
    -----
    Pohl 1970; Russell and Norvig, 4th edition, section 3.5.4.
    """
    if not 1 <= weight < float("inf"):
        raise BeliefSearchError(f"the weight must be a finite number of at least 1, not {weight!r}")
    record = Record("weighted-astar", problem, budget, observer)
    h = heuristic or problem.heuristic
    return best_first_search(
        problem, h, lambda g, h: g + weight * h, record, priority_is_bound=False, dominance=dominance
    )
