"""`prove`: an answer together with a proof of it that can be checked without trusting the search."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..errors import BeliefSearchError, InvalidPlanError, InvalidProofError, Worded
from ..kinds import played_by, require
from ..model.base import Action, Cost, State
from ..model.exact import shown
from ..model.hooks import Construction
from ..model.problem import BeliefProblem
from ..model.stochastic import AnyProblem
from ..planner.closed_form import construction_proof
from ..planner.options import SearchRequest
from ..planner.solve import answer as answer_to
from ..planner.solve import keeping
from ..plans.encoding import Json
from ..plans.plan_writer import Proof
from ..plans.policy import PolicyResult
from ..plans.proof_words import proof_text
from ..plans.result import SearchResult, Status
from ..running.alarm import call_within
from ..running.limits import STOPS, Budget, EffortExceeded, Limits
from ..running.observer import Observer
from ..running.run import Run
from ..verify.proof import check_proof, rules_out_trying
from .hints.elaborator import proof_table

if TYPE_CHECKING:
    from ..engine.compiled.sensorless import CompiledView
    from .finder import Exhaust


def prove(
    problem: AnyProblem[State, Action],
    answer: SearchResult[Action] | Construction[Action] | PolicyResult[Any, Action] | None = None,
    *,
    limits: Limits | None = None,
    observer: Observer | None = None,
    store: Path | str | None = None,
    resume: bool = False,
    upper_only: bool = False,
) -> Proof[Action]:
    """Prove an answer: that no plan costs less, or that there is none.

    Parameters
    ----------
    problem
        A plain problem, a belief problem, or a partially observable stochastic one. A policy of a stochastic problem in
        which every state is seen needs no proof beside it: that it is the best one can be seen from its values.
    answer
        What `solve` found, or the problem's own `construction`, whose evidence is the proof. By default the problem is
        solved first, and the limits count for that too, and for the proof anew; Ctrl-C during the search ends both.
    limits
        When to give up.
    observer
        Called with the number of states numbered so far.
    store, resume
        Where the search for the answer is kept, as for `solve`, and a list of beliefs that outgrows memory. Then the
        list in `data` stays there, and is read anew by each iteration; other proofs are looked for anew each time.
    upper_only
        Of a partially observable stochastic problem: prove only that no policy attains more, without a policy.

    Raises
    ------
    BeliefSearchError
        If there is an `answer`, for which nothing is to be kept, and a `store`.
    ProblemError
        If the problem is stochastic, or is caught breaking its contract.
    StoreError
        As for `solve`.

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> proof = prove(DevilProblem(n=3))
    >>> proof.status.value, proof.bound, proof.text
    ('unsolvable', inf, 'a trap of 4 states, which the player cannot be sure to leave')
    """
    require("prove", problem)
    if not isinstance(answer, (SearchResult, Construction, PolicyResult, NoneType)):
        raise InvalidPlanError("prove() takes a whole result of solve(), not its plan: it proves the bound in it")
    if answer is not None and store is not None:
        raise BeliefSearchError("a store keeps a search, and the answer is there already; leave one of them out")
    if answer is not None:
        return prove_answer(problem, answer, Run.of(limits, observer), upper_only=upper_only)
    request = SearchRequest()
    run = Run.of(limits, observer, store, resume)
    found: Any = answer_to(problem, request, run, small_only=False)
    if run.budget.is_interrupted:  # who ended the search does not wait for a proof either
        return unproved(problem, found)
    return prove_answer(problem, found, evolve(run, budget=Budget(limits)), request, upper_only=upper_only)


def prove_answer(
    problem: AnyProblem[State, Action],
    found: Any,
    run: Run,
    request: SearchRequest | None = None,
    *,
    upper_only: bool = False,
) -> Proof[Action]:
    """Prove an answer; a list that outgrows memory goes on in the store of its search, by this request, if any.

    Then the store of `run` says what it holds of the list, if there is no proof yet.
    """
    if upper_only and not isinstance(found, PolicyResult):
        raise BeliefSearchError(Worded("[upper_only] is for partially observable stochastic problems"))
    if isinstance(found, PolicyResult):
        return _bounds(problem, found, run, upper_only)
    to_prove = played_by(getattr(found, "objective", ""), problem)
    if isinstance(found, Construction):
        data: Mapping[str, Any] | str = construction_proof(found)
        bound: Cost = math.inf if found.length is None else found.length
        status = Status.UNSOLVABLE if found.length is None else Status.SOLVED
    else:
        exhaust = None if run.kept is None else partial(_exhaust, to_prove, request or SearchRequest(), run)
        data, bound = _find(to_prove, found, run, exhaust)
        cost = found.cost if found.exact is None else found.exact[0]
        status = found.status if bound in (cost, math.inf) else Status.UNDECIDED
    if isinstance(data, str):
        return Proof(problem, found, None, data)
    text = proof_text(data)
    if isinstance(found, SearchResult) and bound not in (found.lower_bound, found.exact and found.exact[1]):
        text = f"certified: at least {bound}, where the search says {found.lower_bound}; {text}"
        exact = None if found.exact is None else (found.exact[0], bound)
        found = evolve(found, lower_bound=shown(bound, down=True), exact=exact)
    return Proof(problem, found, data, text, bound, status)


def unproved(problem: AnyProblem[Any, Action], answer: Any) -> Proof[Action]:
    """Describe the proof if the user interrupted the search for the answer."""
    return Proof(problem, answer, None, "none was looked for, because the search was interrupted")


def _bounds(problem: Any, result: PolicyResult[Any, Any], run: Run, upper_only: bool) -> Proof[Any]:
    """Prove the bounds of a policy graph, or only that from above."""
    from .pomdp_bounds import prove_bounds  # with NumPy

    budget = run.budget
    try:
        proved, data = call_within(
            budget, lambda: prove_bounds(problem, result, budget, run.listener, upper_only=upper_only)
        )
    except STOPS as stop:
        return Proof(problem, result, None, f"no proof was found before {budget.why(stop)}")
    if isinstance(data, str):
        return Proof(problem, result, None, data)
    bound: Any = proved.upper_bound
    return Proof(problem, proved, data, proof_text(data), bound, result.status)


def _exhaust(
    problem: Any,
    request: SearchRequest,
    run: Run,
    view: CompiledView[Any, Any],
    bound: Cost,
    tick: Callable[[], None],
) -> dict[str, Json] | None:
    """Return the proof by exhaustion of a bound, which goes on in a store if it outgrows memory."""
    from .exhaustion_on_disk import stored_exhaustion

    assert run.kept is not None, "there is a store"
    run.kept.resume = True  # the answer is there already
    with keeping(problem, request, run) as open_run:
        return stored_exhaustion(view, bound, tick, open_run.saved_as("exhaustion"))


def _find(
    problem: BeliefProblem[Any, Any, Any],
    result: SearchResult[Any],
    run: Run,
    exhaust: Exhaust | None,
) -> tuple[dict[str, Any] | str, Cost]:
    """Find a proof of a result's lower bound, and what it proves; or say why there is none.

    If there is a time limit, each search for a proof has half of what is left. So there is some for a lower bound, or
    a higher one, up to the cost of the plan. Without one, lists for lower bounds are so much shorter that all together
    take about as long as the first. A store, for which `exhaust` is, holds the proof of one bound only.
    """
    if not result.lower_bound and result.plan is None:
        return "no bound is claimed that needs a proof", 0
    bound = result.lower_bound if result.exact is None else result.exact[1]
    if exhaust is not None or bound == math.inf or result.objective != "worst":
        found, proved = _find_proof_of(problem, bound, result, run, exhaust)
        is_less = not isinstance(found, str) and proved < bound
        return f"it is proved only that no plan costs less than {float(proved)}" if is_less else found, bound
    cost = result.cost if result.exact is None else result.exact[0]
    cost = math.inf if cost is None else cost
    highest: Cost = bound if cost == math.inf or run.budget.limits.seconds is None else cost
    most, wanted, proved, step = highest, bound, 0, 1
    best: dict[str, Any] | None = None
    reason: str = ""
    from .exhaustion import SHORTER_LIST, exhaustion  # which loads NumPy

    shorter = partial(exhaustion, most_bytes=SHORTER_LIST) if run.budget.limits.seconds is None else None
    while True:
        part = evolve(run, budget=run.budget.part(0.5))
        found, reached = _find_proof_of(problem, wanted, result, part, shorter if wanted < bound else None)
        if isinstance(found, str):
            reason = found if run.budget.is_interrupted else reason or found
        elif reached >= proved:
            # An infinite one is more than is claimed of a search that was stopped.
            best, proved, step = found, min(highest if reached == math.inf else cost, reached), 2 * step
        # Evidence of a search is for no bound in particular: it proves what it can.
        is_last = run.budget.is_interrupted if isinstance(found, str) else reached < wanted
        if reached < wanted:
            most = math.ceil(wanted) - 1
        wanted = min(math.ceil((proved + most) / 2), math.floor(most))
        if proved:  # higher ones take more and more time
            wanted = min(wanted, math.floor(proved) + step)
        if wanted <= proved or is_last:
            return best or reason, proved


def _find_proof_of(
    problem: BeliefProblem[Any, Any, Any],
    bound: Cost,
    result: SearchResult[Any],
    run: Run,
    exhaust: Exhaust | None = None,
) -> tuple[dict[str, Any] | str, Cost]:
    """Find a proof of a bound, and what it proves, or say why there is none; `exhaust` as for `find_proof`."""
    from .exhaustion import TooLong, exhaustion
    from .finder import find_proof  # which loads NumPy, and is not needed for closed forms

    objective = "worst" if result.status is Status.UNSOLVABLE else result.objective
    budget = run.budget
    search = partial(find_proof, problem, bound, run, objective, result.grounds, exhaust or exhaustion)
    try:
        found = call_within(budget, search)
    except STOPS as stop:
        return f"no proof was found before {budget.why(stop)}", 0
    except TooLong as exceeded:
        longer = "" if exhaust else "; lower bounds get shorter lists; one in a store may be longer, see [store]"
        text = Worded(
            "none of a size that can be checked: it would list more than {most:,} beliefs, and a checker takes no "
            f"more, so the answer is what the search says{longer}",
            most=exceeded.most,
        )
        return text, 0
    except EffortExceeded:
        return "the problem has too many states for a proof that lists them", 0
    if found is None:
        return "no proof of any kind was found", 0
    # What a checker would refuse is no proof: only what it says counts. Of a capacity it was asked by the finder.
    try:
        found = dict(call_within(budget, partial(proof_table, problem, found, budget.tick)))
        asked = found["kind"] == "capacity"
        proved = bound if asked else call_within(budget, partial(check_proof, problem, found))
    except InvalidProofError:
        return "no proof of any kind was found that the checker accepts", 0
    except STOPS as stop:
        return f"a proof was found, and not checked before {budget.why(stop)}", 0
    if result.status is Status.UNSOLVABLE and not rules_out_trying(problem, found):
        return "none about plans that keep trying; that none of these wins either is what the search says", 0
    return found, proved
