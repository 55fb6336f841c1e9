"""Making plans shorter: without needless actions, and by the cheapest plan in the neighbourhood of one.

H. Nakhost and M. Müller, "Action elimination and plan neighborhood graph search" (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from ...model.base import Action, Cost, State
from ...model.problem import Problem

Tick = Callable[[], None]

Applies: TypeAlias = "Callable[[State, Action], bool]"
"""Says whether an action applies in a state."""


def without_needless(
    problem: Problem[State, Action],
    plan: Sequence[Action],
    tick: Tick,
    applies: Applies[State, Action],
) -> tuple[Action, ...]:
    """Return a plan that wins without actions that it can do without.

    Each action is left out in turn, with those behind it that do not apply then; O(n^2) steps.
    """
    kept = list(plan)
    state = problem.initial_state()
    place = 0
    while place < len(kept):
        tick()
        rest = rest_that_wins(problem, state, kept[place + 1 :], applies)
        if rest is not None:
            kept[place:] = rest
        else:
            state = problem.result(state, kept[place])
            place += 1
    return tuple(kept)


def rest_that_wins(
    problem: Problem[State, Action], state: State, rest: Sequence[Action], applies: Applies[State, Action]
) -> list[Action] | None:
    """Return those actions that can be done of `rest`, if they win."""
    done: list[Action] = []
    for action in rest:
        if problem.is_goal(state):
            return done
        if applies(state, action):
            done.append(action)
            state = problem.result(state, action)
    return done if problem.is_goal(state) else None


def cheapest_nearby(
    problem: Problem[State, Action], plan: Sequence[Action], most: int, tick: Tick
) -> tuple[Action, ...]:
    """Return the cheapest plan through states that lie near those of `plan`, along `most` edges or a few more.

    First the states of the plan are expanded, then their successors, and so on.
    """
    start = state = problem.initial_state()
    route = {state: None}
    for action in plan:
        state = problem.result(state, action)
        route[state] = None
    edges: dict[State, list[tuple[Action, State]]] = {}
    frontier = list(route)
    for state in frontier:  # grows while it is walked
        if most <= 0:
            break
        tick()
        edges[state] = [(action, problem.result(state, action)) for action in problem.actions(state)]
        most -= len(edges[state])
        for _, child in edges[state]:
            if child not in route:
                route[child] = None
                frontier.append(child)
    return _cheapest(problem, start, edges, tick) or tuple(plan)


def _cheapest(
    problem: Problem[State, Action], start: State, edges: dict[State, list[tuple[Action, State]]], tick: Tick
) -> tuple[Action, ...] | None:
    """Return the cheapest plan along these edges: uniform-cost search."""
    age = count()
    g_of: dict[State, Cost] = {start: 0}
    parents: dict[State, tuple[State, Action]] = {}
    queue: list[tuple[Cost, int, State]] = [(0, next(age), start)]
    while queue:
        tick()
        g, _, state = heappop(queue)
        if g > g_of[state]:
            continue
        if problem.is_goal(state):
            found = []
            while state in parents:
                state, action = parents[state]
                found.append(action)
            return tuple(reversed(found))
        for action, child in edges.get(state, ()):
            cost = g + problem.action_cost(state, action)
            if child not in g_of or cost < g_of[child]:
                g_of[child] = cost
                parents[child] = (state, action)
                heappush(queue, (cost, next(age), child))
    return None
