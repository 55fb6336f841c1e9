"""Why a plain problem has no plan: all reachable states are listed, and none is a goal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from ..model.problem import Problem


@frozen
class NoWay:
    """How many states of a problem without a plan can be reached, and in how many of them no action is possible."""

    states: int
    stuck: int


def find_no_way(problem: Problem[Any, Any], tick: Callable[[], None]) -> NoWay | None:
    """Count the reachable states; None if a goal is among them. O(states times their actions)."""
    start = problem.initial_state()
    frontier = [start]
    met = {start}
    stuck = 0
    for state in frontier:  # grows while it is walked
        tick()
        if problem.is_goal(state):
            return None
        results = {problem.result(state, action) for action in problem.actions(state)}
        stuck += not results
        frontier += results - met
        met |= results
    return NoWay(len(met), stuck)
