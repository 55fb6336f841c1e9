"""Bidirectional search under an upper bound: a short plan is known, and the search shows that none is shorter.

A beam search from the goals finds the short plan. The last actions are searched all at once: sets are expanded without
pruning and compared in pieces. `docs/engine.md` proves that no plan is lost.

Estimated costs decide which side to advance and when the last actions are searched. They are in nanoseconds as measured
on one machine, but only their ratios matter. They are computed from counts, so that the choices are the same on every
machine.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log, log2
from typing import Any, Generic

import numpy as np
from attrs import frozen

from ...model.base import Action
from ...plans.result import SearchResult
from ...running.limits import EffortExceeded
from ...running.run import Record
from ...running.store.checkpoint import Checkpoint
from ...solvers.path.antichains import Side, layered_search, save_sides
from ...solvers.path.search_tree import plan_cost
from .array_model import CompiledModel, LaterModel
from .bitset_kernels import RelationTables, includes
from .bitset_words import Words, members_of_words
from .frontier import ArraySide, Pruning, expand, meeting_of
from .sensorless import CompiledView
from .set_index import PAIR

# The cost of a set besides its image, and of its entry in an index.
_SET, _INDEXED = 100.0, 300.0
# The cost of a pair of sets when dominated sets are marked in a layer, and when they are found among known sets.
_MARK, _FIND = 0.042, 0.02

# The most backward sets that the last look may use, and the queries that it makes at a time.
MOST_BEHIND = 1 << 19
QUERIES_AT_ONCE = 1 << 21


@frozen
class SideCosts:
    """The costs for a model with so many `actions` in which an `image` takes so many nanoseconds.

    With `every_length` the last look must look for plans of every length, and not of the largest length only.
    """

    actions: int
    image: float
    every_length: bool

    def advance_ahead(self, sets: int, known: int) -> float:
        """Return the cost of the next forward layer."""
        new = self.actions * sets
        older = _look(known, new, _MARK) if self.every_length else 0
        return new * (4 * self.image + _SET) + _look(new / 2, new, _MARK) + older

    def advance_behind(self, sets: int, known: int) -> float:
        """Return the cost of the next backward layer."""
        new = self.actions * sets
        return new * (4 * self.image + _SET) + _look(new, known + new / 2, _FIND)

    def last_look(self, ahead: float, behind: float, rest: int) -> tuple[float, int]:
        """Return the cost of searching the last `rest` actions at once, and the best number of backward steps in it."""
        best = inf, 0
        sets = behind
        for steps in range(rest + 1):
            queries = ahead * self._power(rest - steps)
            pieces = 1 + queries // QUERIES_AT_ONCE if queries < inf else inf
            cost = queries * (self.image + _SET) + sets * (self.image + _INDEXED)
            if cost < best[0]:
                cost += pieces * _look(queries / pieces, sets, PAIR)
            if self.every_length:
                cost *= self.actions / (self.actions - 1) if self.actions > 1 else max(rest, 1)
            best = min(best, (cost, steps))
            sets *= self.actions
            if sets > MOST_BEHIND:
                break
        return best

    def _power(self, exponent: int) -> float:
        return inf if exponent * log(self.actions) > 600 else pow(float(self.actions), float(exponent))


def image_cost(tables: RelationTables, states: int) -> float:
    """Estimate the time of an image, in nanoseconds."""
    if len(tables.tables):
        _, places, _, words = tables.tables.shape
        return float(places * (1 + words)) / 2
    return 2 * len(tables.targets) / len(tables.offsets) + states / 4


def _look(queries: float, sets: float, pair: float) -> float:
    """Return the cost of looking up queries among sets: all pairs are compared, or the sets are split first."""
    return min(queries * sets * pair, 200 * queries + 1200 * sets + queries * sets * pair / 10)


def last_look(
    ahead: ArraySide[Action],
    behind: ArraySide[Action],
    length: int,
    costs: SideCosts,
    count: Callable[[int, int], None],
    *,
    begin: int = 0,
    known: tuple[Action, ...] = (),
    looked: Callable[[int, tuple[Action, ...]], None] = lambda sets, plan: None,
) -> tuple[Action, ...] | None:
    """Return a plan of exactly `length` actions, or with `costs.every_length` a shortest one of at most so many.

    Returns None if there is no such plan. `count` is called with the numbers of sets expanded and generated. `looked`
    is called with the number of forward sets that are done and the plan found from these, or an empty one. To resume, a
    call gets these two as `begin` and `known`.
    """
    rest = length - ahead.depth - behind.depth
    _, steps = costs.last_look(len(ahead), len(behind), rest)
    far = behind.grown(0, len(behind))
    for _ in range(steps):
        expanded, generated = len(far), far.advance()
        if not begin:  # else the interrupted call has counted them
            count(expanded, generated)
        met = meeting_of(ahead, far) if costs.every_length else None
        if met is not None:
            return ahead.path(met[0]) + far.path(met[1])
    far.sort_by_size()
    rest -= steps
    plan = known or None
    piece = max(1, QUERIES_AT_ONCE // min(len(ahead.model.actions) ** min(rest, 64), QUERIES_AT_ONCE))
    if known:
        rest = len(known) - ahead.depth - far.depth - 1
    for start in range(begin, len(ahead), piece):
        near = ahead.grown(start, start + piece)
        for step in range(rest + 1):
            if step:
                count(len(near), near.advance())
            met = meeting_of(near, far) if costs.every_length or step == rest else None
            if met is not None:
                plan = near.path(met[0]) + far.path(met[1])
                if not costs.every_length:
                    return plan
                rest = step - 1  # the other pieces are searched for shorter plans only
                break
        looked(min(start + piece, len(ahead)), plan or ())
    return plan


# The most words of all sets that a layer of the beam may generate, which takes some milliseconds; and the least number
# of sets that a layer keeps.
_WIDEST = 1 << 15
_NARROWEST = 8

# The beam gives up after so many layers for each state without a new largest set.
_PATIENCE = 3


def short_plan(
    ahead: ArraySide[Action], model: LaterModel[Action], tick: Callable[[int], None], count: Callable[[int, int], None]
) -> tuple[Action, ...] | None:
    """Return a plan through a set of the last layer of `ahead`; None if the beam search finds none.

    The beam searches backward from the goals and keeps only the largest sets of each layer, about n log n for n states.
    `count` is called with the numbers of sets expanded and generated in each layer.
    """
    states = len(model.states)
    wide = min(int(states * log2(states + 1)), _WIDEST // (len(model.actions) * model.width))
    width = max(_NARROWEST, wide)
    beam = ArraySide(model, model.goals, backwards=True, tick=tick, pruning=Pruning.LAYER, most=width)
    largest = stale = 0
    while len(beam) and stale < _PATIENCE * states:
        met = meeting_of(ahead, beam)
        if met is not None:
            return ahead.path(met[0]) + beam.path(met[1])
        expanded = len(beam)
        count(expanded, beam.advance())
        now = len(members_of_words(beam.layer[0])) if len(beam) else 0
        stale = stale + 1 if now <= largest else 0
        largest = max(largest, now)
    return None


# If the last look is expected to take more nanoseconds than this, an impatient search gives up.
_MOST_LAST_LOOK = 6e11


class BoundedSearch(Generic[Action]):
    """The search after the first `depth` actions, restricted to the states that are reachable after these.

    It tells `spend` of the pairs of sets that it compares. Unless it is `patient` it raises `EffortExceeded` if the
    last look is expected to take many minutes.
    """

    def __init__(
        self,
        view: CompiledView[Any, Action],
        depth: int,
        record: Record[Any, Action],
        spend: Callable[[int], None],
        *,
        patient: bool,
    ) -> None:
        self._patient = patient
        self._checkpoint = record.checkpoint
        self._around: dict[str, Any] = {}  # further entries of a checkpoint
        self._looking = False  # whether the last look has begun
        self._looked = 0  # the number of forward sets from which it has been made
        self._shortest: tuple[Action, ...] = ()  # the plan that it has found so far
        self._view = view
        self._tick = spend
        self._record = record
        model = view.model
        # If one can wait in the initial belief, there is a plan of every length from that of the shortest on.
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
        """The number of sets of all layers."""
        return self._ahead.kept + self._behind.kept

    def find_plan(self) -> bool:
        """Find the short plan that gives the upper bound; return False if there is none, and no bounded search."""
        plan = short_plan(self._ahead, self._model, self._tick, self._count)
        self.plan = plan or ()
        return plan is not None

    def go_on(self, checkpoint: Checkpoint) -> None:
        """Restore a saved search, instead of `find_plan`."""
        self._record.go_on(checkpoint)  # first: the saved bound holds even if a limit ends the rest
        self._ahead.go_on(checkpoint, "later")
        self._behind.go_on(checkpoint, "before")
        state, actions = checkpoint.kept or {}, self._model.actions
        with checkpoint.sound():
            self.plan = tuple(actions[number] for number in state["plan"])
            self._shortest = tuple(actions[number] for number in state["shortest"])
            self._looking, self._looked = bool(state["looking"]), state["looked"]

    def result(self, around: dict[str, Any] | None = None) -> SearchResult[Action]:
        """Return a plan with the fewest actions, after `find_plan`; there must be none of fewer than `depth` actions.

        A checkpoint contains `around`, too.
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
        """Return the side whose next layer saves the most, beyond its cost; None if neither saves anything."""
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
                raise EffortExceeded
            return None
        return ahead if saved_ahead > saved_behind else behind

    def _count(self, expanded: int, generated: int) -> None:
        self._record.look_up(expanded, expanded)
        self._record.add(expanded, generated, expanded)


def can_wait(model: CompiledModel[Any, Any], belief: Words) -> bool:
    """Whether some action is sure to lead from every state of `belief` back into `belief`."""
    after, _, _ = expand(model, belief[np.newaxis], backwards=False)
    return any(includes(belief, image) for image in after)
