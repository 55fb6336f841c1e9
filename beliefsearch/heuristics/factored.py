"""Lower bounds for beliefs as tuples of local beliefs: what a few factors alone cost, added up.

To play a few factors and pass over all others is easier than the whole, so the cost from a tuple of their local beliefs
is a lower bound. Where these tuples are few, all are listed, with their exact costs (a *pattern database*); else the
cost for a player who sees the states of these factors is one. Bounds of several tables may be added up where the costs
of the actions are divided among them: each table takes of every action what it needs, and leaves the rest to those
behind it. J. Culberson and J. Schaeffer, "Pattern databases" (1998); J. Seipp, T. Keller and M. Helmert, "Saturated
cost partitioning for optimal classical planning" (2020).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import product
from math import inf
from operator import and_
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ..engine.bits.bitset import bit_numbers, mask_of
from ..engine.bits.sensorless import STEPS_OF_RESULT, Allowance
from ..engine.compiled.sensorless import CompiledView
from ..engine.factored.relaxed_plans import sums
from ..engine.factored.view import FactoredView, Tuple
from ..model.base import Action, Cost
from ..model.problem import BeliefProblem
from ..model.values import whole
from ..running.limits import EffortExceeded
from .full_observability import perfect_sight_distances
from .state_graph import BeliefSetting

_Floats = NDArray[np.float64]

# A table may take so many steps however many tables there are.
_FEWEST_STEPS = 2_000
# Orders in which tables take their shares; the largest sum counts.
_MOST_ORDERS = 8


def factored_bounds(view: FactoredView[Any], tick: Callable[[], None], effort: int) -> Callable[[Tuple], Cost]:
    """Return the heuristic: the largest sum of the tables' bounds, over several ways to divide the costs.

    Tables share `effort` steps of two microseconds or so, as long as an author takes for a result; either kind of table
    (see `_table`) may take as many as there are to a share.
    """
    costs, is_exact = _costs(view)
    patterns = _patterns(view)
    most = max(effort // max(len(patterns), 1), _FEWEST_STEPS)
    tables = [table for places in patterns if (table := _table(view, places, most, tick)) is not None]
    shares: list[list[_Floats]] = [[] for _ in tables]  # by table and order: its values
    for order in _orders(len(tables)):
        left = costs.copy()
        for place in order:
            values = tables[place].values(left)
            shares[place].append(values)
            left = np.maximum(left - tables[place].needs(values), 0.0)
    stacked = [np.stack(values, axis=1) for values in shares]
    known: list[dict[Tuple, _Floats]] = [{} for _ in tables]

    def estimate(belief: Tuple) -> Cost:
        total: Any = 0.0
        for table, values, rows in zip(tables, stacked, known, strict=True):
            part = tuple(belief[place] for place in table.places)
            row = rows.get(part)
            if row is None:
                row = rows[part] = values[table.members(part)].max(axis=0, initial=0.0)
            total = total + row
        found = float(np.max(total))
        return whole(found if is_exact else found * (1 - 1e-9))

    return estimate


def _costs(view: FactoredView[Any]) -> tuple[_Floats, bool]:
    """Return what each action costs, in all states, and whether floats say it exactly, also added up."""
    if view.has_unit_costs():
        return np.ones(len(view.all_actions)), True
    start = view.initial_state()
    found = [float(view.action_cost(start, action)) for action in view.all_actions]
    return np.array(found), all(cost.is_integer() and cost < 2**32 for cost in found)


def _orders(count: int) -> Iterator[list[int]]:
    """Yield orders of so many tables: each of the first ones once in front."""
    for first in range(min(count, _MOST_ORDERS)):
        yield [first, *(other for other in range(count) if other != first)]


def _patterns(view: FactoredView[Any]) -> list[Tuple]:
    """The sets of factors that have tables: each that matters, with those that are certain at the start."""
    known = [place for place, local in enumerate(view.locals) if local.masks[local.start].bit_count() == 1]
    wanted = [place for place, local in enumerate(view.locals) if not _is_always_won(view, place)]
    found: dict[Tuple, None] = {}
    for place in wanted:
        near = {other for touched in view.touched if place in touched for other in touched}
        found[tuple(sorted({place, *(other for other in known if other in near)}))] = None
    found.update(dict.fromkeys((place,) for place in wanted))
    return [*found]


def _is_always_won(view: FactoredView[Any], place: int) -> bool:
    """Whether a factor has no goal, as far as its states are known: then nothing need be paid in it."""
    model = view.locals[place].model
    return all(len(members) == len(model.states) for members in model.goal_members) and view.locals[place].won[0]


def _table(
    view: FactoredView[Any], places: Tuple, most: int, tick: Callable[[], None]
) -> _BeliefTable | _StateTable | None:
    for kind in (_BeliefTable, _StateTable):
        allowance = Allowance(tick, most * STEPS_OF_RESULT)
        with suppress(EffortExceeded):
            return kind(view, places, allowance, tick)
    return None


class _BeliefTable:
    """All tuples of local beliefs of some factors that can come up, numbered, and the edges between them."""

    def __init__(self, view: FactoredView[Any], places: Tuple, allowance: Allowance, tick: Callable[[], None]) -> None:
        self.places = places
        self._tick = tick
        self._actions = len(view.all_actions)
        locals_ = [view.locals[place] for place in places]
        ours = mask_of({number for local in locals_ for number in local.actions})
        start = tuple(local.start for local in locals_)
        self._numbers = {start: 0}
        sources: list[int] = []
        actions: list[int] = []
        targets: list[int] = []
        for part in (frontier := [start]):  # grows while it is walked
            allowed = reduce(and_, (local.allowed[own] for local, own in zip(locals_, part, strict=True)), ours)
            # What follows a belief is gathered from what follows each of its states.
            members = sum(local.masks[own].bit_count() for local, own in zip(locals_, part, strict=True))
            for action in bit_numbers(allowed):
                allowance.spend_and_tick()
                allowance.spend(members)
                after = tuple(
                    local.after(own, action) if action in local.actions else own
                    for local, own in zip(locals_, part, strict=True)
                )
                if after not in self._numbers:
                    self._numbers[after] = len(self._numbers)
                    frontier.append(after)
                sources.append(self._numbers[part])
                actions.append(action)
                targets.append(self._numbers[after])
        won = [all(local.won[own] for local, own in zip(locals_, part, strict=True)) for part in frontier]
        self._won = np.array(won, np.bool_)
        by_target = np.argsort(np.array(targets, np.int64), kind="stable")
        self._sources, self._edge_actions, self._targets = (
            np.array(column, np.int64)[by_target] for column in (sources, actions, targets)
        )
        self._edges_into = sums(np.bincount(self._targets, minlength=len(frontier)))  # where those of a tuple begin

    def values(self, costs: _Floats) -> _Floats:
        """Return, by tuple, the least cost to the goal, if actions cost this: backwards from what is new."""
        values = np.where(self._won, 0.0, inf)
        paid = costs[self._edge_actions]
        new = np.flatnonzero(self._won)
        while len(new):
            self._tick()
            firsts, ends = self._edges_into[new], self._edges_into[new + 1]
            offsets = sums(ends - firsts)
            edges = np.arange(offsets[-1]) + np.repeat(firsts - offsets[:-1], ends - firsts)
            through = values[self._targets[edges]] + paid[edges]
            is_better = through < values[self._sources[edges]]
            improved = self._sources[edges][is_better]
            np.minimum.at(values, improved, through[is_better])
            new = np.unique(improved)
        return values

    def needs(self, values: _Floats) -> _Floats:
        """Return, by action, what it must cost at least for these values to be bounds."""
        found = np.zeros(self._actions)
        finite = np.isfinite(values[self._sources])
        drop = values[self._sources[finite]] - values[self._targets[finite]]
        np.maximum.at(found, self._edge_actions[finite], drop)
        return found

    def members(self, part: Tuple) -> list[int]:
        """Return the numbers whose largest value counts for a tuple."""
        return [self._numbers[part]]


class _StateTable:
    """The states of some factors, of which all but one are certain, for a player who sees them."""

    def __init__(self, view: FactoredView[Any], places: Tuple, allowance: Allowance, tick: Callable[[], None]) -> None:
        self.places = places
        self._locals = [view.locals[place] for place in places]
        if sum(local.masks[local.start].bit_count() > 1 for local in self._locals) > 1:
            raise EffortExceeded  # whose starts are not all combinations
        joint = _Joint(view, places, allowance.spend)
        compiled: CompiledView[Any, Any] = CompiledView(joint, allowance.spend_and_tick)
        allowance.left = inf
        self._graph = BeliefSetting(compiled, tick).graph(None)
        self._numbers = {state: number for number, state in enumerate(compiled.model.states)}
        self._action_of = [view.number_of[action] for action in compiled.model.actions]
        self._actions = len(view.all_actions)

    def values(self, costs: _Floats) -> _Floats:
        """Return, by state, the least cost for who sees the states, if actions cost this."""
        paid = np.broadcast_to(costs[self._action_of][:, None], self._graph.applies.shape)
        return perfect_sight_distances(evolve(self._graph, costs=np.ascontiguousarray(paid)))

    def needs(self, values: _Floats) -> _Floats:
        """Return, by action, what it must cost at least for these values to be bounds."""
        found = np.zeros(self._actions)
        graph = self._graph
        for row, action in enumerate(self._action_of):
            states = np.flatnonzero(graph.applies[row] & np.isfinite(values))
            if len(states):
                firsts, ends = graph.offsets[row, states], graph.offsets[row, states + 1]
                worst = [values[graph.targets[a:b]].max() for a, b in zip(firsts.tolist(), ends.tolist(), strict=True)]
                found[action] = max(0.0, float((values[states] - np.array(worst)).max()))
        return found

    def members(self, part: Tuple) -> list[int]:
        """Return the numbers whose largest value counts for a tuple; none if it may stand for fewer combinations."""
        if sum(local.masks[own].bit_count() > 1 for local, own in zip(self._locals, part, strict=True)) > 1:
            return []
        states = (
            [local.model.states[number] for number in bit_numbers(local.masks[own])]
            for local, own in zip(self._locals, part, strict=True)
        )
        return [self._numbers[state] for state in product(*states)]


class _Joint(BeliefProblem[Any, Action, None]):
    """Several factors as one problem, whose states are tuples of theirs; `spend` hears of steps (see `Allowance`)."""

    def __init__(self, view: FactoredView[Action], places: Tuple, spend: Callable[[int], None]) -> None:
        self._spend = spend
        self._ours = dict.fromkeys(action for place in places for action in view.factors[place].actions)
        self._problems = [view.factors[place].problem for place in places]
        self._own = [frozenset(view.factors[place].actions) for place in places]

    def initial_states(self) -> Iterator[Any]:
        return product(*(problem.initial_states() for problem in self._problems))

    def actions(self, state: Any) -> Sequence[Action]:
        self._spend(len(self._ours))
        found = self._ours
        for problem, own, local in zip(self._problems, self._own, state, strict=True):
            here = set(problem.actions(local))
            found = {action: None for action in found if action in here or action not in own}
        return tuple(found)

    def results(self, state: Any, action: Action) -> Iterator[Any]:
        return product(
            *(
                problem.results(local, action) if action in own else (local,)
                for problem, own, local in zip(self._problems, self._own, state, strict=True)
            )
        )

    def is_goal(self, state: Any) -> bool:
        return all(
            any(local in goals for goals in problem.goal_sets())
            for problem, local in zip(self._problems, state, strict=True)
        )
