"""Partially observable stochastic problems: the choice of solver, and partial answers at a limit."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..errors import BeliefSearchError, ProblemError
from ..model.base import Action, State
from ..model.exact import exact, rounded
from ..model.stochastic import StochasticProblem
from ..model.values import is_exact
from ..plans.policy import PolicyGraph, PolicyResult
from ..plans.result import SearchStats, Status
from ..running.alarm import call_within
from ..running.limits import STOPS, Budget, EffortExceeded, Limits
from ..running.run import Run
from ..solvers.pomdp.finite_horizon import finite_horizon_search
from ..solvers.pomdp.listing import pomdp_model
from ..solvers.pomdp.pomdp_model import PomdpModel
from .options import PomdpOptions

if TYPE_CHECKING:
    from ..engine.pomdp.belief_graph import BeliefGraphSearch
    from ..engine.pomdp.hsvi import CompiledTrials
    from ..solvers.pomdp.almost_sure import AlmostSurePolicy
    from ..solvers.pomdp.arrays import PomdpArrays
    from ..solvers.pomdp.horizon_trials import HorizonTrials
    from ..solvers.pomdp.plain_hsvi import FirstBounds, TrialSearch
    from ..solvers.pomdp.trials import FoundBounds

_TRIALS, _GRAPH = "heuristic-search-value-iteration", "belief-graph"
# A problem of at most so many outcomes with percepts is tried without kernels first, with so many back-ups.
_SMALL = 5000
# Of a game of so many actions, beliefs with so many probabilities are looked at before its value is bounded.
_FEW_CHANCES = 200_000
_TURN = 3000
# After a search that was stopped, its values are made exact for this share of the time it took, or a second; if nothing
# else limits it, for some seconds; else they stay floats, lowered by a share of the largest, far more than they
# miss.
_SHARE_FOR_ROUNDING, _LEAST_FOR_ROUNDING, _SECONDS_FOR_ROUNDING = 0.25, 1.0, 10.0
_UNROUNDED = 1e-6
# What NumPy may take when it is loaded, in bytes; it ends the process if it does not get it.
_ARRAYS = 2**28


def begin(problem: StochasticProblem[Any, Any, Any], options: PomdpOptions, run: Run) -> _FiniteHorizon | _Trials:
    """Return a search for a policy graph and bounds on the value, which has not begun."""
    if options.horizon is not None:
        if problem.question() is not None:
            raise BeliefSearchError("a horizon makes another game of it; bound the steps of the property: F<=k")
        return _FiniteHorizon(problem, options, run)
    if options.engine == "naive" and run.checkpoints is not None:
        raise BeliefSearchError("the engine naive keeps no store for this problem; choose compiled")
    return _Trials(problem, options, run)


class _Trials:
    """One search by trials, from both sides, with all that it has found so far."""

    def __init__(self, problem: StochasticProblem[Any, Any, Any], options: PomdpOptions, run: Run) -> None:
        self._problem = problem
        self._engine, self._solver = options.engine, options.solver
        self._horizon = options.horizon or 0
        self._precision = options.precision
        self._run = run
        self._budget = run.budget
        self._begun = run.budget.seconds()
        self._model: PomdpModel[Any, Any, Any] | None = None
        self._arrays: PomdpArrays | None = None
        self._plain: TrialSearch | HorizonTrials | None = None
        self._won: AlmostSurePolicy | None = None
        self._compiled: BeliefGraphSearch | CompiledTrials | None = None

    def search(self) -> PolicyResult[Any, Any]:
        """Search until the bounds are near enough; raise one of `STOPS` if that takes too long."""
        self._narrow()
        return self._result(None)

    def undecided(self, reason: str) -> PolicyResult[Any, Any]:
        """Return the result at a limit."""
        return self._result(reason)

    def _narrow(self) -> None:
        budget = self._budget
        self._model = model = pomdp_model(self._problem, budget, self._run.observer)
        if not model.start:
            return
        given = self._for_trials(model, self._run.saved_as("compiled"))
        from ..solvers.pomdp.plain_hsvi import TrialSearch

        arrays = given[0]
        small = len(arrays.to_weights) * arrays.O <= _SMALL
        plain_first = self._run.checkpoints is None and (small or not budget.has_room_for_kernels())
        plain_first = plain_first and self._solver != _GRAPH
        only_graph = _is_for_graph(arrays)
        if not only_graph and (self._engine == "naive" or (self._engine == "auto" and plain_first)):
            self._plain = TrialSearch(*given)
            try:
                self._plain.run(_TURN if self._engine == "auto" else None)
            except EffortExceeded:
                if not budget.has_room_for_kernels():
                    self._plain.run()
            else:
                return
        budget.require_kernels()
        from ..engine.pomdp.belief_graph import BeliefGraphSearch, classes_for
        from ..engine.pomdp.hsvi import CompiledTrials

        graph = None
        if self._solver != _TRIALS and self._run.checkpoints is None:
            graph = classes_for(arrays, by_name=self._solver == _GRAPH)
        if only_graph and (graph is None or self._engine == "naive"):
            raise ProblemError(
                f"{type(self._problem).__name__} allows improper policies, which only {_GRAPH} looks at: compiled, "
                "without a store, and where nothing but costs is paid, by actions that may end the game"
            )
        if self._solver == _GRAPH and graph is None:
            raise BeliefSearchError(
                f"{_GRAPH} needs a discount of 1, rewards of one sign, and, unless the end has to be paid for, "
                f"percepts that tell which actions apply; choose {_TRIALS}"
            )
        if self._solver != _TRIALS:
            self._won = self._won_surely(model, arrays)
            if self._won is not None:
                return
        self._compiled = CompiledTrials(*given) if graph is None else BeliefGraphSearch(graph, *given)
        self._compiled.run()

    def _for_trials(self, model: PomdpModel[Any, Any, Any], run: Run) -> tuple[PomdpArrays, float, Run, float]:
        """Return what searches by trials are made of: arrays, precision, run, and what is won before any action."""
        run.budget.require_room(_ARRAYS, "NumPy")
        from ..solvers.pomdp.arrays import arrays_of

        self._arrays = arrays_of(model)
        # What is left of the precision is room for rounding what was found.
        return self._arrays, self._precision * (1 - 1e-6), run, float(model.start_value)

    def _first_bounds(self) -> FirstBounds | None:
        """Return the bounds that need no search, for one that was stopped before it had any, if they are soon found."""
        model, run = self._model, Run(Budget(evolve(self._budget.limits, seconds=_LEAST_FOR_ROUNDING)))
        if model is None or not model.start or self._horizon:
            return None

        def first() -> FirstBounds | None:
            given = self._for_trials(model, run)
            from ..solvers.pomdp.plain_hsvi import FirstBounds

            return None if _is_for_graph(given[0]) else FirstBounds(*given)

        with suppress(*STOPS):
            return call_within(run.budget, first)
        return None

    def _won_surely(self, model: PomdpModel[Any, Any, Any], arrays: PomdpArrays) -> AlmostSurePolicy | None:
        """Return a policy that wins with probability 1 where no more can be attained, if it is soon found."""
        from ..solvers.pomdp.almost_sure import almost_sure_policy, counts_wins
        from .region import small_region

        if model.start_value or not counts_wins(arrays) or self._problem.overrides("canonical"):
            return None
        region = small_region(self._problem, self._budget)
        if region is None or region.start is None:
            return None
        number_of = {state: number for number, state in enumerate(model.states)}
        action_of = {action: number for number, action in enumerate(model.actions)}
        safe = {}
        for belief, actions in zip(region.beliefs, region.safe, strict=True):
            numbers = [number_of.get(region.states[state], -1) for state in belief]
            safe[tuple(sorted(numbers))] = [
                action_of[region.actions[action]] for action in actions if min(numbers) >= 0
            ]
        return almost_sure_policy(arrays, safe, self._budget.tick)

    def _result(self, reason: str | None) -> PolicyResult[Any, Any]:
        """Return the result; `reason` is why the search was stopped, None if it was not."""
        model = self._model
        seconds = self._budget.seconds() - self._begun
        begun = self._won or self._plain or self._compiled
        known = (self._won, self._plain, self._compiled) if begun else (self._first_bounds(),)
        searches: list[Any] = [search for search in known if search is not None]
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
        found = self._rounded(search.found(), reason is not None)
        lower, upper = self._with_start(found.lower, -math.inf), self._with_start(found.upper, math.inf)
        upper = max(lower, upper)
        if upper == -math.inf:
            raise ProblemError(
                "every policy may come to where no action applies in all the states that are possible then; "
                "let actions() depend on what is perceived only"
            )
        known = lower > -math.inf
        assert self._arrays is not None
        return PolicyResult(
            Status.UNDECIDED if reason else Status.SOLVED,
            None if reason else lower,
            policy_graph(found, model, self._arrays) if known else None,
            _GRAPH if found.by_graph else _TRIALS,
            reason,
            SearchStats(
                sum(search.backups for search in searches),
                0,
                max(search.belief_count for search in searches),
                seconds=seconds,
            ),
            lower_bound=lower if known else None,
            upper_bound=upper,
            found=evolve(found, model=model),
        )

    def _with_start(self, bound: Any, towards: float) -> Any:
        """Return a bound with what the game is worth where it is over at the start, rounded in that direction."""
        assert self._model is not None
        start_value = self._model.start_value
        if not start_value or not math.isfinite(bound):
            return bound
        total = exact(bound) + exact(start_value)
        return total if is_exact(bound) and is_exact(start_value) else rounded(total, towards)

    def _rounded(self, found: FoundBounds, was_stopped: bool) -> FoundBounds:
        """Return what was found, with values of the policy that hold exactly.

        After a search that `was_stopped` this has a limit of its own, and if that is reached the values are lowered.
        """
        from ..solvers.pomdp.exact_policy_values import lowered_found, rounded_found

        budget = self._budget
        if was_stopped:
            took = budget.seconds() - self._begun
            seconds = max(_LEAST_FOR_ROUNDING, _SHARE_FOR_ROUNDING * took)
            if math.isinf(budget.seconds_left()):
                seconds = max(_SECONDS_FOR_ROUNDING, seconds)
            budget = Budget(Limits(seconds=seconds))
        assert self._model is not None
        assert self._arrays is not None
        rounding = partial(rounded_found, self._model, self._arrays, found, budget.tick)
        if not was_stopped:
            return rounding()
        try:
            return call_within(budget, rounding)
        except STOPS:
            return lowered_found(self._arrays, found, _UNROUNDED)


def _is_for_graph(arrays: PomdpArrays) -> bool:
    """Whether improper policies count that pay: only a graph of beliefs is about them."""
    from ..solvers.pomdp.arrays import NEVER as DOES_NOT_APPLY

    return arrays.improper and bool(((arrays.rewards < 0) & (arrays.rewards > DOES_NOT_APPLY)).any())


def policy_graph(
    found: FoundBounds, model: PomdpModel[State, Action, Any], arrays: PomdpArrays
) -> PolicyGraph[State, Action, Any]:
    """Return what was found as a policy graph, with the states, actions and percepts of the model."""
    import numpy as np

    names = {state: model.states[state] for state in np.unique(found.columns[0]).tolist()}
    percepts = [np.flatnonzero(possible).tolist() for possible in arrays.possible]
    return PolicyGraph(
        [model.actions[action] for action in found.actions.tolist()],
        [
            {model.percepts[percept]: following[percept] for percept in percepts[action] if following[percept] >= 0}
            for action, following in zip(found.actions.tolist(), found.successors.tolist(), strict=True)
        ],
        [
            {names[state]: value for state, value in zip(states[known].tolist(), vector[known].tolist(), strict=True)}
            for states, vector in zip(found.columns[0], found.vectors, strict=True)
            for known in [np.flatnonzero(vector > -math.inf)]
        ],
        steps=None if found.left is None else found.left.tolist(),
    )


class _FiniteHorizon(_Trials):
    """One search for the best policy of so many actions.

    It looks at every belief that can come up. If these are many it narrows bounds, but not where a game may come to a
    stop: that is worth nothing then, however bad it is to go on, and no mean of what is known of other beliefs.
    """

    def search(self) -> PolicyResult[Any, Any]:
        """Search until the value is known, or the bounds are near enough; raise one of `STOPS` if it takes too long."""
        problem, run = self._problem, self._run
        found: PolicyResult[Any, Any]
        most = None if self._engine == "naive" else _FEW_CHANCES
        try:
            found = finite_horizon_search(problem, self._horizon, run, most)
        except EffortExceeded:
            self._model = model = pomdp_model(problem, self._budget, run.observer)
            if any(None not in by_state for by_state in model.rewards):
                self._narrow_layers(model)
                return self._result(None)
            found = finite_horizon_search(problem, self._horizon, run)
        return evolve(found, stats=evolve(found.stats, seconds=self._budget.seconds() - self._begun))

    def _narrow_layers(self, model: PomdpModel[Any, Any, Any]) -> None:
        self._budget.require_room(_ARRAYS, "NumPy")
        from ..solvers.pomdp.arrays import arrays_of
        from ..solvers.pomdp.horizon_trials import HorizonTrials

        self._arrays = arrays = arrays_of(model, endless=False)
        precision, start_value = self._precision * (1 - 1e-6), float(model.start_value)
        self._plain = HorizonTrials(arrays, self._horizon, precision, self._run, start_value)
        self._plain.run()

    def _result(self, reason: str | None) -> PolicyResult[Any, Any]:
        return evolve(super()._result(reason), solver="finite-horizon")

    def _rounded(self, found: FoundBounds, was_stopped: bool) -> FoundBounds:
        from ..solvers.pomdp.horizon_trials import MOST_EXACT, exact_layers

        assert self._model is not None
        exact = self._model.exact and found.vectors.size <= MOST_EXACT
        return exact_layers(self._model, found) if exact else found  # which is rounded already
