"""Exact costs as they are shown: where the author writes floats, they are floats again."""

from __future__ import annotations

from itertools import islice
from typing import Any

from .base import Cost
from .belief import initial_states
from .exact import exact, is_from_float, shown
from .problem import BeliefProblem

# So many actions of a start are asked what they cost.
_LOOKED_AT = 64
# By less than one part in so many a float that is said to be a cost may miss it, as sums of floats do.
_SHARE = 10**9


def shows_floats(problem: BeliefProblem[Any, Any, Any], *costs: Cost | None) -> bool:
    """Whether these exact costs are shown as floats: if one is a fraction that comes from a float.

    That is seen from its denominator, or else from what the first actions of a start cost.
    """
    fractions = [cost for cost in costs if cost is not None and type(cost) not in (int, float)]
    if not fractions or any(map(is_from_float, fractions)):
        return bool(fractions)
    start = next(initial_states(problem))
    actions = islice(() if problem.is_goal(start) else problem.actions(start), _LOOKED_AT)
    return any(type(problem.action_cost(start, action)) is float for action in actions)


def shown_cost(problem: BeliefProblem[Any, Any, Any], cost: Cost) -> Cost:
    """An exact cost as it is shown."""
    found: Cost = shown(cost, floats=True) if shows_floats(problem, cost) else cost
    return found


def is_said_to_be(claimed: Cost, cost: Cost) -> bool:
    """Whether a file that says `claimed` says this exact cost; in floats, rounded."""
    if type(claimed) is not float or claimed == float("inf") or cost == float("inf"):
        return claimed == cost
    gap: Any = abs(exact(claimed) - cost)
    return bool(gap * _SHARE <= cost)
