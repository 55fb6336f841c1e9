"""Breadth-first search on arrays: the same layers, plan and counts as `breadth_first_search`, by compiled kernels.

Its step expands a stretch of beliefs under all actions, makes the successors unique, drops those reached before, and
appends the rest with their parents.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from ...model.base import Action
from ...plans.result import SearchResult
from ...running.limits import EffortExceeded
from ...running.run import Record, Run
from ...running.store.checkpoint import Checkpoint
from ...solvers.path.search_tree import plan_cost
from .array_model import CompiledModel
from .bitmap_visited import MappedBeliefs
from .bitset_kernels import is_goal
from .hashed_visited import Counters, ListedBeliefs, Outcome, next_pause
from .sensorless import CompiledView


class ReachedBeliefs:
    """All beliefs reached so far, in the order in which breadth-first search meets them.

    They are listed (`ListedBeliefs`) until a map with a bit for each belief that there might be (`MappedBeliefs`) takes
    less memory than a longer list: so where there are few states, and many beliefs have come up.
    """

    def __init__(self, model: CompiledModel[Any, Any]) -> None:
        self._model = model
        size = int(np.bitwise_count(model.initial).sum())
        counters = Counters(0, 1, layer_end=1, depth=0, generated=0, max_frontier=0, max_size=size)
        self.form: ListedBeliefs | MappedBeliefs = ListedBeliefs(model, counters)

    @property
    def counters(self) -> Counters:
        """The counters of the search."""
        return self.form.counters

    def __len__(self) -> int:
        return self.counters.reached

    @property
    def waiting(self) -> int:
        """Count the beliefs that are not expanded yet."""
        return self.counters.reached - self.counters.head

    @property
    def tally(self) -> tuple[int, int, int]:
        """The beliefs expanded, the successors generated, repetitions included, and the most beliefs that waited."""
        return self.counters.head, self.counters.generated, self.counters.max_frontier

    def expand_next(self, most_expanded: int, most_generated: int) -> Outcome:
        """Expand beliefs in order until there is a reason to stop.

        It stops before more than `most_expanded` beliefs are expanded, counted from the beginning, and pauses after
        about `most_generated` successors, counted from this call.
        """
        if self.form.is_full:
            if isinstance(self.form, ListedBeliefs) and MappedBeliefs.pays(self._model, self.form):
                listed, self.form = self.form, MappedBeliefs(self._model, self.counters)
                self.form.take_over(listed)
            else:
                self.form.make_room()
        return self.form.expand_next(most_expanded, most_generated)

    def save(self, checkpoint: Checkpoint, state: Mapping[str, Any]) -> None:
        """Save everything, and a state."""
        arrays, rows = self.form.to_save(checkpoint)
        mapped = int(isinstance(self.form, MappedBeliefs))
        state = {**state, "mapped": mapped, "model": self._model.digest}
        checkpoint.save(state, {"books": np.array(self.counters), **arrays}, rows)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Take up what was saved."""
        state = checkpoint.kept or {}
        checkpoint.demand(state.get("model") == self._model.digest)
        with checkpoint.sound():
            counters = Counters(*checkpoint.array("books").tolist())
            if state["mapped"]:
                self.form = MappedBeliefs(self._model, counters)
            self.form.counters = counters
            self.form.restore(checkpoint)


_FIRST_CALL = 1 << 12
_LARGEST_CALL = 1 << 26


def array_breadth_first_search(
    view: CompiledView[Any, Action], *, most_bytes: int | None = None, run: Run | None = None
) -> SearchResult[Action]:
    """Find a plan with the fewest actions; where the beliefs take more than `most_bytes` it raises `EffortExceeded`.

    A layer's beliefs are expanded in the order in which they were met, under all actions in their order, so
    the plan is the very one that `breadth_first_search` finds; the observer hears of progress, not of single beliefs.
    8 bytes a word, plus 14 to 16 bytes, for each belief reached; fewer once they are mapped (see `ReachedBeliefs`).
    With a checkpoint it goes on from what was saved, and saves how far it has come.
    """
    record: Record[bytes, Action] = Record("breadth-first", view, run)
    with record:
        view.model.forward  # noqa: B018  # built here, under the limits
        reached = ReachedBeliefs(view.model)
        record.watch(reached.__len__)
        try:
            return _search(view, reached, record, most_bytes)
        finally:
            view.max_belief_size = reached.counters.max_size
    return record.undecided()


def _search(
    view: CompiledView[Any, Action],
    reached: ReachedBeliefs,
    record: Record[bytes, Action],
    most_bytes: int | None,
) -> SearchResult[Action]:
    model, checkpoint = view.model, record.checkpoint
    unit_costs = view.has_unit_costs()
    if is_goal(model.goals, model.goals_of, model.goals_around, model.initial):
        return record.solved((), 0, 0)
    most_generated = _FIRST_CALL
    outcome = Outcome.PAUSED
    finished = -1

    def tell_layers() -> None:
        nonlocal finished
        for depth in range(finished + 1, reached.counters.depth + 1):
            record.finish_layer(depth + 1 if unit_costs else 0, reached.waiting)
        finished = reached.counters.depth

    if checkpoint is not None and checkpoint.kept:
        record.go_on(checkpoint)  # first: what is proved stands even if a limit ends the rest
        reached.restore(checkpoint)
        finished = reached.counters.depth - 1
    tell_layers()
    while outcome in (Outcome.PAUSED, Outcome.FULL):
        record.tally(*reached.tally)
        record.look_up(reached.waiting)
        if most_bytes is not None and reached.form.nbytes > most_bytes:
            raise EffortExceeded
        if checkpoint is not None and checkpoint.due():
            reached.save(checkpoint, record.kept())
        started = perf_counter()
        outcome = reached.expand_next(record.most_expansions(), most_generated)
        seconds = perf_counter() - started
        tell_layers()
        if outcome is Outcome.PAUSED:
            most_generated = min(next_pause(most_generated, seconds), _LARGEST_CALL)
    record.tally(*reached.tally)
    if outcome is Outcome.EXHAUSTED:
        return record.unsolvable()
    plan = tuple(model.actions[number] for number in reached.form.path_to_last())
    return record.solved(plan, plan_cost(view, plan), 0)
