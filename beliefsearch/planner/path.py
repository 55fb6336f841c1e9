"""Plain and sensorless problems: the choice of view, solver and heuristic, and small searches before large ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from ..belief_space.sensorless import BeliefView
from ..engine.bits.numbered_model import StartPairs
from ..engine.factored.view import independent
from ..engine.views import view_of
from ..heuristics.registry import AFFORDABLE, HEURISTICS, PlainSetting
from ..kinds import Kind
from ..model.base import Action
from ..model.factor import FactorSum
from ..model.hooks import Construction, FactoredHook, PresetHook, RestartHook, ReversibleProblem, factors_of
from ..model.problem import BeliefProblem, Problem
from ..plans.result import SearchResult, Status
from ..running.limits import EffortExceeded, TooDear
from ..running.run import Record, Run
from ..solvers.path.dominance import ListedDominance
from .factored import bound_by_one_factor, factored_solver, sum_of
from .options import PathOptions
from .outcome import explained
from .solver_table import SOLVERS

if TYPE_CHECKING:
    from ..engine.compiled.sensorless import CompiledView
    from ..heuristics.state_graph import BeliefSetting

# `auto` begins with bit sets in plain Python. A search that takes more elementary steps than this, about a
# third of a second's worth, is begun anew with compiled kernels, which are then worth loading.
_SMALL = 3_000_000
# A word for which there are kernels of its own is looked for in plain Python first, as far as these take to be loaded;
# one of which they find only a greedy answer as far as the other number. But not with more pairs of a start and an
# action, since to look at all starts is one step.
_TINY, _FEW_PAIRS = 300_000, 200
# The compiled view explores all states first. Where there are so many pairs of a state and an action that this
# takes ten seconds or more, the search goes on in plain Python, which numbers states as they come up.
_EXPLORED = 2_000_000
# Of a problem with factors and more starts than this beliefs are not listed state by state.
_FEW_STARTS = 10_000
# Of few starts there may be few beliefs, too. Searches on factors are dearer, so once these had their try, one on bits
# may take some seconds, if it can look at so many beliefs within them.
_SOME_SECONDS = 60_000_000
_ENOUGH_BELIEFS = 5_000
# Of beliefs with factors a search on arrays may make so many words of bits at first (of a sum of factors), a second or
# two, and after more plans were looked for; then an anytime search goes on.
_FEW_WORDS, _MOST_WORDS = 40_000_000, 300_000_000
# A search from both ends that compares more pairs of sets than this, some seconds' worth, and has no upper bound,
# gives way to a breadth-first search, until its reached beliefs take this many bytes.
_COMPARED = 200_000_000_000
_REACHED = 2**30


_WORK = {
    "allowance": "steps",
    "most_pairs": "pairs of a state and an action",
    "words": "words of beliefs",
    "rounds": "round of an anytime search",
}


def search_plain(
    problem: Problem[Any, Action], options: PathOptions, run: Run, record: Record[Any, Action]
) -> SearchResult[Action]:
    """Solve a plain problem (see `solve`)."""
    seen = view_of(problem)
    name = _named_solver(seen, options)
    if name is None and not seen.has_unit_costs():
        name = "uniform-cost"
    elif name is None:
        name = "bidirectional" if isinstance(seen, ReversibleProblem) else "breadth-first"
    heuristic = options.heuristic
    if heuristic == "auto":
        heuristic = "own" if seen.has_heuristic() else "none"
    entry = SOLVERS[name]
    function = entry.functions[Kind.PLAIN]
    estimates = [HEURISTICS[heuristic][Kind.PLAIN](PlainSetting(seen), None)] if entry.informed else []
    # Predecessors of representatives are not known, so walking backwards makes no use of symmetry.
    searched = problem if entry.backwards else seen
    result: SearchResult[Action] = function(searched, *estimates, **keywords_of(name, options, run))
    return evolve(result, heuristic=heuristic if entry.informed else None)


def _named_solver(seen: Problem[Any, Any], options: PathOptions) -> str | None:
    """Return the solver that was named, or A* if a heuristic was; None if neither was."""
    if options.solver != "auto":
        return options.solver
    # Somebody who names a heuristic wants a solver that takes one.
    return "astar" if options.heuristic != "auto" or seen.has_heuristic() else None


def keywords_of(name: str, options: PathOptions, run: Run, engine: str | None = None) -> dict[str, Any]:
    """Return the keywords of a solver; a checkpoint is of one engine, since each may have a form of its own."""
    keywords: dict[str, Any] = {"run": run.saved_as(name if engine is None else f"{name}-{engine}")}
    if options.weight is not None:
        keywords["weight"] = options.weight
    return keywords


def search_sensorless(
    problem: BeliefProblem[Any, Action, Any], options: PathOptions, run: Run, record: Record[Any, Action]
) -> SearchResult[Action] | Construction[Action]:
    """Solve a sensorless problem (see `solve`); `record` receives the bounds proved on the way.

    Where a small search does not suffice the answer is what the run has `instead`, if anything.
    """
    # Which engine is the quickest cannot be known beforehand, so the cheap ones are tried first. What each may spend is
    # a count and no time, so that the same call always gives the same answer.
    small = [("bits", {"allowance": _SMALL}), ("compiled", {"most_pairs": _EXPLORED})]
    last = "bits"
    tried: dict[str, tuple[str, int]] = {}  # by engine what it was allowed
    kept = _KeptBeliefs()
    before: SearchResult[Action] | None = None
    with_plan: SearchResult[Action] | None = None
    listed: BeliefProblem[Any, Action, Any] = problem  # whose states are listed
    if options.engine != "auto":
        small, last = [], options.engine
    elif (with_factors := _factored_engine(problem, options, run)) is not None:
        listed, small, last = with_factors
    elif run.hears_states():
        small = []
    elif (word := _search_word(problem, options, run, record)) is not None:
        word = evolve(word, lower_bound=max(word.lower_bound, record.lower_bound))
        return evolve(word, reason=None if word.optimal else word.reason)
    for engine, most in small:
        if engine == "compiled" and not run.budget.has_room_for_kernels():
            continue
        if most.get("rounds") == 0 and with_plan is not None:
            continue  # a plan is all that is looked for
        try:
            if engine == "one factor":
                bound_by_one_factor(problem, run)
            # A small search is quick to begin anew.
            own = run if engine == "compiled" else run.without_saving()
            result = _attempt(problem if engine == "factored" else listed, options, own, engine, most, with_plan, kept)
            break
        except EffortExceeded as exceeded:
            before = before or exceeded.stopped
            stopped = exceeded.stopped
            if stopped is not None and stopped.plan is not None and _better_plan(stopped, with_plan) is None:
                with_plan = evolve(stopped, engine=engine)
            if exceeded.lower_bound < inf:
                record.lower_bound = max(record.lower_bound, exceeded.lower_bound)
            tried[engine] = next(iter(most.items()))
            if with_plan is not None and with_plan.cost is not None:
                with_plan = evolve(with_plan, lower_bound=min(record.lower_bound, with_plan.cost))
                if with_plan.optimal:
                    return with_plan
            if engine == "bits" and run.instead is not None and (known := run.instead()) is not None:
                return known
    else:
        result = _attempt(problem, options, run, last, {}, with_plan, kept)
    if result.status is Status.UNDECIDED and not result.stats.expanded and before is not None:
        # Stopped while arrays or estimates were made: what was done is what the small search did.
        stats = evolve(before.stats, seconds=result.stats.seconds)
        result = evolve(before, reason=result.reason, stats=stats, engine="bits")
    # What the small search proved is true all the same.
    result = evolve(result, lower_bound=max(result.lower_bound, record.lower_bound))
    if (better := _better_plan(result, with_plan)) is not None:
        return better
    told = [f"the engine {engine} for {count:,} {_WORK[kind]}" for engine, (kind, count) in tried.items() if count]
    return explained(result, told, problem, Kind.SENSORLESS)


def _better_plan(result: SearchResult[Action], before: SearchResult[Action] | None) -> SearchResult[Action] | None:
    """Return the result of a stopped search with the plan found before it; None if that is no better than its own."""
    if before is None or before.cost is None or result.status is Status.UNSOLVABLE:
        return None
    if result.cost is not None and result.cost <= before.cost:
        return None
    bound = max(before.lower_bound, min(result.lower_bound, before.cost))
    return evolve(before, lower_bound=bound, reason=result.reason, stats=result.stats)


def _factored_engine(
    problem: BeliefProblem[Any, Action, Any], options: PathOptions, run: Run
) -> tuple[BeliefProblem[Any, Action, Any], list[Any], str] | None:
    """Return what is listed of a problem with factors, the small engines, and the last; None if it has none.

    Also None if others are asked for. The sum of factors has far fewer states than the whole. Of more than a few starts
    not even the first search, on bits, lists them. A search on factored beliefs is not kept.
    """
    asks_otherwise = run.checkpoints is not None or options.heuristic not in ("auto", "best", "none")
    asks_otherwise |= options.solver != "auto" and SOLVERS[options.solver].layered
    factors = None if asks_otherwise or not isinstance(problem, FactoredHook) else factors_of(problem)
    if factors is None or not isinstance(problem, FactoredHook):
        return None
    listed: BeliefProblem[Any, Action, Any] = problem
    starts = problem.count_starts()
    if not run.budget.has_room_for_kernels():
        return (listed, [], "factored") if starts > _FEW_STARTS else None  # which says that memory is lacking
    if len(factors) > 1 and not run.hears_states() and (found := sum_of(factors, run.tick)) is not None:
        listed, starts = found, sum(1 for _ in found.initial_states())
    needs_factors = options.solver != "auto" and SOLVERS[options.solver].factored
    if needs_factors or starts > _FEW_STARTS:
        return listed, [], "factored"
    small: list[Any] = [("bits", {"allowance": _SMALL})]
    if options.solver == "auto" and len(independent(factors)) == 1:
        # A plan soon; then all states are listed if that is no great work.
        small += [("factored", {"rounds": 0})]
        small += [("one factor", {"words": 0})] if len(factors) > 1 and problem.has_unit_costs() else []
        number = len({action for one in factors for action in one.actions})
        if listed is not problem:
            small += [("compiled", {"words": _FEW_WORDS})]
        elif _ENOUGH_BELIEFS * starts * number < _SOME_SECONDS:
            small += [("bits", {"allowance": _SOME_SECONDS})]
        small += [("factored", {"rounds": 1}), ("factored", {"rounds": 0})]
        small += [("compiled", {"words": _MOST_WORDS} | ({"most_pairs": _EXPLORED} if listed is problem else {}))]
    return listed, small, "factored"


def _search_word(
    problem: BeliefProblem[Any, Any, Any], options: PathOptions, run: Run, record: Record[Any, Any]
) -> SearchResult[Any] | None:
    """Return the word found on sets of futures; None where the problem has none, or others are asked for."""
    given = options.solver != "auto" or options.heuristic != "auto" or options.dominance
    if not isinstance(problem, (PresetHook, RestartHook)) or given or not run.budget.has_room_for_kernels():
        return None
    restart = problem.restart() if isinstance(problem, RestartHook) else None
    adaptive = problem.adaptively() if isinstance(problem, PresetHook) and restart is None else None
    played: Any = adaptive if restart is None else restart[1]
    if played is None:
        return None
    try:
        if not StartPairs(played).exceed(_FEW_PAIRS):
            most = {"allowance": _TINY if restart is None else _SMALL}
            found = _attempt(problem, options, run.without_saving(), "bits", most, None, _KeptBeliefs())
            if found.plan is not None:
                return found
    except EffortExceeded as exceeded:
        record.lower_bound = max(record.lower_bound, exceeded.lower_bound)
    from ..engine.futures.restarts import search_with_restarts
    from ..engine.futures.search import search_word

    return search_with_restarts(problem, run) or search_word(problem, run)


def each_told(problem: Any, run: Run) -> Iterator[tuple[Any, SearchResult[Any]]]:
    """Yield each start that is to be told from the others (see `PresetHook.told`), with the answer for it."""
    run.budget.require_kernels()
    from ..engine.futures.telling import search_each_told

    return search_each_told(problem, problem.adaptively(), run)


@define
class _KeptBeliefs:
    """Factored beliefs and estimates of them, which the next search on factors makes use of."""

    view: Any = None
    guides: dict[Any, Any] = field(factory=dict)
    tries: int = 0  # the searches on them so far


def _attempt(
    problem: BeliefProblem[Any, Action, Any],
    options: PathOptions,
    run: Run,
    engine: str,
    most: Mapping[str, int],
    before: SearchResult[Action] | None,
    kept: _KeptBeliefs,
) -> SearchResult[Action]:
    """Search with this engine; raise `EffortExceeded` if `most`, what `view_of` allows it, does not suffice.

    An anytime search begins with the plan found `before`, if any, and with what is `kept`.
    """
    # Making a view may take long, and so may making a heuristic: limits and Ctrl-C are heard there too.
    record: Record[Any, Action] = run.record(options.solver)
    with record:
        if engine in ("compiled", "factored"):
            run.budget.require_kernels()
        rounds, words, expanded = most.get("rounds"), most.get("words"), None
        allowed = {name: count for name, count in most.items() if name not in ("rounds", "words")}
        seen: Any = kept.view
        if engine != "factored" or seen is None:
            seen = view_of(problem, engine=engine, budget=run.budget, observer=run.listener, **allowed)
        if isinstance(seen, BeliefView):
            function, estimates, keywords, heuristic = _solver_with_arguments(seen, options, run, engine)
        else:
            known, bound = (None, 0) if before is None else (before.require_plan(), before.lower_bound)
            # Who looked for a plan in vain need not do so with the same effort.
            after = max(kept.tries - (known is not None), 0)
            kept.view, kept.tries = seen, kept.tries + 1
            function, estimates, keywords, heuristic = factored_solver(
                seen, options, run, kept.guides, known, rounds=rounds, after=after, at_least=bound
            )
        if words is not None:
            expanded = 1 + words // (seen.model.width * len(seen.model.actions))
        with run.budget.trying(expanded):
            result: SearchResult[Action] = function(seen, *estimates, **keywords)
        # A belief of the sum of factors is none of the whole problem.
        stats = evolve(result.stats, max_belief_size=1 if isinstance(problem, FactorSum) else seen.max_belief_size)
        return evolve(result, heuristic=heuristic, stats=stats, engine=engine)
    return evolve(record.undecided(), engine=engine)


def _solver_with_arguments(
    seen: BeliefView[Any, Any, Any], options: PathOptions, run: Run, engine: str
) -> tuple[Callable[..., SearchResult[Any]], list[Any], dict[str, Any], str | None]:
    """Return the solver for a view, its estimate if it takes one, its keywords, and the name of the heuristic."""
    compiled: Any = seen if engine == "compiled" else None
    about_states = options.heuristic != "auto" and Kind.PLAIN not in HEURISTICS[options.heuristic]
    setting: PlainSetting | BeliefSetting = PlainSetting(seen)
    if compiled or about_states:
        run.budget.require_kernels()
        from ..heuristics.state_graph import BeliefSetting

        setting = BeliefSetting(seen, run.budget.tick, run.budget.seconds_left)
    name = _named_solver(seen, options) or _solver_for(seen, setting, options, compiled is not None)
    if compiled is not None and name == "bidirectional" and options.solver == "auto":
        return partial(_search_in_turns, run=run), [], {}, None
    function = SOLVERS[name].functions[Kind.SENSORLESS]
    keywords = keywords_of(name, options, run, engine)
    if compiled is not None:
        function, more = _compiled_form(name, function, options, compiled, run)
        keywords |= more
    elif options.dominance:
        keywords["dominance"] = ListedDominance(seen)
    if not SOLVERS[name].informed:
        return function, [], keywords, None
    heuristic = options.heuristic
    if heuristic == "auto":
        heuristic = "best" if compiled is not None else "own" if seen.has_heuristic() else "none"
    estimate = HEURISTICS[heuristic][Kind.SENSORLESS](setting, None)
    return function, [estimate], keywords, heuristic


def _search_in_turns(seen: CompiledView[Any, Action], run: Run) -> SearchResult[Action]:
    """Search from both ends, or breadth-first once large antichains make that likely to be quicker.

    If the second becomes too large as well, the first is taken up again without a bound: it needs less memory.
    """
    from ..engine.compiled.bidirectional import array_bidirectional_search
    from ..engine.compiled.breadth_first import array_breadth_first_search

    def attempt(name: str, search: Callable[..., SearchResult[Action]], **most: Any) -> SearchResult[Action]:
        """Search; if that is known not to suffice, or turns out not to, raise `EffortExceeded`."""
        own = run.saved_as(name)
        checkpoint = own.checkpoint
        if checkpoint is not None and checkpoint.is_over:
            seen.max_belief_size = max(seen.max_belief_size, checkpoint.number("max_belief_size"))
            raise EffortExceeded
        try:
            return search(seen, run=own, **most)
        except EffortExceeded:
            if checkpoint is not None:
                checkpoint.give_up({"max_belief_size": seen.max_belief_size})
            raise

    known: SearchResult[Action] | None = None
    try:
        return attempt("both-ends", array_bidirectional_search, most=_COMPARED)
    except EffortExceeded as exceeded:
        known = exceeded.stopped
    memory = run.budget.limits.memory
    room = _REACHED if memory is None else min(_REACHED, memory // 4)
    try:
        result = attempt("breadth-first", array_breadth_first_search, most_bytes=room)
    except EffortExceeded:
        result = attempt("both-ends-to-the-end", array_bidirectional_search)
    return _better_plan(result, known) or result


def _compiled_form(
    name: str, function: Any, options: PathOptions, seen: CompiledView[Any, Any], run: Run
) -> tuple[Any, dict[str, Any]]:
    """Return the compiled counterpart of a solver, with the keywords that it takes beside the others."""
    from ..engine.compiled.bidirectional import array_bidirectional_search
    from ..engine.compiled.breadth_first import array_breadth_first_search
    from ..engine.compiled.frontier import array_sides
    from ..engine.compiled.set_index import ArrayDominance

    if name == "bidirectional":
        return array_bidirectional_search, {}
    if SOLVERS[name].layered:
        return function, {"sides": array_sides}
    if options.dominance:
        return function, {"dominance": ArrayDominance(seen.model.width)}
    if name == "breadth-first" and not run.hears_states():
        if run.checkpoints is not None:
            from ..engine.counting.disk_breadth_first import stored_breadth_first_search

            return stored_breadth_first_search, {}
        return array_breadth_first_search, {}
    return function, {}


def _solver_for(
    seen: BeliefView[Any, Any, Any], setting: PlainSetting | BeliefSetting, options: PathOptions, compiled: bool
) -> str:
    if not seen.has_unit_costs():
        return "astar" if compiled else "uniform-cost"
    if not compiled:
        return "breadth-first"
    return "astar" if options.dominance or _says_much(setting, seen) else "bidirectional"


def _says_much(setting: PlainSetting | BeliefSetting, seen: BeliefView[Any, Any, Any]) -> bool:
    """Whether the estimate of the start makes A* look better than a search from both ends.

    That is so if it proves at once that there is no plan, or if weights say anything: where states merge,
    which is what searching from both ends lives on, they are all 0.
    """
    start = seen.initial_state()
    for name in ("full-observability", "pairwise", "potential"):
        with suppress(TooDear):
            estimate = HEURISTICS[name][Kind.SENSORLESS](setting, AFFORDABLE)(start)
            if estimate == inf or (name == "potential" and estimate > 0):
                return True
    return False
