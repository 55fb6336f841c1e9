"""Contingent problems: the choice of view, heuristic and solver, and small searches before large ones."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any, TypeAlias

from attrs import evolve

from ..engine.bits.bitset import mask_of
from ..engine.bits.contingent_view import BitsetContingentView, StatesMerge
from ..engine.bits.int_beliefs import STEPS_OF_RESULT
from ..engine.bits.keeping_on import beliefs_to_keep_to, plan_for_every_state
from ..engine.choose import contingent_view_of
from ..errors import BeliefSearchError
from ..heuristics.registry import HEURISTICS
from ..kinds import Kind
from ..model.hooks import PerceptArrayHook
from ..model.problem import Action, BeliefProblem, State
from ..plans.result import SearchResult, Status
from ..running.limits import Budget, Outgrown
from ..running.observer import Observer
from ..running.record import Record
from ..solvers.and_or.graph import and_or_graph_search
from ..solvers.and_or.known_part import KnownPart
from ..solvers.registry import SOLVERS, find_solver
from ..verify.conditional import check_conditional_plan
from ..views.contingent import ContingentView
from ..views.weighted import WeightedView
from .request import SearchRequest

# `auto` draws the whole AND-OR graph, which decides everything, unless that takes more elementary steps than this,
# about a third of a second's worth; then it searches within bounds, for the second number of steps at the most;
# then it draws the graph after all, unless that takes more than the third.
_SMALL = 3_000_000
_MEDIUM = 150_000_000
_LARGE = 400_000_000

# To make a table of what actions tell, no more pairs of a state and an action are asked about one by one.
_MOST_ASKED = 2_000_000

# Runs the solver with this name on the view that it was made for.
_Run: TypeAlias = "Callable[..., SearchResult[Any]]"


def search(
    problem: BeliefProblem[Any, Action, Any],
    request: SearchRequest,
    budget: Budget,
    observer: Observer | None,
    record: Record[Any, Action],
) -> SearchResult[Action]:
    """Find a conditional plan for a belief problem (see `solve`)."""
    engine = "bits" if request.engine == "auto" else request.engine
    result = None
    with record:
        view = contingent_view_of(
            problem, engine=engine, expected=request.objective == "expected", budget=budget, observer=observer
        )
        try:
            result = _search(view, request, budget, observer)
        except StatesMerge:
            # Equally likely starts have come together in one state, so that states need weights.
            view, engine = WeightedView(problem, budget.tick), "naive"
            result = _search(view, request, budget, observer)
        result = evolve(result, stats=evolve(result.stats, max_belief_size=view.max_belief_size))
    if result is None:
        result = record.undecided()
    result = evolve(result, engine=result.engine or engine, objective=request.objective)
    if result.plan is not None and result.plan.is_cyclic:
        checked = None
        with record:
            checked = _known_to_hold(problem, result, budget)
        reason = "the search was stopped while its plan was being checked"
        result = checked or evolve(result, status=Status.UNDECIDED, plan=None, cost=None, lower_bound=0, reason=reason)
    if result.plan is None or not problem.is_sensorless():
        return result
    return evolve(result, plan=result.plan.as_sequence())


def _known_to_hold(
    problem: BeliefProblem[Any, Action, Any], result: SearchResult[Action], budget: Budget
) -> SearchResult[Action]:
    """A result with a cyclic plan, once its plan is known to win from every state; else with another plan, or none."""
    if check_conditional_plan(problem, result.require_conditional_plan()).holds:
        return result
    # In the graph of beliefs the player gets on from every belief, but perhaps not in every state of it.
    view = BitsetContingentView[Any, Action](problem, budget.tick)
    root, kept = view.initial_node(), beliefs_to_keep_to(view, budget.tick)
    if root not in kept:
        return evolve(result, status=Status.UNSOLVABLE, plan=None, cost=inf, lower_bound=inf)
    record: Record[Any, Action] = Record("and-or-graph", view, budget, None)
    rest = KnownPart(view, lambda belief: False, lambda belief: belief not in kept, record)
    found: SearchResult[Action] = and_or_graph_search(rest, budget=budget)
    if found.plan is not None and check_conditional_plan(problem, found.plan.as_conditional()).holds:
        return evolve(result, plan=found.plan)
    return evolve(result, plan=plan_for_every_state(view, kept, budget.tick))


def solve_from(
    problem: BeliefProblem[State, Action, Any],
    belief: frozenset[State],
    budget: Budget,
    *,
    most_steps: int | None = None,
) -> SearchResult[Action]:
    """The plan of least worst-case cost from `belief` instead of the initial belief.

    With `most_steps` it is a search within bounds, which raises `Outgrown` if it takes more elementary steps.
    """
    record: Record[Any, Action] = Record("auto", None, budget, None)
    request = SearchRequest(engine="bits")
    with record:
        view = _FromBelief(problem, belief, budget.tick)
        if most_steps is None:
            return _search(view, request, budget, None)
        view.set_allowance(most_steps)
        return _search_within_bounds(view, partial(_run, view, request, budget, observer=None))
    return record.undecided()


class _FromBelief(BitsetContingentView[State, Action]):
    """A problem with another initial belief."""

    def __init__(
        self, problem: BeliefProblem[State, Action, Any], belief: frozenset[State], tick: Callable[[], None]
    ) -> None:
        super().__init__(problem, tick)
        self._belief = belief

    def initial_node(self) -> int:
        return mask_of(map(self.model.number, sorted(self._belief, key=repr)))


def _search(
    view: ContingentView[Any, Any, Action], request: SearchRequest, budget: Budget, observer: Observer | None
) -> SearchResult[Action]:
    run = partial(_run, view, request, budget, observer=observer)
    name = "auto" if request.solver == "auto" else find_solver(request.solver)
    if request.objective == "expected":
        if name == "expected-partitions":
            return _search_partitions(view, budget, observer)
        alone = name == "auto" and request.engine == "auto" and request.heuristic == "auto"
        by_table = alone and (observer is None or not observer.hears_states())
        return _search_for_mean(view, run, partial(_by_partitions, view, budget, observer) if by_table else None)
    if name not in ("auto", "and-or"):
        return run(name)
    if name == "auto" and request.heuristic == "auto" and not request.dominance:
        by_table = request.engine == "auto" and (observer is None or not observer.hears_states())
        return _search_in_turns(view, run, partial(_search_on_table, view, budget, observer) if by_table else None)
    return _search_within_bounds(view, run)


# Which way is the quickest cannot be known beforehand, so the ways take turns with growing allowances until one
# suffices. An allowance counts elementary steps, and no time, so that the same call always gives the same answer.


def _search_for_mean(
    view: ContingentView[Any, Any, Any], run: _Run, by_table: Callable[[], SearchResult[Any] | None] | None
) -> SearchResult[Any]:
    """Search for the least expected cost, after making sure that there is a plan; else this might never end.

    The graph that tells, and the search itself, take turns. Either ends on any finite problem that it has room for:
    the graph because it looks at everything once, the search because it does where there is a plan. If neither ends
    soon, it is first tried whether the problem is one for `by_table`, which is much faster.
    """
    allowance = _SMALL
    if by_table is not None and _pairs_in_arrays(view.problem) > _SMALL // STEPS_OF_RESULT:
        # Before long the graph would ask about all pairs one by one.
        found = by_table()
        if found is not None:
            return found
        by_table = None
    while True:
        with suppress(Outgrown):
            _allow(view, allowance)
            graph = run("and-or-graph", observer=None)
            if graph.lower_bound == inf:
                return evolve(graph, status=Status.UNSOLVABLE, plan=None, solver="expected-and-or")
            _allow(view, None if by_table is None else allowance)
            return run("expected-and-or")
        if by_table is not None:
            _allow(view, None)
            found = by_table()
            if found is not None:
                return found
            by_table = None
            continue
        allowance = max(_MEDIUM, 4 * allowance)
        with suppress(Outgrown):
            _allow(view, allowance)
            return run("expected-and-or")


def _pairs_in_arrays(problem: BeliefProblem[Any, Any, Any]) -> int:
    """How many pairs of a start and an action there are, where the author gives what they lead to in arrays; else 0."""
    if not isinstance(problem, PerceptArrayHook) or problem.all_states() is None:
        return 0
    starts = tuple(problem.initial_states())
    return len(starts) * len(tuple(problem.actions(starts[0])))


def _by_partitions(
    view: ContingentView[Any, Any, Any], budget: Budget, observer: Observer | None
) -> SearchResult[Any] | None:
    """The answer by a table of what actions tell; None if the problem is not one whose actions do no more than that."""
    if not isinstance(view, BitsetContingentView):
        return None
    from ..engine.compiled.partition_view import partition_view_of

    view.initial_node()  # raises `StatesMerge`
    divided = None
    with suppress(Outgrown):
        # A view of its own, in which actions may have several results.
        divided = partition_view_of(BitsetContingentView(view.problem, budget.tick), budget.tick, _MOST_ASKED)
    if divided is None:
        return None
    function = SOLVERS["expected-partitions"].functions[Kind.CONTINGENT]
    found: SearchResult[Any] = function(divided, budget=budget, observer=observer)
    return evolve(found, engine="compiled")


def _search_partitions(
    view: ContingentView[Any, Any, Any], budget: Budget, observer: Observer | None
) -> SearchResult[Any]:
    found = _by_partitions(view, budget, observer)
    if found is None:
        raise BeliefSearchError(
            "the solver expected-partitions is for problems in which actions only tell equally likely starts apart, or "
            "win them, at the same whole cost for all; choose expected-and-or"
        )
    return found


def _search_in_turns(
    view: ContingentView[Any, Any, Any], run: _Run, by_table: Callable[[], SearchResult[Any] | None] | None
) -> SearchResult[Any]:
    """Alternate between a search of the whole graph and searches within bounds, which look at less, but repeatedly.

    If the graph is not drawn soon, or if there are arrays too large for it, `by_table` is tried, which is much faster.
    """
    if by_table is None or _pairs_in_arrays(view.problem) <= _SMALL // STEPS_OF_RESULT:
        with suppress(Outgrown):
            _allow(view, _SMALL)
            return run("and-or-graph")
    _allow(view, None)
    if by_table is not None and (found := by_table()) is not None:
        return found
    for whole, allowance in ((False, _MEDIUM), (True, _LARGE)):
        with suppress(Outgrown):
            _allow(view, allowance)
            return run("and-or-graph") if whole else _search_within_bounds(view, run)
    _allow(view, None)
    return _search_within_bounds(view, run)


def _search_on_table(
    view: ContingentView[Any, Any, Any], budget: Budget, observer: Observer | None
) -> SearchResult[Any] | None:
    """The least worst-case cost by a table of what actions tell; None if the problem is not of that kind."""
    if not isinstance(view, BitsetContingentView):
        return None
    from ..engine.compiled.worst_case import search_on_table, table_of_starts

    table = table_of_starts(view, budget.tick, _MOST_ASKED)
    return None if table is None else search_on_table(view, table, budget=budget, observer=observer)


def _allow(view: ContingentView[Any, Any, Any], allowance: int | None) -> None:
    """Allow a view so many elementary steps; a view on frozensets does not count them."""
    if isinstance(view, BitsetContingentView):
        view.set_allowance(allowance)


def _search_within_bounds(view: ContingentView[Any, Any, Any], run: _Run) -> SearchResult[Any]:
    result = run("and-or")
    if result.lower_bound < inf or not view.may_keep_trying():
        return result
    # Plans that keep trying are seen in the graph alone.
    return run("and-or-graph")


def _run(
    view: ContingentView[Any, Any, Action],
    request: SearchRequest,
    budget: Budget,
    name: str,
    *,
    observer: Observer | None,
) -> SearchResult[Action]:
    """Run the solver with this name, with an estimate if it takes one."""
    entry = SOLVERS[name]
    function = entry.functions[Kind.CONTINGENT]
    if not entry.informed:
        plain: SearchResult[Action] = function(view, budget=budget, observer=observer)
        return plain
    heuristic = request.heuristic if request.heuristic != "auto" else "best"
    if not isinstance(view, BitsetContingentView) and heuristic not in ("none", "own"):
        if request.heuristic not in ("auto", "best"):
            needs = "the engine bits" if request.engine == "naive" else "equally likely states that never become one"
            raise BeliefSearchError(f"the heuristic {heuristic} needs {needs}; choose best or none")
        heuristic = "own" if view.problem.has_heuristic() else "none"
    estimate = HEURISTICS[heuristic].makers[Kind.CONTINGENT](view, None)
    options = {"dominance": True} if request.dominance else {}
    result: SearchResult[Action] = function(view, estimate, budget=budget, observer=observer, **options)
    return evolve(result, heuristic=heuristic)
