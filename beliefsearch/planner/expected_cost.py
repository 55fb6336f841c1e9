"""Searches for the least expected cost of a contingent problem, and the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any

from attrs import evolve

from ..belief_space.contingent import ContingentView
from ..engine.bits.contingent import BitsetContingentView
from ..engine.bits.numbered_model import has_more_in_arrays
from ..engine.bits.sensorless import STEPS_OF_RESULT
from ..errors import BeliefSearchError
from ..plans.result import SearchResult, Status
from ..running.limits import EffortExceeded
from ..running.run import Run
from .guessing_games import search_for_mean_on_table
from .options import AndOrOptions

# The graph of all beliefs tells whether there is a plan, unless it takes more elementary steps than this, about a third
# of a second's worth; it is tried again with the second number, and with ever larger ones.
_SMALL = 3_000_000
_MEDIUM = 150_000_000


def search_for_mean(
    view: ContingentView[Any, Any, Any], options: AndOrOptions, run: Run, by_name: Callable[..., SearchResult[Any]]
) -> SearchResult[Any]:
    """Find a conditional plan of least expected cost; `by_name` runs the solver of a name."""
    if options.solver == "expected-partitions":
        run.budget.require_kernels()
        found = search_for_mean_on_table(view, run)
        if found is None:
            raise BeliefSearchError(
                "the solver expected-partitions is for problems in which actions only tell equally likely starts "
                "apart, or win them, at the same cost for all; choose expected-and-or"
            )
        return found
    free = options.solver == "auto" and options.engine == "auto" and options.heuristic == "auto"
    if not free or run.hears_states():
        return _in_turns(view, by_name, None)
    by_table = partial(search_for_mean_on_table, view, run)
    return _in_turns(view, by_name, lambda: by_table() if run.budget.has_room_for_kernels() else None)


def _in_turns(
    view: ContingentView[Any, Any, Any],
    by_name: Callable[..., SearchResult[Any]],
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
        with suppress(EffortExceeded):
            _allow(view, allowance)
            graph = by_name("and-or-graph", heard=False)
            if graph.lower_bound == inf:
                return evolve(graph, status=Status.UNSOLVABLE, plan=None, solver="expected-and-or")
            _allow(view, None if by_table is None else allowance)
            return by_name("expected-and-or")
        if by_table is not None:
            _allow(view, None)
            found = by_table()
            if found is not None:
                return found
            by_table = None
            continue
        allowance = max(_MEDIUM, 4 * allowance)
        with suppress(EffortExceeded):
            _allow(view, allowance)
            return by_name("expected-and-or")


def _allow(view: ContingentView[Any, Any, Any], allowance: int | None) -> None:
    """Allow a view so many elementary steps; a view on frozensets does not count them."""
    if isinstance(view, BitsetContingentView):
        view.set_allowance(allowance)
