"""Exact costs for people to read: as floats if the author writes costs as floats."""

from __future__ import annotations

from itertools import islice
from typing import Any

from .base import Cost
from .belief import initial_states
from .exact import exact, is_from_float, shown
from .problem import BeliefProblem

# The number of actions whose costs are looked at for floats.
_LOOKED_AT = 64
# The inverse of the relative error that a float in a file may have, as sums of floats do.
_SHARE = 10**9


def shows_floats(problem: BeliefProblem[Any, Any, Any], *costs: Cost | None) -> bool:
    """Whether one of these exact costs is a fraction that comes from a float.

    Either its denominator shows that, or the author gives floats as costs of the first actions.
    """
    fractions = [cost for cost in costs if cost is not None and type(cost) not in (int, float)]
    if not fractions or any(map(is_from_float, fractions)):
        return bool(fractions)
    start = next(initial_states(problem))
    actions = islice(() if problem.is_goal(start) else problem.actions(start), _LOOKED_AT)
    return any(type(problem.action_cost(start, action)) is float for action in actions)


def shown_cost(problem: BeliefProblem[Any, Any, Any], cost: Cost) -> Cost:
    """An exact cost for people to read."""
    return shown(cost, floats=True) if shows_floats(problem, cost) else cost


def is_said_to_be(claimed: Cost, cost: Cost) -> bool:
    """Whether the number `claimed` in a file is this exact cost; a float may be rounded."""
    if type(claimed) is not float or claimed == float("inf") or cost == float("inf"):
        return claimed == cost
    gap: Any = abs(exact(claimed) - cost)
    return bool(gap * _SHARE <= cost)
