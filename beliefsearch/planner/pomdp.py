"""Partially observable stochastic problems: the choice of solver, and partial answers at a limit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..errors import BeliefSearchError, ProblemError
from ..kinds import Kind, require
from ..model.base import Action, State
from ..model.belief import no_tick
from ..model.class_lint import refuse_slips
from ..model.stochastic import StochasticProblem
from ..plans.policy import PRECISION, PolicyGraph, PolicyResult
from ..plans.result import SearchStats, Status
from ..running.alarm import call_within
from ..running.limits import STOPS, Budget, Limits, Outgrown
from ..running.observer import Observer
from ..running.store.checkpoint import Checkpoint, Checkpoints
from ..solvers.pomdp.finite_horizon import finite_horizon_search
from ..solvers.pomdp.pomdp_model import PomdpModel, pomdp_model
from .options import SearchRequest
from .solver_table import find_solver

if TYPE_CHECKING:
    from ..engine.pomdp.hsvi import CompiledTrials
    from ..solvers.pomdp.arrays import PomdpArrays
    from ..solvers.pomdp.exact_policy_values import FoundBounds
    from ..solvers.pomdp.plain_hsvi import TrialSearch

_TRIALS = "heuristic-search-value-iteration"
# A problem of at most so many outcomes with percepts is tried without kernels first, with so many back-ups.
_SMALL = 5000
_TURN = 3000
# What NumPy may take when it is loaded, in bytes; it ends the process if it does not get it.
_ARRAYS = 2**28


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
    checkpoints: Checkpoints | None = None,
) -> PolicyResult[State, Action]:
    """A policy for a problem that is partially observable and stochastic, and bounds on what can be attained.

    Parameters
    ----------
    problem
        What to solve.
    solver
        "finite-horizon", which is exact and needs a `horizon`, "heuristic-search-value-iteration", or an alias. "auto"
        is the first if a horizon is given, else the second.
    engine
        "naive": NumPy; "compiled": kernels, which are faster, but take some time to load, and much more to be compiled
        for the first time; "auto": the first for a small problem, and the second if that does not suffice.
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
    checkpoints
        Where the search is kept.

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
    if horizon is not None:
        raise BeliefSearchError(f"the solver {_TRIALS} looks ahead for ever; leave --horizon out")
    if engine == "bits":
        raise BeliefSearchError("the engine bits has no distributions; choose naive or compiled")
    search = _Trials(problem, engine, PRECISION if precision is None else precision, budget, observer, checkpoints)
    try:
        call_within(budget, search.run)
    except STOPS as stop:
        return search.result(budget.why(stop))
    return search.result(None)


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
        checkpoints=request.checkpoints,
    )


class _Trials:
    """A search from both sides: what it is about, and what has been found so far."""

    def __init__(
        self,
        problem: StochasticProblem[Any, Any, Any],
        engine: str,
        precision: float,
        budget: Budget,
        observer: Observer | None,
        checkpoints: Checkpoints | None,
    ) -> None:
        self._problem = problem
        self._checkpoints = checkpoints
        self._engine = engine
        self._precision = precision
        self._budget = budget
        self._observer = observer
        self._begun = budget.seconds()
        self._model: PomdpModel[Any, Any, Any] | None = None
        self._arrays: PomdpArrays | None = None
        self._plain: TrialSearch | None = None
        self._compiled: CompiledTrials | None = None

    def run(self) -> None:
        """Search until the bounds are near enough; raises one of `STOPS` if that takes too long."""
        budget = self._budget
        self._model = model = pomdp_model(self._problem, budget, self._observer)
        if not model.start:
            return
        budget.require_room(_ARRAYS, "NumPy")
        from ..solvers.pomdp.arrays import arrays_of
        from ..solvers.pomdp.plain_hsvi import TrialSearch

        self._arrays = arrays = arrays_of(model)
        # What is left is room for rounding what was found.
        given = arrays, self._precision * (1 - 1e-6), budget, float(model.start_value), self._observer
        small = len(arrays.to_weights) * arrays.O <= _SMALL
        if self._engine == "naive" or (self._engine == "auto" and (small or not budget.has_room_for_kernels())):
            self._plain = TrialSearch(*given, self._checkpoint("naive"))
            try:
                self._plain.run(_TURN if self._engine == "auto" else None)
            except Outgrown:
                if not budget.has_room_for_kernels():
                    self._plain.run()
            else:
                return
        budget.require_kernels()
        from ..engine.pomdp.hsvi import CompiledTrials

        self._compiled = CompiledTrials(*given, self._checkpoint("compiled"))
        self._compiled.run()

    def _checkpoint(self, engine: str) -> Checkpoint | None:
        return None if self._checkpoints is None else self._checkpoints.of(engine)

    def result(self, reason: str | None) -> PolicyResult[Any, Any]:
        """The result; `reason` is why the search was stopped, None if it was not."""
        model = self._model
        seconds = self._budget.seconds() - self._begun
        searches = [search for search in (self._plain, self._compiled) if search is not None]
        if model is None or not searches:
            if model is None or model.start:
                return PolicyResult(Status.UNDECIDED, None, None, _TRIALS, reason, SearchStats(seconds=seconds))
            value = model.start_value
            nothing: PolicyGraph[Any, Any, Any] = PolicyGraph((), (), ())
            stats = SearchStats(seconds=seconds)
            return PolicyResult(
                Status.SOLVED, value, nothing, _TRIALS, stats=stats, lower_bound=value, upper_bound=value
            )
        search = min(searches, key=lambda search: search.bounds[1] - search.bounds[0])
        found = self._rounded(search.found())
        start_value: Any = model.start_value
        lower: Any = found.lower + start_value
        upper = max(lower, found.upper + float(start_value))
        if upper == -math.inf:
            raise ProblemError(
                "every policy may come to where no action applies in all the states that are possible then; "
                "let actions() depend on what is perceived only"
            )
        known = lower > -math.inf
        return PolicyResult(
            Status.UNDECIDED if reason else Status.SOLVED,
            None if reason else lower,
            policy_graph(found, model) if known else None,
            _TRIALS,
            reason,
            SearchStats(
                sum(search.backups for search in searches),
                0,
                max(search.belief_count for search in searches),
                seconds=seconds,
            ),
            lower_bound=lower if known else None,
            upper_bound=upper,
            found=found,
        )

    def _rounded(self, found: FoundBounds) -> FoundBounds:
        """What was found, with values of the policy that hold exactly."""
        from ..solvers.pomdp.exact_policy_values import rounded_found

        assert self._model is not None
        assert self._arrays is not None
        return rounded_found(self._model, self._arrays, found, no_tick)


def policy_graph(found: FoundBounds, model: PomdpModel[State, Action, Any]) -> PolicyGraph[State, Action, Any]:
    """What was found as a policy graph, with the states, actions and percepts of the model."""
    percepts = [
        sorted({percept for row in outcomes for state, _ in row or () for percept, _ in rows[state]})
        for outcomes, rows in zip(model.outcomes, model.percept_rows, strict=True)
    ]
    return PolicyGraph(
        [model.actions[action] for action in found.actions.tolist()],
        [
            {model.percepts[percept]: following[percept] for percept in percepts[action]}
            for action, following in zip(found.actions.tolist(), found.successors.tolist(), strict=True)
        ],
        [
            {state: value for state, value in zip(model.states, vector, strict=True) if value > -math.inf}
            for vector in found.vectors.tolist()
        ],
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
