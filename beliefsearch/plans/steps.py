"""Check of applicability by its definition."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import InvalidPlanError
from ..model.base import Action, State
from ..model.problem import BeliefProblem
from ..model.values import is_among


def require_applicable(
    problem: BeliefProblem[State, Action, Any],
    where: str,
    action: Action,
    states: Iterable[State],
    error: type[InvalidPlanError] = InvalidPlanError,
) -> None:
    """Raise `error` unless `action` applies in all of `states`; it says `where`, and names one such state."""
    outside = []
    last: Any = None
    applies = False
    for state in states:
        actions = problem.actions(state)
        if type(actions) is not tuple or actions is not last:  # many states share one tuple of thousands of actions
            applies = is_among(action, actions)
            last = actions
        if not applies:
            outside.append(state)
    if outside:
        raise error(inapplicable(problem, where, action, outside))


def inapplicable(
    problem: BeliefProblem[State, Action, Any], where: str, action: Action, states: Iterable[State]
) -> str:
    """The complaint that an action does not apply in some possible states; it names one of them, and what it lacks."""
    state = min(states, key=problem.format_state)
    lacks = f": {problem.missing(state, action)}" if problem.overrides("missing") else ""
    done, seen = problem.format_action(action), problem.format_state(state)
    return f"{where}: the action {done} does not apply to {seen}, which is possible there{lacks}"
