"""Greedy best-first search: any plan, soon."""

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

__all__ = ["greedy_best_first_search"]


def greedy_best_first_search(
    problem: Problem[State, Action],
    heuristic: Heuristic[State] | None = None,
    *,
    dominance: Dominance[State] | None = None,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> SearchResult[Action]:
    """Find a plan, not necessarily a cheap one, by expanding states in the order of h alone.

    For parameters see `astar_search`. No state is expanded twice; the lower bound of the result is the
    estimate of the initial state.

    Notes
    -----
    Russell and Norvig, 4th edition, section 3.5.1.
    """
    record = Record("greedy-best-first", problem, budget, observer)
    h = heuristic or problem.heuristic
    return best_first_search(
        problem, h, lambda g, h: h, record, priority_is_bound=False, reopen=False, dominance=dominance
    )
