"""Lazy best-first search with preferred actions, for estimates that are dear and are no lower bounds.

A state is estimated when it is taken up, not when it is generated: its successors wait with its own estimate. The
actions that the estimate prefers wait in a queue of their own, which is served more often as long as that helps. If
there are several estimates each has its queues, which take turns. S. Richter and M. Helmert, "Preferred operators and
deferred evaluation in satisficing planning" (2009); G. Röger and M. Helmert, "The more, the merrier: combining
heuristic estimators for satisficing planning" (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from math import inf
from typing import TypeAlias

from ...model.base import Action, Cost, State
from ...model.problem import Problem
from ...plans.result import SearchResult
from ...running.run import Record, Run
from .search_tree import plan_to

Estimates: TypeAlias = "tuple[Sequence[float], Iterable[Action]]"
"""What a state costs to a goal, estimated in one way or several, all perhaps wrong; and actions that are preferred."""

Guide: TypeAlias = "Callable[[State], Estimates[Action]]"
"""Gives the estimates of a state."""

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
    queues: list[list[_Entry[State, Action]]] = []  # of each estimate: that of all actions, and of preferred ones
    served: list[int] = []
    best: list[float] = []
    g_of: dict[State, Cost] = {}
    parents: dict[State, tuple[State, Action] | None] = {}
    age = generated = 0
    with record:
        state = child = problem.initial_state()
        action: Action
        record.watch(g_of.__len__, count_generated=lambda: generated, latest=lambda: (state, action, child))

        def take_up(state: State, g: Cost) -> None:
            nonlocal age
            record.expand(state, g, len(queues[0]) if queues else 0)
            estimates, preferred = guide(state)
            if not queues:
                queues.extend([] for _ in range(2 * len(estimates)))
                served.extend(0 for _ in queues)
                best.extend(inf for _ in estimates)
            age += 1
            chosen = tuple(preferred)
            for place, estimate in enumerate(estimates):
                if estimate < best[place]:
                    best[place] = estimate
                    for each in range(1, len(queues), 2):
                        served[each] -= _BOOST
                key = estimate if weight is None else g + weight * estimate
                heappush(queues[2 * place], (key, age, state, iter(problem.actions(state))))
                heappush(queues[2 * place + 1], (key, age, state, iter(chosen)))

        g_of[state] = 0
        parents[state] = None
        if below > 0 and problem.is_goal(state):
            return record.solved((), 0, 0)
        take_up(state, 0)
        while queues[0]:
            which = min((number for number, queue in enumerate(queues) if queue), key=served.__getitem__)
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
        if weight is not None and not isinstance(below, float):  # which may be rounded
            record.lower_bound = below
    return record.undecided()
