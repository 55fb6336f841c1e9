"""Plans that are sequences of actions: which view, solver and heuristic, and small searches before large ones."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..engine.choose import view_of
from ..heuristics.registry import AFFORDABLE, HEURISTICS, PlainSetting, Setting
from ..model.hooks import ReversibleProblem
from ..model.problem import Action, BeliefProblem, Problem
from ..model.stochastic import AnyProblem
from ..plans.result import SearchResult
from ..running.limits import Budget, Outgrown, TooDear
from ..running.observer import Observer
from ..running.record import Record
from ..solvers.path.dominance import ListedDominance
from ..solvers.path.regression import bidirectional_belief_search
from ..solvers.registry import SOLVERS
from ..views.sensorless import BeliefView
from .request import SearchRequest, find_solver

if TYPE_CHECKING:
    from ..engine.compiled.sensorless_view import CompiledView

__all__ = []


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
