"""Search from both ends under an upper bound: once a short plan is known it need only be shown that none is shorter.

`docs/engine.md` says why nothing is lost by what is done to that end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

import numpy as np

from ...model.problem import Action
from ...plans.result import SearchResult
from ...running.checkpoint import Checkpoint
from ...running.limits import Outgrown
from ...running.record import Record
from ...solvers.path.belief_layers import Side, layered_search, save_sides
from ...solvers.path.parents import plan_cost
from .kernels import includes
from .last_look import last_look
from .sensorless_view import CompiledView
from .set_model import LaterModel, SetModel
from .side import ArraySide, Pruning, expand, meeting_of
from .side_costs import SideCosts, image_cost
from .upper_bound import short_plan
from .words import Words

# Nanoseconds that the last look may be expected to take, before another way to search is given a try.
_MOST_LAST_LOOK = 6e11


class BoundedSearch(Generic[Action]):
    """The search for plans that begin with any `depth` actions, among the states that can come up after these.

    Unless it is `patient` it raises `Outgrown` when it seems that the last look would take many minutes.
    """

    def __init__(
        self,
        view: CompiledView[Any, Action],
        depth: int,
        tick: Callable[[], None],
        record: Record[Any, Action],
        *,
        patient: bool,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self._patient = patient
        self._checkpoint = checkpoint
        self._around: dict[str, Any] = {}  # what else a checkpoint keeps
        self._looking = False  # whether the last look has begun
        self._looked = 0  # the sets ahead from which it has been made, and the plan that it has found
        self._shortest: tuple[Action, ...] = ()
        self._view = view
        self._tick: Callable[[int], None] = lambda pairs: tick()
        self._record = record
        model = view.model
        # Where one can wait, there is a plan of every length above the shortest.
        waits = can_wait(model, model.initial)
        pruning = Pruning.LAYER if waits else Pruning.ALL
        start: Words = model.initial[np.newaxis]
        first = ArraySide(model, start, backwards=False, tick=self._tick, pruning=pruning)
        for _ in range(depth):
            self._count(len(first), first.advance())
        self._model = LaterModel(model, first.layer)
        self._ahead = ArraySide(
            self._model, self._model.starts, backwards=False, tick=self._tick, pruning=pruning, before=(first, 0)
        )
        self._behind = ArraySide(self._model, self._model.goals, backwards=True, tick=self._tick)
        states = len(self._model.states)
        self._costs = SideCosts(len(model.actions), image_cost(self._model.forward, states), not waits)
        self.plan: tuple[Action, ...] = ()
        """The shortest plan that is known."""

    @property
    def kept(self) -> int:
        """The sets of all layers."""
        return self._ahead.kept + self._behind.kept

    def find_plan(self) -> bool:
        """Look for a short plan; without one there is no upper bound, and no such search."""
        plan = short_plan(self._ahead, self._model, self._tick, self._count)
        self.plan = plan or ()
        return plan is not None

    def go_on(self, checkpoint: Checkpoint) -> None:
        """Take up what was kept, instead of `find_plan`."""
        self._record.go_on(checkpoint)  # first: what is proved stands even if a limit ends the rest
        plan, shortest = (checkpoint.kept or {}).get("plan"), (checkpoint.kept or {}).get("shortest")
        actions = self._model.actions
        for numbers in (plan, shortest):
            if not isinstance(numbers, list) or not all(
                type(number) is int and 0 <= number < len(actions) for number in numbers
            ):
                raise checkpoint.damaged()
        self._ahead.go_on(checkpoint, "later")
        self._behind.go_on(checkpoint, "before")
        self.plan = tuple(actions[number] for number in plan or ())
        self._shortest = tuple(actions[number] for number in shortest or ())
        self._looking = bool(checkpoint.number("looking", 1))
        self._looked = checkpoint.number("looked", len(self._ahead))

    def result(self, around: dict[str, Any] | None = None) -> SearchResult[Action]:
        """A plan with the fewest actions, after `find_plan`, if there is none of fewer than `depth`.

        A checkpoint keeps `around`, too.
        """
        self._around = around or {}
        ahead, behind, record, view = self._ahead, self._behind, self._record, self._view
        if not self._looking:
            found = layered_search(
                ahead, behind, lambda: meeting_of(ahead, behind), self._next_side, record, view, self._save
            )
            if found is not None:
                return found
        self._looking = True
        while len(self.plan) - 1 > ahead.depth + behind.depth:
            shorter = last_look(
                ahead,
                behind,
                len(self.plan) - 1,
                self._costs,
                self._count,
                begin=self._looked,
                known=self._shortest,
                looked=self._note_looked,
            )
            self._looked, self._shortest = 0, ()
            if shorter is None:
                break
            self.plan = shorter
        plan = self.plan
        return record.solved(plan, plan_cost(view, plan), len(plan) if view.has_unit_costs() else 0)

    def _note_looked(self, sets: int, shortest: tuple[Action, ...]) -> None:
        self._looked, self._shortest = sets, shortest
        self._save()

    def _save(self) -> None:
        checkpoint = self._checkpoint
        if checkpoint is not None and checkpoint.due():
            number_of = {action: number for number, action in enumerate(self._model.actions)}
            save_sides(
                checkpoint,
                self._record,
                {"later": self._ahead, "before": self._behind},
                **self._around,
                plan=[number_of[action] for action in self.plan],
                shortest=[number_of[action] for action in self._shortest],
                looking=int(self._looking),
                looked=self._looked,
            )

    def _next_side(self, one: Side[Action], other: Side[Action]) -> Side[Action] | None:
        """The side whose next layer saves more than it costs, if any."""
        ahead, behind, costs = self._ahead, self._behind, self._costs
        rest = len(self.plan) - 1 - ahead.depth - behind.depth
        if rest <= 0:
            return None
        f, b = len(ahead), len(behind)
        now, _ = costs.last_look(f, b, rest)
        then_ahead, _ = costs.last_look(f * ahead.growth, b, rest - 1)
        then_behind, _ = costs.last_look(f, b * behind.growth, rest - 1)
        saved_ahead = now - then_ahead - costs.advance_ahead(f, ahead.known)
        saved_behind = now - then_behind - costs.advance_behind(b, behind.known)
        if max(saved_ahead, saved_behind) <= 0:
            if now > _MOST_LAST_LOOK and not self._patient:
                raise Outgrown
            return None
        return ahead if saved_ahead > saved_behind else behind

    def _count(self, expanded: int, generated: int) -> None:
        self._record.look_up(expanded, expanded)
        self._record.add(expanded, generated, expanded)


def can_wait(model: SetModel[Any], belief: Words) -> bool:
    """Whether some action is sure to lead from a state of `belief` into one of them."""
    after, _, _ = expand(model, belief[np.newaxis], backwards=False)
    return any(includes(belief, image) for image in after)
