"""Sensorless problems: the choice of view, solver and heuristic, and small searches before large ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..belief_space.sensorless import BeliefView
from ..engine.views import view_of
from ..heuristics.registry import AFFORDABLE, HEURISTICS, PlainSetting
from ..kinds import Kind
from ..model.base import Action
from ..model.problem import BeliefProblem
from ..plans.result import SearchResult
from ..running.limits import Budget, LimitReached, Outgrown, TooDear
from ..running.observer import Observer
from ..running.run import Record
from ..solvers.path.dominance import ListedDominance
from .options import SearchRequest
from .outcome import explained
from .plain import named_solver, run_solver
from .solver_table import SOLVERS

if TYPE_CHECKING:
    from ..engine.compiled.sensorless import CompiledView
    from ..heuristics.state_graph import BeliefSetting

# `auto` begins with bit sets in plain Python. A search that takes more elementary steps than this, about a
# third of a second's worth, is begun anew with compiled kernels, which are then worth loading.
_SMALL = 3_000_000
# The compiled view explores all states first. Where there are so many pairs of a state and an action that this
# takes ten seconds or more, the search goes on in plain Python, which numbers states as they come up.
_EXPLORED = 2_000_000
# A search from both ends that compares more pairs of sets than this, some seconds' worth, and has no upper bound,
# gives way to a breadth-first search, until its reached beliefs take this many bytes.
_COMPARED = 200_000_000_000
_REACHED = 2**30


def search(
    problem: BeliefProblem[Any, Action, Any],
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
    record: Record[Any, Action],
) -> SearchResult[Action]:
    """Solve a sensorless problem (see `solve`); `record` receives the bounds proved on the way."""
    # Which engine is the quickest cannot be known beforehand, so the cheap ones are tried first. What each may spend is
    # a count and no time, so that the same call always gives the same answer.
    small = [("bits", {"allowance": _SMALL}), ("compiled", {"most_pairs": _EXPLORED})]
    last = "bits"
    tried: list[str] = []
    if request.engine != "auto":
        small, last = [], request.engine
    elif observer is not None and observer.hears_states():
        small = []
    for engine, most in small:
        if engine == "compiled":
            try:
                budget.require_kernels()
            except LimitReached:
                continue
        try:
            # A small search is quick to begin anew.
            asked = request if engine == "compiled" else evolve(request, checkpoints=None)
            result = _search(problem, engine, most, asked, budget, observer)
            break
        except Outgrown as outgrown:
            if outgrown.lower_bound < inf:
                record.lower_bound = max(record.lower_bound, outgrown.lower_bound)
            work = "steps" if engine == "bits" else "pairs of a state and an action"
            tried.append(f"the engine {engine} for {sum(most.values()):,} {work}")
    else:
        result = _search(problem, last, {}, request, budget, observer)
    # What the small search proved is true all the same.
    result = evolve(result, lower_bound=max(result.lower_bound, record.lower_bound))
    return explained(result, tried, problem, Kind.SENSORLESS)


def _search(
    problem: BeliefProblem[Any, Action, Any],
    engine: str,
    most: Mapping[str, int],
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
) -> SearchResult[Action]:
    """Search with this engine; raises `Outgrown` if `most`, what `view_of` allows it, does not suffice."""
    # Making a view may take long, and so may making a heuristic: limits and Ctrl-C are heard there too.
    record: Record[Any, Action] = Record(request.solver, None, budget, observer)
    with record:
        if engine == "compiled":
            budget.require_kernels()
        seen = view_of(problem, engine=engine, budget=budget, observer=observer, **most)
        assert isinstance(seen, BeliefView)
        result = _search_view(seen, request, budget, observer, engine)
        stats = evolve(result.stats, max_belief_size=seen.max_belief_size)
        return evolve(result, stats=stats, engine=engine)
    return evolve(record.undecided(), engine=engine)


def _search_view(
    seen: BeliefView[Any, Any, Action],
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
    engine: str,
) -> SearchResult[Action]:
    compiled = engine == "compiled"
    about_states = request.heuristic != "auto" and Kind.PLAIN not in HEURISTICS[request.heuristic].makers
    setting = _setting(seen, budget) if compiled or about_states else PlainSetting(seen)
    name = named_solver(seen, request) or _solver_for(seen, setting, request, compiled)
    function = SOLVERS[name].functions[Kind.SENSORLESS]
    options: dict[str, Any] = {"dominance": ListedDominance(seen)} if request.dominance else {}
    if compiled:
        if name == "bidirectional" and request.solver == "auto":
            return _search_in_turns(seen, request, budget, observer)  # type: ignore[arg-type]  # compiled
        is_kept = request.checkpoints is not None
        function, options = _compiled_forms(name, function, options, seen, observer, is_kept)  # type: ignore[arg-type]  # compiled
    heuristic = request.heuristic
    if heuristic == "auto":
        heuristic = "best" if compiled else "own" if seen.has_heuristic() else "none"
    return run_solver(
        name,
        function,
        seen,
        request,
        budget,
        observer,
        heuristic=heuristic,
        kind=Kind.SENSORLESS,
        setting=setting,
        engine=engine,
        **options,
    )


def _search_in_turns(
    seen: CompiledView[Any, Action], request: SearchRequest, budget: Budget, observer: Observer | None
) -> SearchResult[Action]:
    """Search from both ends, or breadth-first once large antichains make that likely to be quicker.

    If the second becomes too large as well, the first is taken up again without a bound: it needs less memory.
    """
    from ..engine.compiled.bidirectional import array_bidirectional_search

    kept = request.checkpoints

    def attempt(name: str, search: Callable[..., SearchResult[Action]], **most: Any) -> SearchResult[Action]:
        """Search; if that is known not to suffice, or turns out not to, raise `Outgrown`."""
        checkpoint = None if kept is None else kept.of(name)
        if checkpoint is not None and checkpoint.is_over:
            seen.max_belief_size = max(seen.max_belief_size, checkpoint.number("max_belief_size"))
            raise Outgrown
        try:
            return search(seen, budget=budget, observer=observer, checkpoint=checkpoint, **most)
        except Outgrown:
            if checkpoint is not None:
                checkpoint.give_up({"max_belief_size": seen.max_belief_size})
            raise

    with suppress(Outgrown):
        return attempt("both-ends", array_bidirectional_search, most=_COMPARED)

    from ..engine.compiled.breadth_first import array_breadth_first_search

    room = _REACHED if budget.limits.memory is None else min(_REACHED, budget.limits.memory // 4)
    with suppress(Outgrown):
        return attempt("breadth-first", array_breadth_first_search, most_bytes=room)
    return attempt("both-ends-to-the-end", array_bidirectional_search)


def _setting(seen: BeliefView[Any, Any, Any], budget: Budget) -> BeliefSetting:
    budget.require_kernels()
    from ..heuristics.state_graph import BeliefSetting

    return BeliefSetting(seen, budget.tick, budget.seconds_left)


def _compiled_forms(
    name: str,
    function: Any,
    options: dict[str, Any],
    seen: CompiledView[Any, Any],
    observer: Observer | None,
    is_kept: bool,
) -> tuple[Any, dict[str, Any]]:
    """The compiled counterpart of a solver, with its options; `is_kept`: there is a store."""
    from ..engine.compiled.bidirectional import array_bidirectional_search
    from ..engine.compiled.breadth_first import array_breadth_first_search
    from ..engine.compiled.frontier import array_sides
    from ..engine.compiled.set_index import ArrayDominance

    if name == "bidirectional":
        return array_bidirectional_search, options
    if SOLVERS[name].layered:
        return function, {**options, "sides": array_sides}
    if "dominance" in options:
        return function, {**options, "dominance": ArrayDominance(seen.model.width)}
    if name == "breadth-first" and not (observer is not None and observer.hears_states()):
        if is_kept:
            from ..engine.counting.disk_breadth_first import stored_breadth_first_search

            return stored_breadth_first_search, options
        return array_breadth_first_search, options
    return function, options


def _solver_for(
    seen: BeliefView[Any, Any, Any], setting: PlainSetting | BeliefSetting, request: SearchRequest, compiled: bool
) -> str:
    if not seen.has_unit_costs():
        return "astar" if compiled else "uniform-cost"
    if not compiled:
        return "breadth-first"
    return "astar" if request.dominance or _says_much(setting, seen) else "bidirectional"


def _says_much(setting: PlainSetting | BeliefSetting, seen: BeliefView[Any, Any, Any]) -> bool:
    """Whether the estimate of the start makes A* look better than a search from both ends.

    That is so if it proves at once that there is no plan, or if weights say anything: where states merge,
    which is what searching from both ends lives on, they are all 0.
    """
    start = seen.initial_state()
    for name in ("perfect-sight", "pairs", "potential"):
        with suppress(TooDear):
            estimate = HEURISTICS[name].makers[Kind.SENSORLESS](setting, AFFORDABLE)(start)
            if estimate == inf or (name == "potential" and estimate > 0):
                return True
    return False
