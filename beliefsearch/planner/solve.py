"""The entry point: `solve(problem)` looks up the search for the problem's kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, overload

from attrs import evolve

from ..errors import StoreError
from ..kinds import Kind, is_stochastic, require
from ..model.base import Action, State
from ..model.class_lint import refuse_slips
from ..model.hooks import Construction
from ..model.problem import BeliefProblem
from ..model.stochastic import AnyProblem, StochasticProblem
from ..plans.policy import PolicyResult
from ..plans.result import CONSTRUCT, SearchResult, Status
from ..plugins.identity import warn_of_identity
from ..plugins.options import played_by
from ..running.alarm import call_within
from ..running.graceful_stop import signals_put_off
from ..running.limits import STOPS, Budget, LimitReached, Limits
from ..running.observer import Observer
from ..running.run import Record
from ..running.store.checkpoint import Checkpoints
from .closed_form import FEW_STATES, checked_construction, construction_result
from .options import KeptIn, SearchRequest, kept_in


@overload
def solve(
    problem: StochasticProblem[State, Action],
    *,
    solver: str = ...,
    heuristic: str = ...,
    weight: float | None = ...,
    dominance: bool = ...,
    engine: str = ...,
    objective: str = ...,
    precision: float | None = ...,
    horizon: int | None = ...,
    limits: Limits | None = ...,
    observer: Observer | None = ...,
    store: Path | str | None = ...,
    resume: bool = ...,
) -> PolicyResult[State, Action]: ...
@overload
def solve(
    problem: BeliefProblem[State, Action, Any],
    *,
    solver: str = ...,
    heuristic: str = ...,
    weight: float | None = ...,
    dominance: bool = ...,
    engine: str = ...,
    objective: str = ...,
    limits: Limits | None = ...,
    observer: Observer | None = ...,
    store: Path | str | None = ...,
    resume: bool = ...,
) -> SearchResult[Action]: ...
def solve(
    problem: AnyProblem[State, Action],
    *,
    solver: str = "auto",
    heuristic: str = "auto",
    weight: float | None = None,
    dominance: bool = False,
    engine: str = "auto",
    objective: str = "worst",
    precision: float | None = None,
    horizon: int | None = None,
    limits: Limits | None = None,
    observer: Observer | None = None,
    store: Path | str | None = None,
    resume: bool = False,
) -> SearchResult[Action] | PolicyResult[State, Action]:
    """Solve a problem of any kind.

    Parameters
    ----------
    problem
        A plain, sensorless, contingent, stochastic or partially observable problem.
    solver
        A name in `SOLVERS` or `ALIASES`. "auto" is A* when the problem has a heuristic or one is named,
        uniform-cost search when costs differ, bidirectional search when the problem can be walked
        backwards, and breadth-first search otherwise. For a sensorless search that has grown large it is
        A* when costs differ or when estimates of the start say much, and bidirectional search otherwise.
        Where there are percepts AND-OR search within growing bounds and the whole AND-OR graph take turns.
        "construct" is no search, but the `construction` that the problem knows; "auto" takes it where there are many
        states, and "search" is "auto" without that.
    heuristic
        A name in `HEURISTICS`, for solvers that take one. "auto" is the problem's own, if it has one;
        in a sensorless search that has grown large it is "best".
    weight
        For weighted A*: its plan costs at most this many times the least cost.
    dominance
        Whether to drop beliefs that contain another one reached as cheaply. Never changes the cost.
    engine
        One of `ENGINES`; plays a part for belief problems only. Verdict and least cost are the same with
        all. An observer that wants to hear of single states keeps "auto" from compiled kernels.
    objective
        "worst": the plan with the least worst-case cost. "expected": for belief problems in which only the start
        is uncertain, the plan with the least mean cost over all starts, which are equally likely. "almost-sure": a
        plan that wins with probability 1, also of a stochastic problem, whose answer is then a `SearchResult`.
    precision
        Of a partially observable problem: how near the bounds on its value must come, as a share of the larger; by
        default 0.001.
    horizon
        Of a partially observable problem: how many actions the game has, for solvers that count them.
    limits
        When to give up.
    observer
        Receives every event.
    store
        A directory in which the search is kept, so that it can be killed at any moment; for plans that are sequences of
        actions, and for partially observable problems. A search of some seconds is begun anew, and an answer in closed
        form needs none.
    resume
        Whether to go on with the search that `store` holds, if any.

    Returns
    -------
    SearchResult, PolicyResult
        The verdict; see its class for what is guaranteed. For a stochastic problem it is a policy and what the game
        is worth (see `solve_stochastic`), for a partially observable one a policy graph with bounds (see
        `solve_pomdp`); only what has to do with these can be asked for then. Where there are percepts
        the plan is a `ConditionalPlan`, which keeps trying (`is_cyclic`) only if no other plan is sure to win.

    Raises
    ------
    BeliefSearchError
        If a name is unknown or does not go with the solver; or if the plan of a construction is too long to list.
    StoreError
        If `store` holds another search, or this one and `resume` is False, or other files; or if it is in use or
        damaged.
    ProblemError
        If the problem is of a kind that has no solver, or is caught breaking its contract: no start, no
        results, unhashable states, impossible costs or estimates. Other mistakes of its author surface as
        the exceptions they cause; `check_problem` finds them.

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> result = solve(DevilProblem(n=2))
    >>> result.status.value, [sorted(move) for move in result.plan]
    ('solved', [[0, 1], [0], [0, 1]])
    """
    request = SearchRequest(solver, heuristic, weight, dominance, engine, objective, precision, horizon)
    budget = Budget(limits)
    answer = answer_within(problem, request, budget, observer, kept=kept_in(store, resume))
    return construction_result(answer) if isinstance(answer, Construction) else answer


def answer_within(
    problem: AnyProblem[State, Action],
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
    few_states: int = FEW_STATES,
    kept: KeptIn | None = None,
) -> SearchResult[Action] | PolicyResult[State, Action] | Construction[Action]:
    """`solve` within a budget; a plan in closed form is not listed if there are more than `few_states` states."""
    answer: SearchResult[Action] | PolicyResult[State, Action] | Construction[Action] | None
    answer = _closed_form(problem, request, budget, few_states)
    if answer is None:
        answer = solve_within(problem, request, budget, observer, kept)
    assert answer is not None, "a search answers"
    return answer


def _closed_form(problem: Any, request: SearchRequest, budget: Budget, few_states: int) -> Any:
    """The closed form that is the answer, or the result if a limit stops its check; None if there is to be a search."""
    try:
        return call_within(budget, lambda: checked_construction(problem, request, few_states=few_states))
    except STOPS as stop:
        reason = f"{budget.why(stop)} while the problem's closed form was being checked"
        return SearchResult(Status.UNDECIDED, None, None, 0, CONSTRUCT, reason=reason)


# By kind, the module that searches for a policy.
_POLICIES = {Kind.STOCHASTIC: ".mdp", Kind.POMDP: ".pomdp"}


def solve_within(
    problem: Any, request: SearchRequest, budget: Budget, observer: Observer | None, kept: KeptIn | None = None
) -> Any:
    """`solve` within a budget, which also stops the author's code; a closed form is not looked for."""
    request = _in_any_case(request)
    if kept is None:
        return _solve(problem, request, budget, observer)
    with keeping(problem, request, budget, kept) as checkpoints:
        return _solve(problem, evolve(request, checkpoints=checkpoints), budget, observer)


