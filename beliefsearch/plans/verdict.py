"""Verdicts: an answer as one sentence, with what is proved of it, and without the name of the problem."""

from __future__ import annotations

from math import inf
from typing import Any

from ..model.base import Number
from ..model.hooks import Construction
from ..model.stochastic import ALMOST_SURE
from ..model.values import is_exact
from . import wording
from .plan import Plan
from .policy import PolicyResult
from .result import SearchResult, Status
from .wording import Telling, answer_bounds, length_text, number_text, plural, telling_of, value_text

_DIGITS = 7
_AS_IT_IS = Telling()


def result_verdict(result: SearchResult[Any], *, plain: bool) -> str:
    """The verdict of a search for a plan; `plain` is whether the problem is."""
    if result.status is Status.UNSOLVABLE:
        why = "" if result.reason is None else f"; {result.reason}"
        none = "no plan wins with probability 1" if result.objective == ALMOST_SURE else "no plan is sure to win"
        return f"unsolvable; it is proved that {'there is no plan' if plain else none}{why}"
    if result.status is Status.UNDECIDED:
        return f"undecided, {result.reason}{_least('; ', result)}"
    if result.plan is not None and result.plan.is_conditional:
        return _conditional_verdict(result, result.plan)
    plan = result.require_plan()
    cost = "" if result.cost == len(plan) else f", cost {result.cost}"
    if result.objective == "expected":
        cost = f", at an expected cost of {number_text(result.cost)}"
    return f"solved in {plural(len(plan), 'action')}{cost}, {_optimality(result)}"


def _conditional_verdict(result: SearchResult[Any], plan: Plan[Any, Any]) -> str:
    is_almost_sure = result.objective == ALMOST_SURE
    if plan.is_cyclic:
        wins = " and wins with probability 1" if is_almost_sure else ""
        stopped = "" if result.reason is None else f", since {result.reason}"
        no_other = "it is proved that no plan" if result.optimal else f"not proved{stopped}: that no plan"
        return (
            f"solved by a cyclic plan, which keeps trying{wins}: from everywhere on it the goal can still be "
            f"reached; {no_other} is sure to win within a certain number of actions"
        )
    at_most = f"at most {plural(int(plan.depth), 'action')}"
    if result.objective == "expected":
        cost = f"at an expected cost of {number_text(result.cost)}, {at_most}"
    else:
        cost = f"in {at_most}" + ("" if result.cost == plan.depth else f", cost {result.cost} at the most")
    surely = ", sure to win and not only with probability 1" if is_almost_sure else ""
    return f"solved {cost}{surely}, {_optimality(result)}"


def _optimality(result: SearchResult[Any]) -> str:
    """In words, whether it is proved that no plan costs less."""
    if not result.optimal:
        stopped = "" if result.reason is None else f", since {result.reason}"
        return f"not proved optimal{stopped}{_least(': ', result)}"
    # Sums of floats are rounded, so two of them may be equal though what they stand for is not.
    is_rounded = isinstance(result.cost, float) and result.exact is None
    return "proved optimal, up to the rounding of floats" if is_rounded else "proved optimal"


def _least(mark: str, result: SearchResult[Any]) -> str:
    """The lower bound behind a mark; nothing if there is none."""
    return f"{mark}no plan costs less than {result.lower_bound}" if result.lower_bound else ""


def construction_verdict(found: Construction[Any]) -> str:
    """The verdict of a checked closed form."""
    if found.length is None:
        return "unsolvable, by a construction that has been checked"
    actions = "1 action" if found.length == 1 else f"{length_text(found.length)} actions"
    return f"solved in {actions}, proved optimal, by a checked construction"


def told_verdict(problem: Any, result: PolicyResult[Any, Any], *, exact: bool = False) -> str:
    """The value of a stochastic problem, or its bounds, in the words of the question that it asks if there is one."""
    verdict = bounds_verdict if result.has_bounds else policy_verdict
    if result.bounds == (None, None):  # to make the question may take as long as the search
        return verdict(result, Telling(problem.minimizes_cost()), exact=exact)
    said, question = verdict(result, telling_of(problem), exact=exact), problem.question()
    if question is None:
        return said
    if question.settled is not None:
        settled = "infinite" if question.settled == inf else question.settled
        said = f"{question.asks_for} {settled}, {question.because}"
    holds = question.holds(*answer_bounds(problem, question, *result.bounds))
    return said if holds is None else f"{'it holds' if holds else 'it does not hold'}; {said}"


BOUND_ALONE = "only the bound from above was proved"
"""The reason of an answer that is undecided because only an upper bound was asked for."""


def policy_verdict(result: PolicyResult[Any, Any], telling: Telling = _AS_IT_IS, *, exact: bool = False) -> str:
    """The value of a game of chance, or why it is not known; with `exact` all digits of a fraction."""
    if result.value is None:
        known = f"the values of {len(result.policy):,} states" if result.policy else "no bounds on the value"
        return f"undecided, {result.reason}; {known} are known{'' if result.policy else ' yet'}"
    return worth_text(result.value, telling, exact=exact)


def worth_text(value: Number, telling: Telling, *, exact: bool = False) -> str:
    """The value of a game, after its name."""
    told = telling.value(value)
    return f"{telling.called} {told if exact else value_text(told)}"


def bounds_verdict(result: PolicyResult[Any, Any], telling: Telling = _AS_IT_IS, *, exact: bool = False) -> str:
    """The bounds on the value of a partially observable game, and the reason if they are not close enough.

    They have seven digits, rounded to the safe side; with `exact` all digits.
    """
    lower, upper = result.lower_bound, result.upper_bound
    if result.value is not None and lower is not None and lower == upper and is_exact(lower):
        return worth_text(lower, telling, exact=exact)
    below, above = "no policy is known", "nothing is known above it"
    if telling.is_small:
        below, above = "nothing is known below it", "no policy is known"
    name, (lower, upper) = telling.called, telling.bounds(lower, upper)
    least, most = bound_text(lower, -1, exact=exact), bound_text(upper, 1, exact=exact)
    if result.value is not None:
        return f"{name} {least}" if least == most else f"{name} at least {least} and at most {most}"
    if least is None and most is None:
        return f"undecided, {result.reason}"
    if result.reason == BOUND_ALONE and (least is None or most is None):
        than = f"more than {most}" if least is None else f"less than {least}"
        return f"proved: no policy attains a {name} of {than}; no policy was asked for"
    least = below if least is None else f"the {name} is at least {least}"
    return f"undecided, {result.reason}; {least} and {above if most is None else f'at most {most}'}"


def bound_text(bound: Number | None, sign: int, *, exact: bool = False) -> str | None:
    """A bound in seven digits, or all, rounded down if `sign` is below 0, else up; None if there is none."""
    if bound is None:
        return None
    return str(bound) if exact else wording.bound_text(bound, sign, _DIGITS)
