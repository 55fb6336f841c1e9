"""Breadth-first search on arrays: the same layers, plan and counts as `breadth_first_search`, by compiled kernels."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from ...model.problem import Action
from ...plans.result import SearchResult
from ...running.checkpoint import Checkpoint
from ...running.limits import Budget, Outgrown
from ...running.observer import Observer
from ...running.record import Record
from ...solvers.path.parents import plan_cost
from .kernels import is_goal
from .reached_beliefs import ReachedBeliefs
from .sensorless_view import CompiledView
from .step import Outcome

# A call of the kernel should be short enough for Ctrl-C and the limits to be heard, in seconds.
_CALL_SECONDS = 0.1
_FIRST_CALL = 1 << 12
_LARGEST_CALL = 1 << 26


def array_breadth_first_search(
    view: CompiledView[Any, Action],
    *,
    most_bytes: int | None = None,
    budget: Budget | None = None,
    observer: Observer | None = None,
    checkpoint: Checkpoint | None = None,
) -> SearchResult[Action]:
    """Find a plan with the fewest actions; where the beliefs take more than `most_bytes` it raises `Outgrown`.

    A layer's beliefs are expanded in the order in which they were met, under all actions in their order, so
    the plan is the very one that `breadth_first_search` finds; the observer hears of progress, not of single beliefs.
    8 bytes a word, plus 14 to 16 bytes, for each belief reached; fewer once they are mapped (see `ReachedBeliefs`).
    With a `checkpoint` it goes on from what was kept, and keeps how far it has come.
    """
    record: Record[bytes, Action] = Record("breadth-first", view, budget, observer)
    with record:
        view.model.forward  # noqa: B018  # built here, under the limits
        reached = ReachedBeliefs(view.model)
        record.watch(reached.__len__)
        try:
            return _search(view, reached, record, most_bytes, checkpoint)
        finally:
            view.max_belief_size = reached.max_size
    return record.undecided()


def _search(
    view: CompiledView[Any, Action],
    reached: ReachedBeliefs,
    record: Record[bytes, Action],
    most_bytes: int | None,
    checkpoint: Checkpoint | None,
) -> SearchResult[Action]:
    model = view.model
    unit_costs = view.has_unit_costs()
    if is_goal(model.goals, model.goals_of, model.goals_around, model.initial):
        return record.solved((), 0, 0)
    most_generated = _FIRST_CALL
    outcome = Outcome.PAUSED
    finished = -1

    def tell_layers() -> None:
        nonlocal finished
        for depth in range(finished + 1, reached.depth + 1):
            record.finish_layer(depth + 1 if unit_costs else 0, len(reached) - reached.expanded)
        finished = reached.depth

    if checkpoint is not None and checkpoint.kept:
        record.go_on(checkpoint)  # first: what is proved stands even if a limit ends the rest
        reached.go_on(checkpoint)
        finished = reached.depth - 1
    tell_layers()
    while outcome in (Outcome.PAUSED, Outcome.FULL):
        record.tally(reached.expanded, reached.generated, reached.max_frontier)
        record.look_up(len(reached) - reached.expanded)
        if most_bytes is not None and reached.nbytes > most_bytes:
            raise Outgrown
        if checkpoint is not None and checkpoint.due():
            reached.save(checkpoint, record.kept())
        started = perf_counter()
        outcome = reached.expand_next(record.most_expansions(), most_generated)
        seconds = perf_counter() - started
        tell_layers()
        if outcome is Outcome.PAUSED:
            scaled = int(most_generated * min(2.0, _CALL_SECONDS / max(seconds, 1e-6)))
            most_generated = min(max(1, scaled), _LARGEST_CALL)
    record.tally(reached.expanded, reached.generated, reached.max_frontier)
    if outcome is Outcome.EXHAUSTED:
        return record.unsolvable()
    plan = tuple(model.actions[number] for number in reached.path_to_last())
    return record.solved(plan, plan_cost(view, plan), 0)
