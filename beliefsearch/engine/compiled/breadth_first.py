"""Breadth-first search on arrays: the same layers, plan and counts as `breadth_first_search`, by compiled kernels."""

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
    """All reached beliefs in the order in which breadth-first search finds them.

    They are listed (`ListedBeliefs`) until a bitmap of all sets of states (`MappedBeliefs`) takes less memory than a
    longer list. That happens if there are few states and many reached beliefs.
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
        """The beliefs expanded, the successors generated, and the largest number of waiting beliefs."""
        return self.counters.head, self.counters.generated, self.counters.max_frontier

    def expand_next(self, most_expanded: int, most_generated: int) -> Outcome:
        """Expand beliefs in order until all are expanded, a goal is found, a limit is reached, or room is needed.

        `most_expanded` limits the beliefs expanded since the beginning, `most_generated` (roughly) the successors
        generated in this call.
        """
        if self.form.is_full:
            if isinstance(self.form, ListedBeliefs) and MappedBeliefs.pays(self._model, self.form):
                listed, self.form = self.form, MappedBeliefs(self._model, self.counters)
                self.form.take_over(listed)
            else:
                self.form.make_room()
        return self.form.expand_next(most_expanded, most_generated)

    def save(self, checkpoint: Checkpoint, state: Mapping[str, Any]) -> None:
        """Save the beliefs together with the `state` of the search."""
        arrays, rows = self.form.to_save(checkpoint)
        mapped = int(isinstance(self.form, MappedBeliefs))
        state = {**state, "mapped": mapped, "model": self._model.digest}
        checkpoint.save(state, {"books": np.array(self.counters), **arrays}, rows)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Restore the beliefs from a checkpoint."""
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
    """Find a plan with the fewest actions; raise `EffortExceeded` if the beliefs take more than `most_bytes`.

    Beliefs are expanded in the order in which they were found, under all actions in their order. So it finds the same
    plan as `breadth_first_search`. The observer is told of progress, but not of single beliefs. A reached belief takes
    8 bytes a word and 14 to 16 more, or fewer as a bit of a map (see `ReachedBeliefs`). With a checkpoint the search
    resumes from the saved state and saves its progress.
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
    view: CompiledView[Any, Action], reached: ReachedBeliefs, record: Record[bytes, Action], most_bytes: int | None
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
