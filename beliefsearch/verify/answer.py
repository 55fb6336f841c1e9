"""The answer to a question about a stochastic problem, as a file gives it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from ..errors import DoesNotHoldError, InvalidPlanError
from ..kinds import is_stochastic
from ..plans.encoding import answer_to_json, number_from_json
from ..plans.plan_reader import PlanFile
from ..plans.wording import answer_bounds
from .verdict import FileVerdict


def contradiction(complaint: str) -> DoesNotHoldError:
    """The error that a file contradicts itself, or what is known of its problem."""
    return DoesNotHoldError(f"the file does not hold: {complaint}")


def refuse_claims(saved: PlanFile, what: str, fields: str = "cost lower_bound upper_bound optimal proof") -> None:
    """Refuse what means nothing of such a thing as the file holds."""
    for field in fields.split():
        if getattr(saved, field) is not None:
            raise contradiction(f"it has a {what}, for which its field {field!r} means nothing")


def precision_of(plan: Mapping[str, Any]) -> Fraction | None:
    """The error that a policy says it may have; None if it says nothing."""
    if "precision" not in plan:
        return None
    precision = Fraction(number_from_json(plan["precision"], "the precision of its policy"))
    if precision < 0:
        raise InvalidPlanError("the precision of its policy is negative")
    return precision


def answer_lines(problem: Any, saved: PlanFile, least: Any, most: Any, *, is_proved: bool = True) -> Iterator[str]:
    """Check what the file says of the question that the problem asks; its value lies between these two, if known.

    If not `is_proved`, the second is only claimed. Yields whether what is asked is true, if it asks that. Raises
    `DoesNotHoldError` if the file says anything else.
    """
    question, claims = problem.question(), saved.fields
    if question is None or "question" not in claims:
        return
    known = answer_bounds(problem, question, least, most if is_proved else None)
    least, most = answer_bounds(problem, question, least, most)
    holds = question.holds(least, most)
    answer = answer_to_json(least) if least == most else None
    for name, right in {"question": question.text, "answer": answer, "holds": holds}.items():
        if claims.get(name) != right:
            raise contradiction(f"its {name} is {str(claims.get(name))[:80]!r}, and not {str(right)[:80]!r}")
    if holds is not None:
        text = f"{question.text} {'holds' if holds else 'does not hold'}"
        yield text if question.holds(*known) == holds else f"that {text} is claimed, not proved"


def check_settled(problem: Any, saved: PlanFile, *_: object) -> FileVerdict:
    """Check an infinite answer, which no policy shows: the problem's own graph of states must tell it again.

    Raises `DoesNotHoldError` if it does not.
    """
    refuse_claims(saved, "settled answer")
    question = problem.question() if is_stochastic(problem) else None
    if question is None or question.settled != math.inf:
        raise contradiction("that the answer is infinite the graph of states does not tell")
    if saved.value is not None or saved.status != "solved":
        raise contradiction("an infinite answer is solved, and has no value")
    infinite = -math.inf if problem.minimizes_cost() else math.inf
    lines = (f"the answer holds: it is infinite, {question.because}", *answer_lines(problem, saved, infinite, infinite))
    return FileVerdict(True, "", lines=lines)
