"""Parent maps: how each state was reached, and the plan read from the map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ...model.checked import checked_cost
from ...model.problem import Action, Cost, Problem, State

Parents: TypeAlias = dict[State, tuple[State, Action] | None]


def plan_to(state: State, parents: Mapping[State, tuple[State, Action] | None]) -> tuple[Action, ...]:
    """The actions from the root of `parents`, whose parent is None, to `state`."""
    actions = []
    while (step := parents[state]) is not None:
        state, action = step
        actions.append(action)
    return tuple(reversed(actions))


def plan_cost(problem: Problem[State, Action], plan: tuple[Action, ...]) -> Cost:
    """The cost of `plan` from the initial state, for solvers that do not keep costs."""
    if problem.has_unit_costs():
        return len(plan)
    state = problem.initial_state()
    cost: Cost = 0
    for action in plan:
        cost += checked_cost(problem, state, action)
        state = problem.result(state, action)
    return cost
