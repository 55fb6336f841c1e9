"""Search from both ends under an upper bound: once a short plan is known it need only be shown that none is shorter.

`docs/engine.md` says why nothing is lost by what is done to that end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

import numpy as np

from ...model.problem import Action
from ...plans.result import SearchResult
from ...running.limits import Outgrown
from ...running.record import Record
from ...solvers.path.belief_layers import Side, layered_search
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
    ) -> None:
        self._patient = patient
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

    def result(self) -> SearchResult[Action]:
        """A plan with the fewest actions, after `find_plan`, if there is none of fewer than `depth`."""
        ahead, behind, record, view = self._ahead, self._behind, self._record, self._view
        found = layered_search(ahead, behind, lambda: meeting_of(ahead, behind), self._next_side, record, view)
        if found is not None:
            return found
        while len(self.plan) - 1 > ahead.depth + behind.depth:
            shorter = last_look(ahead, behind, len(self.plan) - 1, self._costs, self._count)
            if shorter is None:
                break
            self.plan = shorter
        plan = self.plan
        return record.solved(plan, plan_cost(view, plan), len(plan) if view.has_unit_costs() else 0)

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
