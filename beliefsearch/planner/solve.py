"""The entry point: `solve(problem)` looks up the search for the problem's kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from math import inf, nextafter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from attrs import evolve

from ..errors import StoreError
from ..kinds import Kind, is_stochastic, played_by
from ..model.base import Action, State
from ..model.class_lint import refuse_slips
from ..model.exact import shown
from ..model.hooks import Construction, has_closed_form
from ..model.problem import BeliefProblem
from ..model.stochastic import AnyProblem, StochasticProblem
from ..plans.policy import PolicyResult
from ..plans.result import CONSTRUCT, SearchResult, SearchStats, Status
from ..plans.wording import shows_floats
from ..plugins.identity import warn_of_identity
from ..running.alarm import call_within
from ..running.lazy import LoadedWhenLookedUp
from ..running.limits import STOPS, LimitReached, Limits
from ..running.observer import Observer
from ..running.run import Run
from .closed_form import FEW_STATES, checked_construction, construction_result, infinite_result
from .options import Options, PlanKeywords, PolicyKeywords, SearchRequest

if TYPE_CHECKING:
    from ..running.store.checkpoint import Checkpoints

# By kind, the function that searches. It is loaded when it is needed: most runs go one way.
_PLANNERS = LoadedWhenLookedUp(
    __package__,
    {
        Kind.PLAIN: ".path:search_plain",
        Kind.SENSORLESS: ".path:search_sensorless",
        Kind.CONTINGENT: ".contingent:search",
        Kind.STOCHASTIC: ".mdp:PolicySearch",
        Kind.POMDP: ".pomdp:begin",
    },
)


@overload
def solve(
    problem: StochasticProblem[State, Action],
    *,
    objective: Literal["almost-sure"],
    solver: str = ...,
    heuristic: str = ...,
    dominance: bool = ...,
    engine: str = ...,
    limits: Limits | None = ...,
    observer: Observer | None = ...,
) -> SearchResult[Action]: ...
@overload
def solve(
    problem: StochasticProblem[State, Action],
    *,
    solver: str = ...,
    limits: Limits | None = ...,
    observer: Observer | None = ...,
    store: Path | str | None = ...,
    resume: bool = ...,
    **options: Unpack[PolicyKeywords],
) -> PolicyResult[State, Action]: ...
@overload
def solve(
    problem: BeliefProblem[State, Action, Any],
    *,
    solver: str = ...,
    limits: Limits | None = ...,
    observer: Observer | None = ...,
    store: Path | str | None = ...,
    resume: bool = ...,
    **options: Unpack[PlanKeywords],
) -> SearchResult[Action]: ...
def solve(
    problem: AnyProblem[State, Action],
    *,
    solver: str = "auto",
    limits: Limits | None = None,
    observer: Observer | None = None,
    store: Path | str | None = None,
    resume: bool = False,
    **options: Any,
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
        states, or a small search did not suffice, and "search" is "auto" without that.
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
    options
        Options of the search; one that plays no part in searches of the problem's kind is refused. Plans that are
        sequences of actions: heuristic, weight, dominance, engine, objective. Conditional plans: the same without
        weight. Policies of states: tolerance, use_arrays. Policy graphs: engine, precision, horizon.
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
    tolerance
        Of a stochastic problem, with floats: what is better by no more than this share counts as no better; by default
        1e-13.
    use_arrays
        Of a stochastic problem: whether to use the author's arrays, where there are some; for backward induction only.
    precision
        Of a partially observable problem: how near the bounds on its value must come, as a share of the larger; by
        default 0.001.
    horizon
        Of a partially observable problem: how many actions the game has, for solvers that count them.

    Returns
    -------
    SearchResult, PolicyResult
        The verdict; see its class for what is guaranteed. For a stochastic problem it is a policy and the value of the
        game, in floats, or exact if all that the problem gives are whole numbers and fractions; for a partially
        observable one a policy graph with bounds. Where there are percepts the plan is a `ConditionalPlan`, which keeps
        trying (`is_cyclic`) only if no other plan is sure to win.

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
    run = Run.of(limits, observer, store, resume)
    found = answer(problem, SearchRequest(solver, options), run)
    result: Any = construction_result(found) if isinstance(found, Construction) else found
    solved: SearchResult[Action] | PolicyResult[State, Action] = evolve(result, problem=problem)
    return solved


def answer(
    problem: Any, request: SearchRequest, run: Run, few_states: int | None = FEW_STATES, *, small_only: bool = True
) -> Any:
    """Return the answer to a problem: a closed form, or what a search finds within the limits of `run`.

    A plan in closed form is not listed. It is taken if there are more than `few_states` states, and with `small_only`
    if a small search did not suffice; if `few_states` is None only what `run` has instead of a large search.
    """
    budget = run.budget
    search: Callable[[], Any]
    if few_states is not None:
        search = partial(checked_construction, problem, request, few_states=few_states)
        try:
            found: Any = call_within(budget, search)
        except STOPS as stop:
            of_what = " while the problem's closed form was being checked" if has_closed_form(problem) else ""
            reason = budget.why(stop) + of_what
            return SearchResult(Status.UNDECIDED, None, None, 0, CONSTRUCT, reason=reason)
        if found is not None:
            return found
        if small_only:
            run = evolve(run, instead=partial(checked_construction, problem, request, few_states=0))
    if request.solver == "search":
        request = evolve(request, solver="auto")
    problem = played_by(request.objective, problem)
    try:
        kind, options = call_within(budget, partial(validated, problem, request, run.tick))
    except STOPS as stop:
        return _undecided(problem, request, run, stop)
    with keeping(problem, request, run) as kept_run:
        if kind in (Kind.STOCHASTIC, Kind.POMDP):
            searching = _PLANNERS[kind](problem, options, kept_run)
            try:
                found = kind is Kind.POMDP and call_within(budget, partial(infinite_result, problem))
                found = found or call_within(budget, searching.search)
            except STOPS as stop:
                found = searching.undecided(budget.why(stop))
            return _with_all_seconds(found, kept_run.checkpoints)
        record = kept_run.record(request.solver)
        search = partial(_PLANNERS[kind], problem, options, kept_run, record)
        if kept_run.checkpoints is not None:
            search = partial(_PLANNERS[kind], problem, options, evolve(kept_run, instead=None), record)
            search = partial(_saved_or_found, problem, search, kept_run.checkpoints, request.objective)
        try:
            found = call_within(budget, search)
        except STOPS as stop:
            record.stop(stop)
            found = evolve(record.undecided(), objective=request.objective)
        return found if isinstance(found, Construction) else shown_result(problem, found)


def validated(problem: Any, request: SearchRequest, tick: Callable[[], None]) -> tuple[Kind, Options]:
    """Return the kind of search and its options, once the problem has been looked at: the only place that does."""
    refuse_slips(type(problem))
    kind_and_options = request.check(problem)  # which asks the author, too
    warn_of_identity(problem, tick)
    return kind_and_options


def _undecided(problem: Any, request: SearchRequest, run: Run, stop: BaseException) -> Any:
    """Return the result of a search that was stopped before it began."""
    if is_stochastic(problem):
        stats = SearchStats(seconds=run.budget.seconds())
        return PolicyResult(Status.UNDECIDED, None, None, request.solver, run.budget.why(stop), stats)
    record = run.record(request.solver)
    record.stop(stop)
    return evolve(record.undecided(), objective=request.objective)


@contextmanager
def keeping(problem: Any, request: SearchRequest, run: Run) -> Iterator[Run]:
    """Open the store in which the search for an answer is kept, and what follows from it, if there is one."""
    kept = run.kept
    if kept is None:
        yield run
        return
    from ..running.graceful_stop import signals_put_off
    from ..running.store.checkpoint import Checkpoints
    from ..running.store.directory import Store  # which loads NumPy
    from ..running.store.fingerprint import subject_of

    request.check_can_be_kept(problem)
    with Store(kept.directory, subject_of(problem, request.recorded()), resume=kept.resume) as store:
        checkpoints = Checkpoints(store)
        run.budget.last_save = checkpoints.last_save
        try:
            with signals_put_off(checkpoints.last_save):
                yield evolve(run, checkpoints=checkpoints)
        finally:
            run.budget.last_save = None
            kept.holds = checkpoints.holds


def _saved_or_found(problem: Any, search: Callable[[], Any], saved: Checkpoints, objective: str) -> Any:
    """Return the answer that was saved, or the one that a search finds, which is saved."""
    from .outcome import check_result, keep_result, kept_result  # most searches are not kept

    if saved.answer is not None:
        return kept_result(problem, saved, objective)
    goes_on = saved.seconds_before > 0
    result = _with_all_seconds(search(), saved)
    if goes_on:
        check_result(problem, result, saved)
    with suppress(LimitReached, StoreError):  # the answer is there, even if it cannot be saved
        keep_result(problem, result, saved)
    return result


def _with_all_seconds(result: Any, saved: Checkpoints | None) -> Any:
    """Return a result whose seconds are those of all processes that took part in the search."""
    if saved is None:
        return result
    seconds = result.stats.seconds + saved.seconds_before
    return evolve(result, stats=evolve(result.stats, seconds=seconds))


def shown_result(problem: BeliefProblem[Any, Any, Any], result: SearchResult[Any]) -> SearchResult[Any]:
    """Return the result with floats for fractions that come from floats; `exact` keeps these.

    The cost is the nearest float, and so is the lower bound if it is the same number; else it is no larger than it was.
    """
    cost, bound = result.cost, result.lower_bound
    if result.objective == "expected" or not shows_floats(problem, cost, bound):
        return result
    rounded: Any = None if cost is None else shown(cost, floats=True)
    if bound == cost:
        return evolve(result, cost=rounded, lower_bound=rounded, exact=(cost, bound))
    lower = shown(bound, floats=True, down=True)
    if rounded is not None and lower >= rounded:  # so that no plan is taken for a cheapest one by a rounding
        lower = nextafter(float(rounded), -inf)
    return evolve(result, cost=rounded, lower_bound=max(lower, 0), exact=(cost, bound))
