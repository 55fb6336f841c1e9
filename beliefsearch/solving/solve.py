"""The front door: `solve(problem)` picks a view, a heuristic and a solver for the kind of problem."""

from __future__ import annotations

import gc
from contextlib import suppress
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, overload

from attrs import evolve

from ..engine.bits.sensorless_view import BitsetView
from ..errors import ProblemError
from ..heuristics.registry import AFFORDABLE, HEURISTICS, PlainSetting, Setting, TooDear
from ..model.identity import warn_of_identity
from ..model.problem import Action, BaseProblem, BeliefProblem, Problem, ReversibleProblem, State, StochasticProblem
from ..model.slips import refuse_slips
from ..plans.result import Limits, SearchResult
from ..running.alarm import call_within
from ..running.limits import STOPS, Budget, LimitReached, Outgrown
from ..running.observer import Observer
from ..running.record import Record
from ..solvers.path.dominance import ListedDominance
from ..solvers.path.regression import bidirectional_belief_search
from ..solvers.registry import SOLVERS
from ..views.sensorless import BeliefView, Blindfolded, Quotient, SensorlessView
from .closed_form import CONSTRUCT, checked_construction, construction_result
from .request import SearchRequest, find_solver

if TYPE_CHECKING:
    from typing import TypeAlias

    from ..engine.compiled.sensorless_view import CompiledView
    from ..plans.policy import PolicyResult

    AnyProblem: TypeAlias = BeliefProblem[State, Action, Any] | StochasticProblem[State, Action]

__all__ = ["solve", "solve_within", "view_of"]

# `auto` begins with bit sets in plain Python. A search that takes more elementary steps than this, about a
# third of a second's worth, is begun anew with compiled kernels, which are then worth loading.
_SMALL = 3_000_000
# The compiled view explores all states first. Where there are so many pairs of a state and an action that this
# takes ten seconds or more, the search goes on in plain Python, which numbers states as they come up.
_EXPLORED = 2_000_000
# A search from both ends that compares more pairs of sets than this, some ten seconds' worth, gives way to a
# breadth-first search, until the beliefs that one has reached take so many bytes.
_COMPARED = 10_000_000_000
_REACHED = 2**30
# What NumPy, Numba and the kernels may take, in bytes, while kernels are being compiled.
_KERNELS = 2**28


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
        refuse_slips(type(problem))
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
    if not isinstance(problem, BeliefProblem):
        raise _not_to_be_searched(problem)
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


def view_of(
    problem: AnyProblem[State, Action],
    *,
    engine: str = "auto",
    budget: Budget | None = None,
    observer: Observer | None = None,
    allowance: int | None = None,
) -> Problem[Any, Action]:
    """The plain problem that a solver searches for `problem`: a view, or the problem itself.

    Parameters
    ----------
    problem, observer
        As for `solve`.
    engine
        One of `ENGINES`; "auto" is "bits".
    budget
        The limits, already running.
    allowance
        Of a `BitsetView` or a `CompiledView`: how much work it may do before it raises `Outgrown`.

    Raises
    ------
    ProblemError
        If the problem is of a kind that has no solver.
    LimitReached
        If numbering the states takes too much: only "compiled" does that now.
    """
    if isinstance(problem, Problem):
        return Quotient(problem) if type(problem).canonical is not BaseProblem.canonical else problem
    if not isinstance(problem, BeliefProblem):
        raise _not_to_be_searched(problem)
    tick = (budget or Budget()).tick
    numbered = observer.numbered if observer else lambda states: None
    if isinstance(problem, Blindfolded):
        problem = evolve(problem, tick=tick)
    if engine == "naive":
        return SensorlessView(problem, tick)
    if engine == "compiled":
        from ..engine.compiled.sensorless_view import CompiledView

        return CompiledView(problem, tick, numbered, allowance)
    return BitsetView(problem, tick, numbered, allowance)


def _not_to_be_searched(problem: object) -> ProblemError:
    """What to tell a caller whose problem is of a kind that has no solver here."""
    if isinstance(problem, StochasticProblem):
        return ProblemError(
            f"{type(problem).__name__} is a stochastic problem, whose answer is a policy; use solve_stochastic()"
        )
    return ProblemError(f"{problem!r} is no problem; give an instance of a problem class, such as DevilProblem(n=4)")


def _search_beliefs(
    problem: BeliefProblem[Any, Action, Any],
    engine: str,
    allowance: int | None,
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
) -> SearchResult[Action]:
    """Search with this engine; raises `Outgrown` if the allowance does not suffice."""
    # Making a view may take long, and so may making a heuristic: limits and Ctrl-C are heard there too.
    record: Record[Any, Action] = Record(request.solver, None, budget, observer)
    with record:
        if engine == "compiled":
            budget.require_room(_KERNELS, "compiled kernels")
        seen = view_of(problem, engine=engine, budget=budget, observer=observer, allowance=allowance)
        assert isinstance(seen, BeliefView)
        result = _search(problem, seen, request, budget, observer, compiled=engine == "compiled")
        stats = evolve(result.stats, max_belief_size=seen.max_belief_size)
        return evolve(result, stats=stats, engine=engine)
    return evolve(record.undecided(), engine=engine)