@contextmanager
def keeping(problem: Any, request: SearchRequest, budget: Budget, kept: KeptIn) -> Iterator[Checkpoints]:
    """Open the store in which the search for an answer is kept, and what follows from it; see `solve`."""
    from ..running.store.directory import Store  # which loads NumPy
    from ..running.store.fingerprint import subject_of

    request = _in_any_case(request)
    played = played_by(request.objective, problem)
    request.check(played)
    request.check_can_be_kept(played)
    subject = subject_of(problem, request)
    with Store(kept.directory, subject, resume=kept.resume) as store:
        checkpoints = Checkpoints(store)
        budget.last_save = checkpoints.last_save
        try:
            with signals_put_off(checkpoints.last_save):
                yield checkpoints
        finally:
            budget.last_save = None
            kept.holds = checkpoints.holds


def _in_any_case(request: SearchRequest) -> SearchRequest:
    """The same request with "auto" for "search", which is a search in any case."""
    return evolve(request, solver="auto") if request.solver == "search" else request


def _solve(problem: Any, request: SearchRequest, budget: Budget, observer: Observer | None) -> Any:
    """`solve_within`, with the checkpoints of the request, if any."""
    kept = request.checkpoints
    problem = played_by(request.objective, problem)
    if is_stochastic(problem):
        kind = request.check(problem)
        warn_of_identity(problem)
        way = import_module(_POLICIES[kind], __package__)
        policy = way.search_for_policy(problem, request, budget, observer)
        return policy if kept is None else _all_of(policy, kept)
    require("search for a plan", problem)
    refuse_slips(type(problem))
    record: Record[Any, Any] = Record(request.solver, None, budget, observer)
    try:
        kind = call_within(budget, partial(request.check, problem))  # which asks the author, too
        call_within(budget, partial(warn_of_identity, problem, budget.tick))
        way = import_module(f".{kind.value}", __package__)  # loaded when it is needed: most runs go one way
        search = partial(way.search, problem, request, budget, observer, record)
        return call_within(budget, search if kept is None else partial(_search_kept, problem, search, kept, request))
    except STOPS as stop:
        record.stop(stop)
    return evolve(record.undecided(), objective=request.objective)


def _search_kept(problem: Any, search: Callable[[], Any], kept: Checkpoints, request: SearchRequest) -> Any:
    """The answer that was kept, or what a search finds, which is kept."""
    from .outcome import check_result, keep_result, kept_result  # most searches are not kept

    if kept.answer is not None:
        return kept_result(problem, kept, request.objective)
    was_kept = kept.seconds_before > 0
    result = _all_of(search(), kept)
    if was_kept:
        check_result(problem, result, kept)
    with suppress(LimitReached, StoreError):  # the answer is there, even if it cannot be kept
        keep_result(problem, result, kept)
    return result


def _all_of(result: Any, kept: Checkpoints) -> Any:
    """A result whose seconds are those of all processes that took part in the search."""
    seconds = result.stats.seconds + kept.seconds_before
    return evolve(result, stats=evolve(result.stats, seconds=seconds))
