"""Search from both ends on arrays: layer by layer at first, and under an upper bound once the layers grow large."""

from __future__ import annotations

from math import inf
from typing import Any

from attrs import evolve

from ...model.problem import Action
from ...plans.result import SearchResult
from ...running.limits import Budget
from ...running.observer import Observer
from ...running.record import Record
from ...solvers.path.belief_layers import Side, cheaper_side, layered_search
from .bounded import BoundedSearch
from .sensorless_view import CompiledView
from .side import array_sides

# Pairs of sets compared for a meeting, from which on it pays to look for an upper bound.
_LARGE = 1 << 20


def array_bidirectional_search(
    view: CompiledView[Any, Action],
    *,
    most: float = inf,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> SearchResult[Action]:
    """Find a plan with the fewest actions from both ends, as `bidirectional_belief_search` does.

    After about `most` comparisons of sets it raises `Outgrown`, if no upper bound was found by then; or when one was,
    but the rest is expected to take many minutes.
    """
    budget = budget or Budget()
    record: Record[Any, Action] = Record("bidirectional", view, budget, observer)
    bounded: BoundedSearch[Action] | None = None
    with record:
        ahead, behind, meeting = array_sides(view, budget.tick, most)

        def next_side(one: Side[Action], other: Side[Action]) -> Side[Action] | None:
            nonlocal bounded
            if bounded is None and len(one) * len(other) > _LARGE:
                bounded = BoundedSearch(view, ahead.depth, budget.tick, record, patient=most == inf)
                if bounded.find_plan():
                    return None
            return cheaper_side(one, other)

        record.watch(lambda: ahead.kept + behind.kept + (bounded.kept if bounded else 0))
        try:
            result = layered_search(ahead, behind, meeting, next_side, record, view)
            if result is not None:
                return result
            assert bounded is not None
            return bounded.result()
        finally:
            view.max_belief_size = max(view.max_belief_size, ahead.max_size())
    result = record.undecided()
    if bounded is None or not bounded.plan:
        return result
    known = f"{result.reason}; a plan of {len(bounded.plan)} actions is known by then, but not that none is shorter"
    return evolve(result, reason=known)
