"""Contingent problems: the choice of view, heuristic and solver, and small searches before large ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from typing import Any

from attrs import evolve

from ..belief_space.and_or import AndOrProblem, KnownPart
from ..belief_space.contingent import ContingentView, WeightedView
from ..belief_space.seen_states import SeenStates
from ..engine.bits.bitset import mask_of
from ..engine.bits.contingent import BitsetContingentView, StatesMerge
from ..engine.bits.numbered_model import StartPairs, has_more_in_arrays
from ..engine.bits.sensorless import STEPS_OF_RESULT
from ..engine.bits.strong_cyclic import beliefs_to_keep_to, plan_for_every_state
from ..engine.factored.view import BlocksView
from ..engine.views import contingent_view_of
from ..errors import BeliefSearchError, ProblemError
from ..heuristics.registry import HEURISTICS
from ..kinds import Kind
from ..model.base import Action, State
from ..model.factor import Facts
from ..model.hooks import BeliefClassHook, DistinctActionsHook, FactoredHook, FutureHook, blocks_of
from ..model.problem import BeliefProblem
from ..model.reachability import are_certain
from ..model.stochastic import ALMOST_SURE
from ..plans.result import SearchResult, Status
from ..running.limits import Budget
from ..running.run import Record, Run
from ..solvers.contingent.and_or_graph import and_or_graph_search
from ..solvers.path.lazy_best_first import Guide
from ..verify.plan import check_plan
from .expected_cost import search_for_mean
from .guessing_games import distinguishes_in_arrays, keep_early_tree, search_for_worst_on_table
from .interleaved_and_or import Turn, Turns, WholeGraph
from .options import AndOrOptions
from .outcome import explained
from .solver_table import SOLVERS

# `auto` searches within bounds for this many elementary steps, a thirtieth of a second's worth; then it draws the whole
# AND-OR graph, which decides everything, in plain Python, unless that takes more than the second number; then it looks
# for an outcome table, on which it would go on to the end; then within bounds, as far as the third number,
# and with whatever estimate is worth its while as far as the fourth. Then the graph is drawn on arrays, as far as the
# second number allows there; and so on with the last two numbers, and at last within bounds.
_TINY = 300_000
_SMALL = 1_500_000
_PLAIN = 5_000_000
_ESTIMATED = 10_000_000
_MEDIUM = 150_000_000
_LARGE = 400_000_000
_FIRST: tuple[Turn, ...] = (Turn(False, _TINY), Turn(True, _SMALL, arrays=False))
_WITHIN_BOUNDS: tuple[Turn, ...] = (Turn(False, _PLAIN), Turn(False, _ESTIMATED))
_LATER = (*_WITHIN_BOUNDS, Turn(True, _SMALL), Turn(False, _MEDIUM), Turn(True, _LARGE), Turn(False, None))
# A search that is greedy, and need not be optimal, gives a plan soon: before all but the small searches where relaxed
# plans guide it, else when all but the last have not sufficed.
_GREEDY = "closed-loop-greedy"
# More starts are not listed where a search by blocks can do without.
_FEW_STARTS = 2_000
# With more pairs of a start and an action sets of futures come first.
_MANY_FUTURES = 2_000
# So many blocks are no help: one, and perhaps one that is certain.
_WHOLE = 2
_OURS = __name__.partition(".")[0]


def search(
    problem: BeliefProblem[Any, Action, Any], options: AndOrOptions, run: Run, record: Record[Any, Action]
) -> SearchResult[Action]:
    """Find a conditional plan for a belief problem (see `solve`)."""
    with _hooks_blamed(problem):
        budget = run.budget
        engine = "bits" if options.engine == "auto" else options.engine
        result = None
        tried: list[str] = []
        with record:
            if _goes_by_blocks(problem, options, run):
                engine = "factored"
            view = contingent_view_of(
                problem, engine=engine, expected=options.objective == "expected", budget=budget, observer=run.listener
            )
            attempts = _attempts(view, options, run, record, tried, options.engine)
            while result is None:
                try:
                    result = next(attempts)()
                except StatesMerge:
                    # Equally likely starts have come together in one state, so that states need weights.
                    view, engine = WeightedView(problem, budget.tick), "naive"
                    attempts = _attempts(view, options, run, record, tried, "bits")
            result = evolve(result, stats=evolve(result.stats, max_belief_size=view.max_belief_size))
        result = record.undecided() if result is None else record.or_kept(result)
        result = evolve(result, engine=result.engine or engine, objective=options.objective)
        result = explained(result, tried, problem, Kind.CONTINGENT)
        if result.plan is not None and result.plan.is_cyclic:
            checked = None
            with record:
                checked = _known_to_hold(problem, result, budget)
            reason = "the search was stopped while its plan was being checked"
            result = checked or evolve(
                result, status=Status.UNDECIDED, plan=None, cost=None, lower_bound=0, reason=reason
            )
        if result.plan is None or not problem.is_sensorless():
            return result
        return evolve(result, plan=result.plan.as_sequence())


def _goes_by_blocks(problem: BeliefProblem[Any, Any, Any], options: AndOrOptions, run: Run) -> bool:
    """Whether the starts, which are too many for any search but one, are taken block by block."""
    asks_otherwise = options.engine != "auto" or options.objective != "worst" or options.dominance
    asks_otherwise |= options.heuristic != "auto" or options.solver not in ("auto", _GREEDY)
    if asks_otherwise or not isinstance(problem, FactoredHook) or not run.budget.has_room_for_kernels():
        return False
    blocks = blocks_of(problem)
    if blocks is None or problem.count_starts() <= _FEW_STARTS:
        return False
    return problem.has_adversary() or are_certain(blocks, run.tick)


@contextmanager
def _hooks_blamed(problem: BeliefProblem[Any, Any, Any]) -> Iterator[None]:
    """Name the hooks that may have lied where an answer contradicts itself, since a search takes their word."""
    lying = [
        f"{method}()"
        for hook, method in ((BeliefClassHook, "belief_class"), (DistinctActionsHook, "distinct_actions"))
        if isinstance(problem, hook)
    ]
    try:
        yield
    except (KeyError, ValueError, ProblemError) as error:
        raised = error.__traceback__
        while raised is not None and raised.tb_next is not None:
            raised = raised.tb_next
        if not lying or raised is None or raised.tb_frame.f_globals.get("__package__", "").split(".")[0] != _OURS:
            raise
        if isinstance(error, ProblemError) and "not admissible" not in str(error):
            raise
        doubt = "" if not problem.has_heuristic() else "; so may heuristic()"
        raise ProblemError(
            f"the answer contradicts itself, so {type(problem).__name__}.{' or '.join(lying)} must be wrong{doubt}: "
            "`beliefsearch check` shows where (in Python, check_problem)"
        ) from error


def _known_to_hold(
    problem: BeliefProblem[Any, Action, Any], result: SearchResult[Action], budget: Budget
) -> SearchResult[Action]:
    """Return a result with a cyclic plan, once its plan is known to win from every state; or another, or none."""
    if check_plan(problem, result.require_conditional_plan()).holds:
        return result
    # In the graph of beliefs the player gets on from every belief, but perhaps not in every state of it.
    view = BitsetContingentView[Any, Action](problem, budget.tick)
    root, kept = view.initial_node(), beliefs_to_keep_to(view, budget.tick)
    if root not in kept:
        return evolve(result, status=Status.UNSOLVABLE, plan=None, cost=inf, lower_bound=inf)
    rest = KnownPart(view, lambda belief: False, lambda belief: belief not in kept, budget.tick)
    found: SearchResult[Action] = and_or_graph_search(rest, run=Run(budget))
    if found.plan is not None and check_plan(problem, found.plan.as_conditional()).holds:
        return evolve(result, plan=found.plan)
    return evolve(result, plan=plan_for_every_state(view, kept, budget.tick))


def solve_from(
    problem: BeliefProblem[State, Action, Any],
    belief: frozenset[State],
    budget: Budget,
    *,
    allowance: int | None = None,
) -> SearchResult[Action]:
    """Find the plan of least worst-case cost from `belief` instead of the initial belief.

    With an `allowance` it is a search within bounds, which raises `EffortExceeded` if it takes more elementary steps.
    """
    run = Run(budget)
    record: Record[Any, Action] = run.record("auto")
    with record:
        view = _FromBelief(problem, belief, budget.tick)
        turns = Turns(view, WholeGraph(view, "bits", run), run)
        if allowance is None:
            return turns.search(*_FIRST, *_LATER)
        first = min(_TINY, allowance)
        return turns.search(Turn(False, first), Turn(False, allowance - first))
    return record.undecided()


class _FromBelief(BitsetContingentView[State, Action]):
    """View of a problem with another initial belief."""

    def __init__(
        self, problem: BeliefProblem[State, Action, Any], belief: frozenset[State], tick: Callable[[], None]
    ) -> None:
        super().__init__(problem, tick)
        self._belief = belief

    def initial_node(self) -> int:
        return mask_of(self.model.number(state) for state in sorted(self._belief, key=repr))


def _attempts(
    view: AndOrProblem[Any, Action],
    options: AndOrOptions,
    run: Run,
    record: Record[Any, Action],
    tried: list[str],
    engine: str,
) -> Iterator[Callable[[], SearchResult[Action] | None]]:
    """Yield searches in the order in which they are tried; one gives None if it does not suffice."""
    name = options.solver
    by_name = partial(_run, view, options, run=run)
    if options.solver == options.engine == options.heuristic == "auto" and not run.hears_states():
        if isinstance(view, BitsetContingentView) and _has_many_futures(view.problem, options, run):
            yield partial(_search_futures, view.problem, run)
        else:
            yield partial(keep_early_tree, view, run, record)
    if not isinstance(view, ContingentView):
        yield partial(_by_blocks, view, partial(by_name, _GREEDY if name == "auto" else name))
        return
    whole = WholeGraph(view, engine, run)
    if options.objective == "expected":
        yield partial(search_for_mean, view, options, run, by_name)
    if name == "and-or-graph" or engine == "compiled":
        yield whole.search
    if name not in ("auto", "and-or"):
        yield partial(_unless_plans_keep_trying, view, partial(by_name, name))
    if options.heuristic == "auto" and isinstance(view, BitsetContingentView):
        turns = Turns(view, whole, run, dominance=options.dominance, tried=tried)
        if name == "and-or" or options.dominance:
            yield partial(turns.search, Turn(False, _TINY), Turn(False, None))
        first, later = _FIRST, _LATER
        if engine == "auto" and not run.hears_states():
            if isinstance(view.problem, FutureHook) and run.budget.has_room_for_kernels():
                tiny = partial(turns.search, Turn(False, _TINY), or_none=True)
                yield partial(_with_reasons, view.problem, tiny, run)
                yield partial(_search_futures, view.problem, run)
            # A large table is given in arrays, and the small searches would ask for all of it, one by one. But it need
            # not be made where it is known at once how much percepts can tell, and a greedy probe finds a plan as good.
            is_large = has_more_in_arrays(view.problem, _SMALL // STEPS_OF_RESULT)
            if not is_large or distinguishes_in_arrays(view, run.budget):
                yield partial(turns.search, *(first[:1] if is_large else first), or_none=True)
                yield partial(_announced, turns, record)
                if is_large:
                    yield partial(turns.search, *_WITHIN_BOUNDS, or_none=True)
                first = ()
            yield partial(_on_table, view, turns, run)
        if name == "auto" and not options.dominance:
            is_guided = _facts_of(view, options) is not None
            soon = first if is_guided else (*first, *later[:-1])
            if soon:
                yield partial(turns.search, *soon, or_none=True)
            greedy = partial(by_name, _GREEDY, soon=True)
            yield partial(turns.plan_soon, greedy, _MEDIUM, may_try=options.objective == ALMOST_SURE)
            first, later = (), later if is_guided else later[-1:]
        yield partial(turns.search, *first, *later)
    if name == "auto" and options.heuristic == "auto" and not options.dominance:
        yield whole.search  # a view on frozensets counts no steps
    yield partial(_unless_plans_keep_trying, view, partial(by_name, "and-or"))
    yield whole.search  # where plans that keep trying are seen


def _unless_plans_keep_trying(
    view: ContingentView[Any, Any, Action], search: Callable[[], SearchResult[Action]]
) -> SearchResult[Action] | None:
    """Search for a plan that is sure to end; None if there is none, but one that keeps trying might win."""
    result = search()
    return result if result.lower_bound < inf or not view.may_keep_trying() else None


def _by_blocks(view: AndOrProblem[Any, Action], search: Callable[[], SearchResult[Action]]) -> SearchResult[Action]:
    """Search for a plan that is sure to end; of one that keeps trying nobody could tell, without states, if it wins."""
    result = search()
    is_cyclic = result.plan is not None and result.plan.is_cyclic
    if not is_cyclic and (result.lower_bound < inf or not view.may_keep_trying()):
        return result
    reason = "no plan is sure to end, and whether one that keeps trying wins is not known; the engine bits may tell"
    return evolve(result, status=Status.UNDECIDED, plan=None, cost=None, lower_bound=0, reason=reason)


def _announced(turns: Turns[Any], record: Record[Any, Any]) -> SearchResult[Any] | None:
    """Announce the plan that is kept; return the answer if it costs no more than is proved."""
    record.announce()
    found = turns.with_all_known(evolve(record.undecided(), solver="and-or"))
    return found if found.optimal else None


def _on_table(view: BitsetContingentView[Any, Any], turns: Turns[Any], run: Run) -> SearchResult[Any] | None:
    found = search_for_worst_on_table(view, run)
    return None if found is None else turns.with_all_known(found)


def _with_reasons(
    problem: BeliefProblem[Any, Any, Any], search: Callable[[], SearchResult[Any] | None], run: Run
) -> SearchResult[Any] | None:
    """Search; where there is no plan, say why as sets of futures do."""
    result = search()
    if result is None or result.status is not Status.UNSOLVABLE or (why := _search_futures(problem, run)) is None:
        return result
    return evolve(result, reason=why.reason, grounds=why.grounds)


def _has_many_futures(problem: BeliefProblem[Any, Any, Any], options: AndOrOptions, run: Run) -> bool:
    """Whether sets of futures come first: to load their kernels takes less than to number the states."""
    if not isinstance(problem, FutureHook) or options.objective != "worst" or options.dominance:
        return False
    return run.budget.has_room_for_kernels() and StartPairs(problem, run.tick).exceed(_MANY_FUTURES)


def _search_futures(problem: BeliefProblem[Any, Any, Any], run: Run) -> SearchResult[Any] | None:
    """Return the answer on sets of futures; None if the problem is none of those, or it might never end."""
    from ..engine.futures.restarts import search_with_restarts
    from ..engine.futures.search import search_futures

    return search_with_restarts(problem, run) or search_futures(problem, run)


def _run(
    view: AndOrProblem[Any, Action],
    options: AndOrOptions,
    name: str,
    *,
    run: Run,
    heard: bool = True,
    **keywords: Any,
) -> SearchResult[Action]:
    """Run the solver with this name, with an estimate if it takes one; `heard` is whether the observer hears it."""
    run = run if heard else Run(run.budget)
    entry = SOLVERS[name]
    function = partial(entry.functions[Kind.CONTINGENT], **keywords)
    if not entry.informed:
        plain: SearchResult[Action] = function(view, run=run)
        return plain
    facts = _facts_of(view, options)
    is_guided = isinstance(view, BlocksView) or facts is not None
    if entry.guided and options.heuristic == "auto" and is_guided:
        run.budget.require_kernels()
        if isinstance(view, BitsetContingentView):
            if facts is not None and facts.rules is not None and view.shows_states:
                view = SeenStates(view.problem, facts.rules, view.spend)
            elif len(blocks := blocks_of(view.problem) or ()) > _WHOLE:
                view = BlocksView(view.problem, blocks, run.tick)
        used = "factored" if isinstance(view, BlocksView) else None
        return evolve(function(view, **_relaxed_plans(view, facts), run=run), heuristic="relaxed-plan", engine=used)
    heuristic = options.heuristic if options.heuristic != "auto" else "best"
    if isinstance(view, BlocksView):
        heuristic = "none"
    elif (
        isinstance(view, ContingentView)
        and not isinstance(view, BitsetContingentView)
        and heuristic not in ("none", "own")
    ):
        if options.heuristic not in ("auto", "best"):
            needs = "the engine bits" if options.engine == "naive" else "equally likely states that never become one"
            raise BeliefSearchError(f"the heuristic {heuristic} needs {needs}; choose best or none")
        heuristic = "own" if view.problem.has_heuristic() else "none"
    estimate = HEURISTICS[heuristic][Kind.CONTINGENT](view, None)
    if entry.guided:
        return evolve(function(view, _guide_by(estimate, view), run=run), heuristic=heuristic)
    dominance = {"dominance": True} if options.dominance else {}
    result: SearchResult[Action] = function(view, estimate, run=run, **dominance)
    return evolve(result, heuristic=heuristic)


def _facts_of(view: Any, options: AndOrOptions) -> Facts[Any] | None:
    """Return the facts that guide through a view of whole beliefs, if there are some, and kernels are not refused."""
    problem = view.problem if isinstance(view, BitsetContingentView) and options.engine != "bits" else None
    return problem.facts() if isinstance(problem, FactoredHook) else None


def _relaxed_plans(view: Any, facts: Facts[Any] | None) -> dict[str, Any]:
    """Return the guides through a view by relaxed plans, by the solver's names for them."""
    from ..engine.factored.relaxed_percepts import RelaxedStates, percepts_of_blocks, percepts_of_whole

    if isinstance(view, BlocksView):
        return {"guide": percepts_of_blocks(view)}
    if isinstance(view, SeenStates):
        return {"guide": (guide := RelaxedStates(view)), "toward": guide.toward}
    assert facts is not None, "only who has facts is guided by them"
    return {"guide": percepts_of_whole(view, facts)}


def _guide_by(estimate: Callable[[Any], Any], view: AndOrProblem[Any, Any]) -> Guide[Any, Any]:
    """Return the guide by an estimate, and by how little is uncertain."""
    return lambda belief: ((float(estimate(belief)), float(view.size(belief))), ())
