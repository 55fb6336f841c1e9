"""Answers as one sentence without the name of the problem: what was found, and what is proved of it."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from math import isfinite
from typing import Any

from ..model.base import Number
from ..model.hooks import Construction
from .plan import Plan
from .policy import PolicyResult
from .result import SearchResult, Status
from .wording import length_text, number_text, plural, value_text


def result_verdict(result: SearchResult[Any], *, plain: bool) -> str:
    """The verdict of a search for a plan; `plain` is whether the problem is."""
    if result.status is Status.UNSOLVABLE:
        return f"unsolvable; it is proved that {'there is no plan' if plain else 'no plan is sure to win'}"
    if result.status is Status.UNDECIDED:
        return f"undecided, {result.reason}; no plan costs less than {result.lower_bound}"
    if result.plan is not None and result.plan.is_conditional:
        return _conditional_verdict(result, result.plan)
    plan = result.require_plan()
    cost = "" if result.cost == len(plan) else f", cost {result.cost}"
    if result.objective == "expected":
        cost = f", at an expected cost of {number_text(result.cost)}"
    return f"solved in {plural(len(plan), 'action')}{cost}, {_optimality(result)}"


def _conditional_verdict(result: SearchResult[Any], plan: Plan[Any, Any]) -> str:
    if plan.is_cyclic:
        return (
            "solved by a cyclic plan, which keeps trying: from everywhere on it the goal can still be "
            "reached; it is proved that no plan is sure to win within a certain number of actions"
        )
    at_most = f"at most {plural(int(plan.depth), 'action')}"
    if result.objective == "expected":
        cost = f"at an expected cost of {number_text(result.cost)}, {at_most}"
    else:
        cost = f"in {at_most}" + ("" if result.cost == plan.depth else f", cost {result.cost} at the most")
    return f"solved {cost}, {_optimality(result)}"


def _optimality(result: SearchResult[Any]) -> str:
    """In words, whether it is proved that no plan costs less."""
    if not result.optimal:
        stopped = "" if result.reason is None else f", since {result.reason}"
        return f"not proved optimal{stopped}: no plan costs less than {result.lower_bound}"
    # Sums of floats are rounded, so two of them may be equal though what they stand for is not.
    is_rounded = isinstance(result.cost, float) and result.exact is None
    return "proved optimal, up to the rounding of floats" if is_rounded else "proved optimal"


def construction_verdict(found: Construction[Any]) -> str:
    """The verdict of a checked closed form."""
    if found.length is None:
        return "unsolvable, by a construction that has been checked"
    actions = "1 action" if found.length == 1 else f"{length_text(found.length)} actions"
    return f"solved in {actions}, proved optimal, by a checked construction"


def policy_verdict(result: PolicyResult[Any, Any]) -> str:
    """The value of a game of chance, or why it is not known."""
    if result.value is None:
        known = 0 if result.policy is None else len(result.policy)
        return f"undecided, {result.reason}; the values of {known:,} states are known"
    return f"value {value_text(result.value)}"


def bounds_verdict(result: PolicyResult[Any, Any]) -> str:
    """The bounds on the value of a partially observable game, and why they are not nearer to each other."""
    lower, upper = bound_text(result.lower_bound, ROUND_FLOOR), bound_text(result.upper_bound, ROUND_CEILING)
    if result.value is not None:
        return f"value {lower}" if lower == upper else f"value at least {lower} and at most {upper}"
    if lower is None and upper is None:
        return f"undecided, {result.reason}"
    least = "no policy is known" if lower is None else f"the value is at least {lower}"
    most = "nothing is known above it" if upper is None else f"at most {upper}"
    return f"undecided, {result.reason}; {least} and {most}"


def bound_text(bound: Number | None, rounding: str) -> str | None:
    """A bound as text; a float is rounded to seven digits, to the safe side."""
    if not isinstance(bound, float) or not isfinite(bound):
        return None if bound is None else value_text(bound)
    return f"{Context(prec=7, rounding=rounding).create_decimal_from_float(bound).normalize():g}"
