"""A* search: the cheapest plan, led by an estimate of what remains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.problem import Action, Problem, State
from ...plans.result import SearchResult
from ...running.limits import Budget
from ...running.observer import Observer
from ...running.record import Record
from .best_first import best_first_search
from .dominance import Dominance

if TYPE_CHECKING:
    from ...heuristics.registry import Heuristic

__all__ = ["astar_search"]


def astar_search(
    problem: Problem[State, Action],
    heuristic: Heuristic[State] | None = None,
    *,
    dominance: Dominance[State] | None = None,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> SearchResult[Action]:
    """Find a cheapest plan by expanding states in the order of g + h, ties towards larger g.

    Parameters
    ----------
    problem, budget, observer
        As for `breadth_first_search`.
    heuristic
        An admissible h (never above the true cost to a goal); default: the problem's own.

    Notes
    -----
    h need not be consistent: a state reached more cheaply is taken up again. Hart, Nilsson and Raphael
    1968; Russell and Norvig, 4th edition, section 3.5.2.
    """
    record = Record("astar", problem, budget, observer)
    h = heuristic or problem.heuristic
    return best_first_search(problem, h, lambda g, h: g + h, record, priority_is_bound=True, dominance=dominance)
