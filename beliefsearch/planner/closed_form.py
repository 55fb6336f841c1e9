"""Answers in closed form: the choice between one and a search, and its check."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from ..errors import BeliefSearchError, ProblemError, Worded
from ..model.base import Action, BaseProblem
from ..model.hooks import Construction, ConstructionHook, has_closed_form
from ..plans.policy import Policy, PolicyGraph, PolicyResult
from ..plans.result import CONSTRUCT, MOST_LISTED, SearchResult, Status
from ..plans.wording import length_text

if TYPE_CHECKING:
    from .options import SearchRequest

# Where there are no more states than this a search is tried, unless a construction is asked for. If that is no small
# one (`planner/path.py`), the construction is used all the same; so it never changes the plan of a small game.
FEW_STATES = 4096
_WRONG = "the construction of {name} is wrong: {error}"


def checked_construction(
    problem: BaseProblem[Any, Action], request: SearchRequest, *, few_states: int = FEW_STATES
) -> Construction[Action] | None:
    """Return the checked construction to be used instead of a search; None for a search.

    Somebody who says how to search wants a search; the solver "construct" is none, and with "auto" it is one up to
    `few_states` states, which is 0 after a small search that did not suffice. What cannot be had raises
    `BeliefSearchError`, and a construction that the problem's own checker refuses `ProblemError`.
    """
    name = type(problem).__name__
    wanted = request.solver == CONSTRUCT
    if not wanted and request.solver != "auto":
        return None
    if given := request.given():
        if wanted:
            raise BeliefSearchError(
                Worded("the solver construct is no search: it takes no [{given}]", given=list(given))
            )
        return None
    found: Any = problem.construction() if has_closed_form(problem) else None
    if not (found is None or isinstance(found, Construction)):
        raise ProblemError(f"{name}: construction() gave {found!r:.80}; it must give a Construction or None")
    if not has_closed_form(problem) or found is None:
        if not wanted:
            return None
        if isinstance(problem, ConstructionHook) and not has_closed_form(problem):
            text = f"{name} changes the problem whose construction it inherits; define construction() in it, too, or"
            raise BeliefSearchError(f"{text} choose another solver than construct")
        raise BeliefSearchError(f"{name} knows no construction; choose another solver than construct")
    if not (wanted or found.asked_for) and found.states <= few_states:
        return None
    try:
        length = problem.check_construction(found.evidence)
    except ValueError as error:
        raise ProblemError(Worded(_WRONG, name=name, error=str(error))) from error
    if length != found.length:
        raise ProblemError(Worded(_WRONG, name=name, error=f"its evidence proves {length}"))
    return found


def argued(problem: BaseProblem[Any, Any], answer: Any, request: SearchRequest) -> Any:
    """Return the closed form in place of what a search found, if it says the same: its author gives reasons, too.

    That is that there is no plan, or this very plan. Somebody who says how to search wants the reasons of a search.
    """
    if request.solver != "auto" or not isinstance(answer, SearchResult):
        return answer
    plan = answer.plan
    if not (answer.status is Status.UNSOLVABLE or (answer.optimal and plan is not None and not plan.is_conditional)):
        return answer
    known = checked_construction(problem, request, few_states=0)
    if known is None or known.length != (None if plan is None else len(plan)):
        return answer
    same = all(known.action_at(place) == action for place, action in enumerate(plan or ()))
    return known if same else answer


def construction_result(found: Construction[Action]) -> SearchResult[Action]:
    """Return a checked construction as the result of a search; raise an error if its plan is too long to list."""
    if found.length is None:
        return SearchResult(Status.UNSOLVABLE, None, inf, inf, CONSTRUCT)
    if found.length > MOST_LISTED:
        raise BeliefSearchError(
            f"the plan has {length_text(found.length)} actions, and no more than {MOST_LISTED:,} are listed; "
            "construction() gives the action at any place of it, and `beliefsearch run --moves A..B` shows them"
        )
    plan = tuple(found.action_at(place) for place in range(found.length))
    return SearchResult(Status.SOLVED, plan, found.length, found.length, CONSTRUCT)


def construction_proof(found: Construction[Any]) -> dict[str, Any]:
    """Return the proof in a certificate of a construction: its evidence, for the problem's own checker."""
    return {"kind": "construction", "evidence": dict(found.evidence)}


def infinite_result(problem: Any) -> PolicyResult[Any, Any] | None:
    """Return the result if a question about the problem is known to have an infinite answer; no policy comes near."""
    question = problem.question()
    if question is None or question.settled != inf:
        return None
    value = -inf if problem.minimizes_cost() else inf
    policy: Any = Policy([], [], [], problem.canonical) if problem.sees_state() else PolicyGraph([], [], [])
    return PolicyResult(Status.SOLVED, value, policy, "graph")
