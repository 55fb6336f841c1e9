"""Contingent problems whose least expected cost is sought: which searches are tried, and in what order."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Any

from attrs import evolve

from ..belief_space.contingent import ContingentView
from ..engine.bits.contingent import BitsetContingentView
from ..engine.bits.numbered_model import MOST_ASKED, has_more_in_arrays
from ..engine.bits.sensorless import STEPS_OF_RESULT
from ..errors import BeliefSearchError
from ..kinds import Kind
from ..plans.result import SearchResult, Status
from ..running.limits import Budget, Outgrown
from ..running.observer import Observer
from .options import SearchRequest
from .solver_table import SOLVERS

# The graph of all beliefs tells whether there is a plan, unless it takes more elementary steps than this, about a third
# of a second's worth; it is tried again with the second number, and with ever larger ones.
_SMALL = 3_000_000
_MEDIUM = 150_000_000


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
    free = name == "auto" and request.engine == "auto" and request.heuristic == "auto"
    if not free or (observer is not None and observer.hears_states()):
        return _in_turns(view, run, None)
    return _in_turns(
        view, run, lambda: _by_partitions(view, budget, observer) if budget.has_room_for_kernels() else None
    )


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
    if by_table is not None and has_more_in_arrays(view.problem, _SMALL // STEPS_OF_RESULT):
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


def _by_partitions(
    view: ContingentView[Any, Any, Any], budget: Budget, observer: Observer | None
) -> SearchResult[Any] | None:
    """The answer by a table of what actions tell; None if the problem is not one whose actions do no more than that."""
    if not isinstance(view, BitsetContingentView):
        return None
    from ..engine.guessing.game import partition_view_of

    view.initial_node()  # raises `StatesMerge`
    # A view of its own, in which actions may have several results.
    divided = partition_view_of(BitsetContingentView(view.problem, budget.tick), budget.tick, MOST_ASKED)
    if divided is None:
        return None
    function = SOLVERS["expected-partitions"].functions[Kind.CONTINGENT]
    found: SearchResult[Any] = function(divided, budget=budget, observer=observer)
    return evolve(found, engine="compiled")
