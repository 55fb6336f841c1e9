"""Contingent problems whose least expected cost is sought: which searches are tried, and in what order."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any

from attrs import evolve

from ..engine.bits.contingent_view import BitsetContingentView
from ..engine.bits.int_beliefs import STEPS_OF_RESULT
from ..errors import BeliefSearchError
from ..kinds import Kind
from ..model.hooks import PerceptArrayHook
from ..model.problem import BeliefProblem
from ..plans.result import SearchResult, Status
from ..running.limits import Budget, LimitReached, Outgrown
from ..running.observer import Observer
from ..solvers.registry import SOLVERS
from ..views.contingent import ContingentView
from .request import SearchRequest

# The graph of all beliefs tells whether there is a plan, unless it takes more elementary steps than this, about a third
# of a second's worth; it is tried again with the second number, and with ever larger ones.
_SMALL = 3_000_000
_MEDIUM = 150_000_000

# To make a table of what actions tell, no more pairs of a state and an action are asked about one by one.
_MOST_ASKED = 2_000_000


def search_for_mean(
    view: ContingentView[Any, Any, Any],
    request: SearchRequest,
    name: str,
    run: Callable[..., SearchResult[Any]],
    budget: Budget,
    observer: Observer | None,
) -> SearchResult[Any]:
    """Find a conditional plan of least expected cost by the solver called `name`, or "auto"; `run` runs others."""
    if name == "expected-partitions":
        budget.require_kernels()
        found = _by_partitions(view, budget, observer)
        if found is None:
            raise BeliefSearchError(
                "the solver expected-partitions is for problems in which actions only tell equally likely starts "
                "apart, or win them, at the same whole cost for all; choose expected-and-or"
            )
        return found
    alone = name == "auto" and request.engine == "auto" and request.heuristic == "auto"
    by_table = partial(_if_there_is_room, view, budget, observer)
    if alone and not (observer is not None and observer.hears_states()):
        return _in_turns(view, run, by_table)
    return _in_turns(view, run, None)


def _in_turns(
    view: ContingentView[Any, Any, Any],
    run: Callable[..., SearchResult[Any]],
    by_table: Callable[[], SearchResult[Any] | None] | None,
) -> SearchResult[Any]:
    """Search for the least expected cost, after making sure that there is a plan; else this might never end.

    The graph that tells, and the search itself, take turns. Either ends on any finite problem that it has room for:
    the graph because it looks at everything once, the search because it does where there is a plan. If neither ends
    soon, it is first tried whether the problem is one for `by_table`, which is much faster.
    """
    allowance = _SMALL
    if by_table is not None and pairs_in_arrays(view.problem) > _SMALL // STEPS_OF_RESULT:
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


def _allow(view: ContingentView[Any, Any, Any], allowance: int | None) -> None:
    """Allow a view so many elementary steps; a view on frozensets does not count them."""
    if isinstance(view, BitsetContingentView):
        view.set_allowance(allowance)


def pairs_in_arrays(problem: BeliefProblem[Any, Any, Any]) -> int:
    """How many pairs of a start and an action there are, where the author gives what they lead to in arrays; else 0."""
    if not isinstance(problem, PerceptArrayHook) or problem.all_states() is None:
        return 0
    starts = tuple(problem.initial_states())
    return len(starts) * len(tuple(problem.actions(starts[0])))


def _if_there_is_room(
    view: ContingentView[Any, Any, Any], budget: Budget, observer: Observer | None
) -> SearchResult[Any] | None:
    """The answer by a table, unless the memory limit leaves no room for compiled kernels."""
    try:
        budget.require_kernels()
    except LimitReached:
        return None
    return _by_partitions(view, budget, observer)


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
