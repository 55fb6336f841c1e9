"""Partially observable stochastic problems: the choice of solver, and partial answers at a limit."""

from __future__ import annotations

from typing import Any

from ..errors import BeliefSearchError
from ..kinds import Kind, require
from ..model.problem import Action, State
from ..model.slips import refuse_slips
from ..model.stochastic import StochasticProblem
from ..plans.policy import PolicyResult
from ..plans.result import SearchStats, Status
from ..running.alarm import call_within
from ..running.limits import STOPS, Budget, Limits
from ..running.observer import Observer
from ..solvers.pomdp.finite_horizon import finite_horizon_search
from ..solvers.registry import find_solver
from .request import SearchRequest


def solve_pomdp(
    problem: StochasticProblem[State, Action, Any],
    *,
    solver: str = "auto",
    engine: str = "auto",
    precision: float | None = None,
    horizon: int | None = None,
    limits: Limits | None = None,
    observer: Observer | None = None,
    budget: Budget | None = None,
) -> PolicyResult[State, Action]:
    """A policy for a problem that is partially observable and stochastic, and bounds on what can be attained.

    Parameters
    ----------
    problem
        What to solve.
    solver
        "finite-horizon", which is exact and needs a `horizon`, or an alias. "auto" is that if a horizon is given.
    engine
        One of `ENGINES`.
    precision
        How near the bounds must come, as a share of the larger; by default `PRECISION`.
    horizon
        How many actions the game has.
    limits
        When to give up.
    observer
        Called with the number of states numbered so far.
    budget
        Limits that several searches share, instead of `limits`.

    Returns
    -------
    PolicyResult
        Solved, or undecided if a limit or Ctrl-C came before. Its policy is a `PolicyGraph`.

    Raises
    ------
    BeliefSearchError
        If the solver is unknown or does not go with what is asked for.
    ProblemError
        If the problem breaks its contract.
    """
    require("find a policy graph", problem)
    name = "auto" if solver == "auto" else find_solver(solver, Kind.POMDP)
    refuse_slips(type(problem))
    budget = budget or Budget(limits)
    if name == "auto" and horizon is not None:
        name = "finite-horizon"
    if name == "finite-horizon":
        return _finite_horizon(problem, horizon, budget, observer)
    raise BeliefSearchError("give a horizon")


def search_for_policy(
    problem: StochasticProblem[Any, Any, Any], request: SearchRequest, budget: Budget, observer: Observer | None
) -> PolicyResult[Any, Any]:
    """What `solve` finds, as was asked for."""
    return solve_pomdp(
        problem,
        solver=request.solver,
        engine=request.engine,
        precision=request.precision,
        horizon=request.horizon,
        budget=budget,
        observer=observer,
    )


def _finite_horizon(
    problem: StochasticProblem[State, Action, Any], horizon: int | None, budget: Budget, observer: Observer | None
) -> PolicyResult[State, Action]:
    name = "finite-horizon"
    if horizon is None:
        raise BeliefSearchError("the solver finite-horizon needs to know how many actions the game has; give --horizon")
    begun = budget.seconds()
    try:
        found = call_within(budget, lambda: finite_horizon_search(problem, horizon, budget=budget, observer=observer))
    except STOPS as stop:
        stats = SearchStats(seconds=budget.seconds() - begun)
        return PolicyResult(Status.UNDECIDED, None, None, name, budget.why(stop), stats)
    stats = SearchStats(found.expanded, found.generated, found.expanded, seconds=budget.seconds() - begun)
    return PolicyResult(
        Status.SOLVED, found.value, found.policy, name, stats=stats, lower_bound=found.value, upper_bound=found.value
    )
