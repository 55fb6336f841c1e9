"""Regression: sensorless search backwards from the goal sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ...model.problem import Action
from ...plans.result import SearchResult
from ...running.checkpoint import Checkpoint
from ...running.limits import Budget
from ...running.observer import Observer
from ...running.record import Record
from .belief_layers import Side, cheaper_side, layered_search, save_sides
from .listed_side import listed_sides

Sides: TypeAlias = Callable[
    [Any, Callable[[], None]], tuple[Side[Any], Side[Any], Callable[[], tuple[int, int] | None]]
]
"""Makes both ends of a search from a view and a tick, and the function that finds where they meet."""


def regression_search(
    view: Any,
    *,
    sides: Sides = listed_sides,
    budget: Budget | None = None,
    observer: Observer | None = None,
    checkpoint: Checkpoint | None = None,
) -> SearchResult[Any]:
    """Find a plan with the fewest actions, backwards from the goal sets through maximal pre-images.

    `view` is a `BeliefView`: with unit costs the plan is optimal, otherwise nothing is claimed of its cost. `sides` is
    how sets of states are represented; the observer hears of layers, not of single sets. See `belief_layers`. A state
    that can come up is needed for the goal sets to mean anything, so all states are explored first. With a `checkpoint`
    it goes on from the last layers that were kept, and keeps more.
    """
    return _search("regression", view, lambda ahead, behind: behind, sides, budget, observer, checkpoint)


def bidirectional_belief_search(
    view: Any,
    *,
    sides: Sides = listed_sides,
    budget: Budget | None = None,
    observer: Observer | None = None,
    checkpoint: Checkpoint | None = None,
) -> SearchResult[Any]:
    """Find a plan with the fewest actions from both ends, always advancing the cheaper side.

    For parameters see `regression_search`.
    """
    return _search("bidirectional", view, cheaper_side, sides, budget, observer, checkpoint)


def _search(
    name: str,
    view: Any,
    next_side: Callable[[Side[Action], Side[Action]], Side[Action]],
    sides: Sides,
    budget: Budget | None,
    observer: Observer | None,
    checkpoint: Checkpoint | None,
) -> SearchResult[Action]:
    budget = budget or Budget()
    record: Record[Any, Action] = Record(name, view, budget, observer)
    with record:
        ahead, behind, meeting = sides(view, budget.tick)
        record.watch(lambda: ahead.kept + behind.kept)
        both = {"ahead": ahead, "behind": behind}
        if checkpoint is not None and checkpoint.kept:
            record.go_on(checkpoint)  # first: what is proved stands even if a limit ends the rest
            for end, side in both.items():
                side.go_on(checkpoint, end)

        def save() -> None:
            if checkpoint is not None and checkpoint.due():
                save_sides(checkpoint, record, both)

        try:
            result = layered_search(ahead, behind, meeting, next_side, record, view, save)
            assert result is not None, "there is always a next side"
            return result
        finally:
            view.max_belief_size = max(view.max_belief_size, ahead.max_size())
    return record.undecided()
