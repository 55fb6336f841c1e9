"""A*, weighted A*, uniform-cost and greedy search: best-first search by functions of g and h.

| function | order | plan |
| --- | --- | --- |
| `astar_search` | g + h | cheapest |
| `weighted_astar_search` | g + w h | at most w times the cheapest |
| `uniform_cost_search` | g | cheapest, without an estimate |
| `greedy_best_first_search` | h | any |
"""

from __future__ import annotations

from operator import add

from ...errors import BeliefSearchError
from ...model.base import Action, State
from ...model.problem import Problem
from ...plans.result import SearchResult
from ...running.run import Record, Run
from .best_first import best_first_search
from .breadth_first import search_by_layers
from .dominance import Dominance
from .heuristic import Heuristic, no_estimate


def astar_search(
    problem: Problem[State, Action],
    heuristic: Heuristic[State],
    *,
    dominance: Dominance[State] | None = None,
    run: Run | None = None,
) -> SearchResult[Action]:
    """Find a cheapest plan by expanding states in the order of g + h, with ties broken towards larger g.

    `heuristic` is an admissible h, never above the true cost to a goal; it need not be consistent: a state reached
    more cheaply is taken up again. Other parameters are as for `breadth_first_search`.
    Hart, Nilsson and Raphael 1968; Russell and Norvig, 4th edition, section 3.5.2.

    Where nothing is estimated and every action costs 1, g + h is the depth: the search goes layer by layer, and knows
    a goal when it is generated, since every state that waits is no goal, and so at least one action away from one.
    """
    record: Record[State, Action] = Record("astar", problem, run)
    if heuristic is no_estimate and problem.has_unit_costs():
        return search_by_layers(problem, record, dominance=dominance)
    return best_first_search(problem, heuristic, add, record, priority_is_bound=True, dominance=dominance)


def weighted_astar_search(
    problem: Problem[State, Action],
    heuristic: Heuristic[State],
    *,
    weight: float = 2.0,
    dominance: Dominance[State] | None = None,
    run: Run | None = None,
) -> SearchResult[Action]:
    """Find a plan that costs at most `weight` times the least, by the order of g + weight * h.

    With the weight 1 this is A*; the larger, the greedier. `BeliefSearchError` if it is below 1 or not finite. The
    result's lower bound is usually much better than cost / weight; see `best_first_search`. For other parameters see
    `astar_search`. Pohl 1970; Russell and Norvig, 4th edition, section 3.5.4.
    """
    if not 1 <= weight < float("inf"):
        raise BeliefSearchError(f"the weight must be a finite number of at least 1, not {weight!r}")
    record: Record[State, Action] = Record("weighted-astar", problem, run)
    of_h, of_g = weight.as_integer_ratio()  # whole numbers, which are added without rounding
    return best_first_search(
        problem, heuristic, lambda g, h: of_g * g + of_h * h, record, priority_is_bound=False, dominance=dominance
    )


def uniform_cost_search(
    problem: Problem[State, Action], *, dominance: Dominance[State] | None = None, run: Run | None = None
) -> SearchResult[Action]:
    """Find a cheapest plan by expanding states in the order of their cost g; for parameters see `astar_search`.

    Dijkstra's algorithm on a graph that is generated as it is walked. Russell and Norvig, 4th edition, section 3.4.2.
    """
    record: Record[State, Action] = Record("uniform-cost", problem, run)
    return best_first_search(problem, no_estimate, add, record, priority_is_bound=True, dominance=dominance)


def greedy_best_first_search(
    problem: Problem[State, Action],
    heuristic: Heuristic[State],
    *,
    dominance: Dominance[State] | None = None,
    run: Run | None = None,
) -> SearchResult[Action]:
    """Find a plan, not necessarily a cheap one, by expanding states in the order of h alone.

    For parameters see `astar_search`. No state is expanded twice; the lower bound of the result is the
    estimate of the initial state. Russell and Norvig, 4th edition, section 3.5.1.
    """
    record: Record[State, Action] = Record("greedy-best-first", problem, run)
    return best_first_search(
        problem, heuristic, lambda g, h: h, record, priority_is_bound=False, reopen=False, dominance=dominance
    )
