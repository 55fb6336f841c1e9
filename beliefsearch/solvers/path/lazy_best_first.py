"""Lazy best-first search with preferred actions, for estimates that are dear and are no lower bounds.

A state is estimated when it is taken up, not when it is generated: its successors wait with its own estimate. The
actions that the estimate prefers wait in a queue of their own, which is served more often as long as that helps. S.
Richter and M. Helmert, "Preferred operators and deferred evaluation in satisficing planning" (2009).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from math import inf
from typing import TypeAlias

from ...model.base import Action, Cost, State
from ...model.problem import Problem
from ...plans.result import SearchResult
from ...running.run import Record, Run
from .search_tree import plan_to

Guide: TypeAlias = "Callable[[State], tuple[float, Iterable[Action]]]"
"""Estimates what a state costs to a goal, which may be wrong in any way, and prefers some of its actions."""

# Whenever an estimate is better than all before, so many successors more are taken by preferred actions.
_BOOST = 1_000

_Entry: TypeAlias = "tuple[float, int, State, Iterator[Action]]"
"""The key, the age, and a state with those of its actions that were not tried yet."""


def lazy_best_first_search(
    problem: Problem[State, Action],
    guide: Guide[State, Action],
    *,
    weight: float | None = None,
    bound: Callable[[State], Cost] = lambda state: 0,
    below: Cost = inf,
    name: str = "greedy-best-first",
    run: Run | None = None,
) -> SearchResult[Action]:
    """Find a plan that costs less than `below`, by expanding states in the order of their parents' estimates.

    Without a `weight` no state is expanded twice. With it the order is that of g + weight * h, a state is taken up
    again when it is reached more cheaply, and left out if its g + `bound`, which is a lower bound, is not `below`. If
    all states were looked at there is no such plan: that is proved if there is a weight, or nothing was left out.
    """
    record: Record[State, Action] = Record(name, problem, run)
    queues: tuple[list[_Entry[State, Action]], list[_Entry[State, Action]]] = ([], [])  # all actions; preferred ones
    served = [0, 0]
    g_of: dict[State, Cost] = {}
    parents: dict[State, tuple[State, Action] | None] = {}
    best = inf
    age = generated = 0
    with record:
        state = child = problem.initial_state()
        action: Action
        record.watch(g_of.__len__, count_generated=lambda: generated, latest=lambda: (state, action, child))

        def take_up(state: State, g: Cost) -> None:
            nonlocal best, age
            record.expand(state, g, len(queues[0]))
            estimate, preferred = guide(state)
            if estimate < best:
                best = estimate
                served[1] -= _BOOST
            key = estimate if weight is None else g + weight * estimate
            age += 1
            heappush(queues[0], (key, age, state, iter(problem.actions(state))))
            heappush(queues[1], (key, age, state, iter(preferred)))

        g_of[state] = 0
        parents[state] = None
        if problem.is_goal(state):
            return record.solved((), 0, 0)
        take_up(state, 0)
        while queues[0]:
            which = int(bool(queues[1]) and served[1] <= served[0])
            _, _, state, left = queues[which][0]
            chosen = next(left, None)
            if chosen is None:
                heappop(queues[which])
                continue
            action = chosen
            served[which] += 1
            child = problem.result(state, action)
            generated += 1
            g = g_of[state] + problem.action_cost(state, action)
            known = g_of.get(child)
            if known is not None and (weight is None or g >= known):
                continue
            if g + bound(child) >= below:
                continue
            g_of[child] = g
            parents[child] = (state, action)
            if problem.is_goal(child):
                return record.solved(plan_to(child, parents), g, record.lower_bound)
            take_up(child, g)
        if below == inf:
            return record.unsolvable()
        if weight is not None:
            record.lower_bound = below
    return record.undecided()
