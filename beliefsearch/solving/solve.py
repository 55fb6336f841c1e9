"""The front door: `solve(problem)` picks a view, a heuristic and a solver for the kind of problem."""

from __future__ import annotations

import gc
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, overload

from attrs import evolve

from ..engine.choose import view_of
from ..kinds import require
from ..model.identity import warn_of_identity
from ..model.problem import Action, BeliefProblem, Problem, State
from ..model.slips import refuse_slips
from ..model.stochastic import AnyProblem, StochasticProblem
from ..plans.result import SearchResult
from ..running.alarm import call_within
from ..running.limits import STOPS, Budget, LimitReached, Limits, Outgrown
from ..running.observer import Observer
from ..running.record import Record
from .closed_form import CONSTRUCT, checked_construction, construction_result
from .request import SearchRequest
from .sequence import _EXPLORED, _KERNELS, _SMALL, _search, _search_beliefs

if TYPE_CHECKING:
    from ..plans.policy import PolicyResult


__all__ = ["solve", "solve_within"]


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
    limits: Limits | None = ...,
    observer: Observer | None = ...,
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
    limits: Limits | None = None,
    observer: Observer | None = None,
) -> SearchResult[Action] | PolicyResult[State, Action]:
    """Solve a problem of any kind.

    Parameters
    ----------
    problem
        A plain problem, a belief problem, with percepts or without, or a stochastic problem.
    solver
        A name in `SOLVERS` or `ALIASES`. "auto" is A* when the problem has a heuristic or one is named,
        uniform-cost search when costs differ, bidirectional search when the problem can be walked
        backwards, and breadth-first search otherwise. For a sensorless search that has grown large it is
        A* when costs differ or when estimates of the start say much, and bidirectional search otherwise.
        Where there are percepts it is the whole AND-OR graph as long as that is small, and then AND-OR search
        within growing bounds. "construct" is no search, but the `construction` that the problem knows.
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
        is uncertain, the plan with the least mean cost over all starts, which are equally likely.
    limits
        When to give up.
    observer
        Told of every event.

    Returns
    -------
    SearchResult, PolicyResult
        The verdict; see its class for what is guaranteed. For a stochastic problem it is a policy and what the game
        is worth (see `solve_stochastic`); only a solver and limits can be asked for then. Where there are percepts
        the plan is a `ConditionalPlan`, which keeps trying (`is_cyclic`) only if no other plan is sure to win.

    Raises
    ------
    BeliefSearchError
        If a name is unknown or does not go with the solver; or if the plan of a construction is too long to list.
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
    request = SearchRequest(solver, heuristic, weight, dominance, engine, objective)
    budget = Budget(limits)
    if isinstance(problem, StochasticProblem):
        request.check_stochastic(type(problem).__name__)
        warn_of_identity(problem)
        from .stochastic import solve_stochastic  # other problems are spared loading it

        return solve_stochastic(problem, solver=solver, budget=budget, observer=observer)
    if solver == CONSTRUCT:
        found = checked_construction(problem, request)
        assert found is not None, "it is asked for"
        return construction_result(found)
    return solve_within(problem, request, budget, observer)


def solve_within(
    problem: BeliefProblem[State, Action, Any],
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
) -> SearchResult[Action]:
    """`solve` with limits that run already, and are heard wherever the search is, in the author's code too."""
    require("search for a plan", problem)
    refuse_slips(type(problem))
    record: Record[Any, Action] = Record(request.solver, None, budget, observer)
    try:
        return call_within(budget, lambda: _solve(problem, request, budget, observer, record))
    except STOPS as stop:
        record.stop(stop)
    return evolve(record.undecided(), objective=request.objective)


def _solve(
    problem: BeliefProblem[State, Action, Any],
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
    record: Record[Any, Action],
) -> SearchResult[Action]:
    """The way for this kind of problem; what is proved on the way is told to `record`."""
    request.check(problem)  # which asks the author, too
    warn_of_identity(problem, budget.tick)
    engine = request.engine
    if request.branches(problem):
        from .contingent import solve_contingent  # which sensorless problems are spared loading

        return solve_contingent(problem, request, budget, observer)
    if isinstance(problem, Problem):
        return _search(problem, view_of(problem), request, budget, observer)
    if engine != "auto":
        return _search_beliefs(problem, engine, None, request, budget, observer)
    if observer is not None and observer.hears_states():
        return _search_beliefs(problem, "bits", None, request, budget, observer)
    try:
        return _search_beliefs(problem, "bits", _SMALL, request, budget, observer)
    except Outgrown as outgrown:
        proved = record.lower_bound = outgrown.lower_bound
    gc.collect()  # the small view refers to itself, and may be large by now
    result = None
    with suppress(LimitReached, Outgrown):
        budget.require_room(_KERNELS, "compiled kernels")
        result = _search_beliefs(problem, "compiled", _EXPLORED, request, budget, observer)
    if result is None:
        result = _search_beliefs(problem, "bits", None, request, budget, observer)
    # What the small search proved is true all the same.
    return evolve(result, lower_bound=max(result.lower_bound, proved)) if proved < inf else result