def _search(
    problem: AnyProblem[Any, Action],
    seen: Problem[Any, Action],
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
    *,
    compiled: bool = False,
) -> SearchResult[Action]:
    """Search `seen`, the view of `problem`, as it was asked for."""
    about_states = request.heuristic != "auto" and HEURISTICS[request.heuristic].for_beliefs
    setting = _belief_setting(seen, budget) if compiled or about_states else PlainSetting(seen)
    name = _choose_solver(setting, request, compiled)
    entry = SOLVERS[name]
    function = entry.function
    options: dict[str, Any] = {}
    arguments: list[Any] = [seen]
    if isinstance(seen, BeliefView):
        function = entry.for_beliefs or function
        if request.dominance:
            options["dominance"] = ListedDominance(seen)
        if compiled:
            function, options = _compiled_forms(name, function, options, seen, observer)  # type: ignore[arg-type]  # compiled
    elif entry.backwards:
        # Predecessors of representatives are not known, so walking backwards makes no use of symmetry.
        arguments = [problem]
    heuristic_name = None
    if entry.informed:
        heuristic_name = _choose_heuristic(seen, request, compiled)
        arguments.append(HEURISTICS[heuristic_name].make(setting, None))
    if request.weight is not None:
        options["weight"] = request.weight
    assert function is not None, "a request is checked before it is carried out"
    if compiled and name == "bidirectional" and request.solver == "auto":
        return _search_in_turns(seen, budget, observer)  # type: ignore[arg-type]  # compiled, so it is the view
    result: SearchResult[Action] = function(*arguments, budget=budget, observer=observer, **options)
    return evolve(result, heuristic=heuristic_name)


def _search_in_turns(
    seen: CompiledView[Any, Action], budget: Budget, observer: Observer | None
) -> SearchResult[Action]:
    """From both ends, unless the antichains grow so large that breadth-first search may be quicker; then that.

    Which of the two is the better way cannot be told beforehand. If the second becomes too large as well,
    the first is taken up again without a bound: it needs less memory.
    """
    from ..engine.compiled.breadth_first import array_breadth_first_search
    from ..engine.compiled.side import array_sides

    with suppress(Outgrown):
        sides = partial(array_sides, most=_COMPARED)
        return bidirectional_belief_search(seen, sides=sides, budget=budget, observer=observer)
    with suppress(Outgrown):
        room = _REACHED if budget.limits.memory is None else min(_REACHED, budget.limits.memory // 4)
        return array_breadth_first_search(seen, most_bytes=room, budget=budget, observer=observer)
    return bidirectional_belief_search(seen, sides=array_sides, budget=budget, observer=observer)


def _belief_setting(seen: Problem[Any, Any], budget: Budget) -> Setting:
    assert isinstance(seen, BeliefView), "a request is checked before it is carried out"
    budget.require_room(_KERNELS, "compiled kernels")
    from ..heuristics.context import BeliefSetting

    return BeliefSetting(seen, budget.tick, budget.seconds_left)


def _compiled_forms(
    name: str, function: Any, options: dict[str, Any], seen: CompiledView[Any, Any], observer: Observer | None
) -> tuple[Any, dict[str, Any]]:
    """The function and options that do the same with compiled kernels."""
    from ..engine.compiled.breadth_first import array_breadth_first_search
    from ..engine.compiled.dominance import ArrayDominance
    from ..engine.compiled.side import array_sides

    if SOLVERS[name].for_beliefs:
        return function, {**options, "sides": array_sides}
    if "dominance" in options:
        return function, {**options, "dominance": ArrayDominance(seen.model.width)}
    if name == "breadth-first" and not (observer is not None and observer.hears_states()):
        return array_breadth_first_search, options
    return function, options


def _choose_solver(setting: PlainSetting | Setting, request: SearchRequest, compiled: bool) -> str:
    seen = setting.seen
    if request.solver != "auto":
        return find_solver(request.solver)
    # Somebody who names a heuristic wants a solver that takes one.
    if request.heuristic != "auto" or seen.has_heuristic():
        return "astar"
    if not seen.has_unit_costs():
        return "astar" if compiled else "uniform-cost"
    if isinstance(seen, BeliefView):
        if not compiled:
            return "breadth-first"
        return "astar" if request.dominance or _says_much(setting, seen) else "bidirectional"
    return "bidirectional" if isinstance(seen, ReversibleProblem) else "breadth-first"


def _says_much(setting: PlainSetting | Setting, seen: BeliefView[Any, Any, Any]) -> bool:
    """Whether an estimate of the start promises more from A* than from both ends.

    That is so if it proves at once that there is no plan, or if weights say anything: where states merge,
    which is what searching from both ends lives on, they are all 0.
    """
    start = seen.initial_state()
    for name in ("perfect-sight", "potential"):
        with suppress(TooDear):
            estimate = HEURISTICS[name].make(setting, AFFORDABLE)(start)
            if estimate == inf or (name == "potential" and estimate > 0):
                return True
    return False


def _choose_heuristic(seen: Problem[Any, Any], request: SearchRequest, compiled: bool) -> str:
    if request.heuristic != "auto":
        return request.heuristic
    if compiled:
        return "best"
    return "own" if seen.has_heuristic() else "none"
