"""The front door for problems with percepts: picks a view, a heuristic and a solver whose plans may branch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ..engine.bits.bitset import mask_of
from ..engine.bits.contingent_view import BitsetContingentView, StatesMerge
from ..engine.bits.keeping_on import beliefs_to_keep_to, plan_for_every_state
from ..errors import BeliefSearchError
from ..heuristics.contingent import capacity, own_estimate, perfect_sight
from ..model.checked import checked_estimate
from ..model.problem import Action, BeliefProblem, State
from ..plans.plan import ConditionalPlan
from ..plans.result import SearchResult, Status
from ..running.limits import Budget, Outgrown, TooDear
from ..running.record import Record
from ..solvers.and_or.known_part import KnownPart
from ..solvers.path.estimate import maximum, no_estimate
from ..solvers.registry import SOLVERS, and_or_graph_search
from ..verify.conditional import check_conditional_plan
from ..views.contingent import ContingentView, FrozensetContingentView
from ..views.weighted import WeightedView
from .request import SearchRequest, find_solver

if TYPE_CHECKING:
    from ..model.problem import Cost
    from ..running.observer import Observer

__all__ = ["solve_contingent", "solve_from"]

# `auto` draws the whole AND-OR graph, which decides everything, unless that takes more elementary steps than this,
# about a third of a second's worth; then it searches within bounds, for the second number of steps at the most;
# then it draws the graph after all, unless that takes more than the third.
_SMALL = 3_000_000
_MEDIUM = 150_000_000
_LARGE = 400_000_000
# An estimate is affordable if it asks about no more pairs of a state and an action: some seconds' worth for what
# percepts can tell, without which a search that they matter to is hopeless, and a second's for perfect sight.
_AFFORDABLE = {perfect_sight: 200_000, capacity: 1_000_000}

# What is made for each heuristic of `WITH_PERCEPTS`, beside the author's own.
_ESTIMATES: Mapping[str, Sequence[Callable[..., Callable[[Any], Cost]]]] = {
    "best": (perfect_sight, capacity),
    "perfect-sight": (perfect_sight,),
    "capacity": (capacity,),
}


def solve_contingent(
    problem: BeliefProblem[Any, Action, Any], request: SearchRequest, budget: Budget, observer: Observer | None
) -> SearchResult[Action]:
    """Solve a belief problem by a plan that may branch on percepts (see `solve`)."""
    record: Record[Any, Action] = Record(request.solver, None, budget, observer)
    engine = "bits" if request.engine == "auto" else request.engine
    result = None
    with record:
        view = _view_of(problem, engine, request.objective, budget, observer)
        try:
            result = _search(view, request, budget, observer)
        except StatesMerge:
            # Equally likely starts have come together in one state, so that states need weights.
            view, engine = WeightedView(problem, budget.tick), "naive"
            result = _search(view, request, budget, observer)
        result = evolve(result, stats=evolve(result.stats, max_belief_size=view.max_belief_size))
    if result is None:
        result = record.undecided()
    result = evolve(result, engine=engine, objective=request.objective)
    if not isinstance(result.plan, ConditionalPlan):
        return result
    if result.plan.is_cyclic:
        checked = None
        with record:
            checked = _known_to_hold(problem, result, budget)
        result = checked or _no_longer_solved(result, "the search was stopped while its plan was checked")
    if not isinstance(result.plan, ConditionalPlan):
        return result
    return evolve(result, plan=result.plan.as_sequence()) if problem.is_sensorless() else result


def _known_to_hold(
    problem: BeliefProblem[Any, Action, Any], result: SearchResult[Action], budget: Budget
) -> SearchResult[Action]:
    """The result whose plan keeps trying, if that wins from every state; or another plan that does; or no plan."""
    assert isinstance(result.plan, ConditionalPlan)
    if check_conditional_plan(problem, result.plan).holds:
        return result
    # In the graph of beliefs the player gets on from every belief, but perhaps not in every state of it.
    view = BitsetContingentView[Any, Action](problem, budget.tick)
    root, kept = view.initial_node(), beliefs_to_keep_to(view, budget.tick)
    if root not in kept:
        return evolve(result, status=Status.UNSOLVABLE, plan=None, cost=inf, lower_bound=inf)
    record: Record[Any, Action] = Record("and-or-graph", view, budget, None)
    rest = KnownPart(view, lambda belief: False, lambda belief: belief not in kept, record)
    found: SearchResult[Action] = and_or_graph_search(rest, budget=budget)
    if isinstance(found.plan, ConditionalPlan) and check_conditional_plan(problem, found.plan).holds:
        return evolve(result, plan=found.plan)
    return evolve(result, plan=plan_for_every_state(view, kept, budget.tick))


def _no_longer_solved(result: SearchResult[Action], reason: str) -> SearchResult[Action]:
    return evolve(result, status=Status.UNDECIDED, plan=None, cost=None, lower_bound=0, reason=reason)


def solve_from(
    problem: BeliefProblem[State, Action, Any],
    belief: frozenset[State],
    budget: Budget,
    *,
    most_steps: int | None = None,
) -> SearchResult[Action]:
    """The best plan, by the worst case, from `belief` instead of the initial one.

    Raises
    ------
    Outgrown
        If a search within bounds takes more than `most_steps` elementary steps; None: it may take as many as it likes.
    """
    record: Record[Any, Action] = Record("auto", None, budget, None)
    request = SearchRequest("auto", "auto", None, dominance=False, engine="bits")
    with record:
        view = _FromBelief(problem, belief, budget.tick)
        if most_steps is None:
            return _search(view, request, budget, None)
        view.set_allowance(most_steps)
        return _search_within_bounds(view, request, budget, None)
    return record.undecided()


class _FromBelief(BitsetContingentView[State, Action]):
    """A problem that begins with another belief."""

    def __init__(
        self, problem: BeliefProblem[State, Action, Any], belief: frozenset[State], tick: Callable[[], None]
    ) -> None:
        super().__init__(problem, tick)
        self._belief = belief

    def initial_node(self) -> int:
        return mask_of(map(self.model.number, sorted(self._belief, key=repr)))


def _view_of(
    problem: BeliefProblem[Any, Any, Any], engine: str, objective: str, budget: Budget, observer: Observer | None
) -> ContingentView[Any, Any, Any]:
    expected = objective == "expected"
    if engine == "naive":
        return WeightedView(problem, budget.tick) if expected else FrozensetContingentView(problem, budget.tick)
    numbered = observer.numbered if observer else lambda states: None
    return BitsetContingentView(problem, budget.tick, numbered, equally_likely=expected)


def _search(
    view: ContingentView[Any, Any, Action], request: SearchRequest, budget: Budget, observer: Observer | None
) -> SearchResult[Action]:
    name = "auto" if request.solver == "auto" else find_solver(request.solver)
    if request.objective == "expected":
        return _search_for_mean(view, request, budget, observer)
    if name not in ("auto", "and-or"):
        return _run(name, view, request, budget, observer)
    if name == "auto" and request.heuristic == "auto" and not request.dominance:
        if not isinstance(view, BitsetContingentView):
            return _run("and-or-graph", view, request, budget, observer)
        return _search_in_turns(view, request, budget, observer)
    return _search_within_bounds(view, request, budget, observer)


def _search_for_mean(
    view: ContingentView[Any, Any, Action], request: SearchRequest, budget: Budget, observer: Observer | None
) -> SearchResult[Action]:
    """The least expected cost, once it is known that there is a plan: else the search might never end.

    Whether the graph that tells, or the search itself, is the quicker cannot be told beforehand, so they take turns,
    each with more room than the time before. Either ends on any finite problem that it has room for: the graph
    because it looks at everything once, the search because it does where there is a plan.
    """
    if not isinstance(view, BitsetContingentView):
        graph = _run("and-or-graph", view, request, budget, None)
        return _without_plan(graph) or _run("expected-and-or", view, request, budget, observer)
    allowance = _SMALL
    while True:
        view.set_allowance(allowance)
        with suppress(Outgrown):
            found = _without_plan(_run("and-or-graph", view, request, budget, None))
            if found is not None:
                return found
            view.set_allowance(None)
            return _run("expected-and-or", view, request, budget, observer)
        allowance = max(_MEDIUM, 4 * allowance)
        view.set_allowance(allowance)
        with suppress(Outgrown):
            return _run("expected-and-or", view, request, budget, observer)


def _without_plan(graph: SearchResult[Action]) -> SearchResult[Action] | None:
    """The verdict, if the graph has no plan of finite cost."""
    if graph.lower_bound < inf:
        return None
    return evolve(graph, status=Status.UNSOLVABLE, plan=None, solver="expected-and-or")


def _search_in_turns(
    view: BitsetContingentView[Any, Action], request: SearchRequest, budget: Budget, observer: Observer | None
) -> SearchResult[Action]:
    """The whole graph, or a search within bounds, each with more room than the time before.

    Which is quicker cannot be told beforehand: the graph looks at everything once, and a search within bounds
    at little, but at that often.
    """
    view.set_allowance(_SMALL)
    with suppress(Outgrown):
        return _run("and-or-graph", view, request, budget, observer)
    view.set_allowance(_MEDIUM)
    with suppress(Outgrown):
        return _search_within_bounds(view, request, budget, observer)
    view.set_allowance(_LARGE)
    with suppress(Outgrown):
        return _run("and-or-graph", view, request, budget, observer)
    view.set_allowance(None)
    return _search_within_bounds(view, request, budget, observer)


def _search_within_bounds(
    view: ContingentView[Any, Any, Action], request: SearchRequest, budget: Budget, observer: Observer | None
) -> SearchResult[Action]:
    result = _run("and-or", view, request, budget, observer)
    if result.lower_bound < inf or not view.may_keep_trying():
        return result
    # Plans that keep trying are seen in the graph alone.
    return _run("and-or-graph", view, request, budget, observer)


def _run(
    name: str, view: ContingentView[Any, Any, Action], request: SearchRequest, budget: Budget, observer: Observer | None
) -> SearchResult[Action]:
    function = SOLVERS[name].for_percepts
    assert function is not None, "a request is checked before it is carried out"
    if not SOLVERS[name].informed:
        plain: SearchResult[Action] = function(view, budget=budget, observer=observer)
        return plain
    heuristic = request.heuristic if request.heuristic != "auto" else "best"
    if not isinstance(view, BitsetContingentView) and heuristic not in ("none", "own"):
        if request.heuristic not in ("auto", "best"):
            needs = "the engine bits" if request.engine == "naive" else "equally likely states that never become one"
            raise BeliefSearchError(f"the heuristic {heuristic} needs {needs}; choose best or none")
        heuristic = "own" if view.problem.has_heuristic() else "none"
    estimate = _estimate(view, heuristic)
    options = {"dominance": True} if request.dominance else {}
    result: SearchResult[Action] = function(view, estimate, budget=budget, observer=observer, **options)
    return evolve(result, heuristic=heuristic)


def _estimate(view: ContingentView[Any, Any, Any], name: str) -> Callable[[Any], Cost]:
    found: list[Callable[[Any], Cost]] = []
    if name in ("own", "best") and view.problem.has_heuristic():
        found.append(own_estimate(view) if isinstance(view, BitsetContingentView) else _own_estimate(view))
    for make in _ESTIMATES.get(name, ()):
        try:
            found.append(make(view, _AFFORDABLE[make] if name == "best" else None))
        except TooDear:
            if name != "best":
                raise BeliefSearchError(
                    f"the heuristic {name} needs costs of 1 and the same actions in every state; choose another"
                ) from None
    return maximum(found) if found else no_estimate


def _own_estimate(view: ContingentView[Any, Any, Any]) -> Callable[[Any], Cost]:
    """The author's estimates over frozensets: the largest of a member, which is no less than a mean."""
    if isinstance(view, WeightedView):
        return no_estimate
    return lambda belief: max(checked_estimate(view.problem, state) for state in view.members(belief))
