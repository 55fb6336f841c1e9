"""Lower bounds for factored beliefs: pattern databases over a few factors, added up by saturated cost partitioning.

A *pattern* is a set of factors. Ignoring all other factors makes a problem easier, so the cost from a tuple of local
beliefs of the pattern is a lower bound. If these tuples are few, a table has all of them with their exact costs;
otherwise it has the costs for a player who sees the states of these factors. Bounds of several tables may be added if
the costs of actions are divided among them: each table takes as much of every cost as it needs, and leaves the rest to
the next. J. Culberson and J. Schaeffer, "Pattern databases" (1998); J. Seipp, T. Keller and M. Helmert, "Saturated cost
partitioning for optimal classical planning" (2020).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial, reduce
from itertools import chain, islice, product
from math import inf
from operator import and_
from typing import Any, TypeAlias

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ..engine.bits.bitset import bit_numbers, mask_of
from ..engine.bits.sensorless import Allowance
from ..engine.compiled.sensorless import CompiledView
from ..engine.factored.relaxed_plans import sums
from ..engine.factored.view import FactoredView, Tuple
from ..model.base import Action, Cost
from ..model.problem import BeliefProblem
from ..model.values import whole
from ..running.limits import EffortExceeded
from ..solvers.sparse_rows import entries_of
from .full_observability import perfect_sight_distances
from .state_graph import BeliefSetting

_Floats = NDArray[np.float64]
_Table: TypeAlias = "_BeliefTable | _StateTable"

# The fewest steps that a table may take, however many tables there are.
_FEWEST_STEPS = 40_000
# The most orders in which tables take their shares of the costs; the largest sum counts.
_MOST_ORDERS = 8
# A table that is tried to find factors which raise a bound may take this share of the steps; twice as many are tried.
_TRIES = 8
# Elementary steps of looking a bound up in one table.
_STEPS_OF_BOUND = 10


def factored_bounds(view: FactoredView[Any], tick: Callable[[], None], effort: int) -> Callable[[Tuple], Cost]:
    """Return the heuristic: the largest sum of the tables' bounds, over several partitions of the costs.

    Tables share `effort` elementary steps (see `Allowance`); each kind of table that is tried (see `_table`) may take
    one share.
    """
    costs, is_exact = _costs(view)
    tables = _tables(view, costs, tick, effort)
    found = _in_orders(tables, costs, lambda left, needs, bound: np.maximum(left - needs, 0.0), view.initial_state())
    stacked = [np.stack([values for values, _, _ in shares], axis=1) for shares in zip(*found, strict=True)]
    known: list[dict[Tuple, _Floats]] = [{} for _ in tables]

    def estimate(belief: Tuple) -> Cost:
        view.allowance.spend(_STEPS_OF_BOUND * len(tables))
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


def shared_bounds(
    view: FactoredView[Any], tick: Callable[[], None], effort: int
) -> list[tuple[Tuple, list[int], Cost]]:
    """Return patterns with the actions that each alone pays for, and its bound; their sum is one of the start.

    There are none if costs are no whole numbers.
    """
    costs, is_exact = _costs(view)
    tables = _tables(view, costs, tick, effort) if is_exact else []

    def leave(left: _Floats, needs: _Floats, bound: float) -> _Floats:
        return np.where((needs > 0) & (0 < bound < inf), 0.0, left)

    best: list[tuple[Tuple, list[int], Cost]] = []
    for shares in _in_orders(tables, costs, leave, view.initial_state()):
        found: list[tuple[Tuple, list[int], Cost]] = [
            (table.places, np.flatnonzero(needs > 0).tolist(), whole(bound))
            for table, (_, needs, bound) in zip(tables, shares, strict=True)
            if 0 < bound < inf
        ]
        best = max(best, found, key=lambda parts: sum(bound for _, _, bound in parts))
    return best


def _costs(view: FactoredView[Any]) -> tuple[_Floats, bool]:
    """Return the cost of each action, the same in all states, and whether sums of these floats are exact."""
    if view.has_unit_costs():
        return np.ones(len(view.all_actions)), True
    start = view.initial_state()
    found = [float(view.action_cost(start, action)) for action in view.all_actions]
    return np.array(found), all(cost.is_integer() and cost < 2**32 for cost in found)


def _in_orders(
    tables: Sequence[_Table], costs: _Floats, leave: Callable[[_Floats, _Floats, float], _Floats], start: Tuple
) -> Iterator[list[tuple[_Floats, _Floats, float]]]:
    """Yield, for orders in which each of the first few tables comes first, the values of the tables, needs and bounds.

    A table has the costs that those before it `leave`, given what was left, its needs and its bound for the start.
    """
    for first in range(min(len(tables), _MOST_ORDERS)):
        left = costs
        shares: dict[int, tuple[_Floats, _Floats, float]] = {}
        for place in (first, *(other for other in range(len(tables)) if other != first)):
            values = tables[place].values(left)
            needs, bound = tables[place].needs(values), _bound_of(tables[place], values, start)
            shares[place] = values, needs, bound
            left = leave(left, needs, bound)
        yield [shares[place] for place in range(len(tables))]


def _bound_of(table: _Table, values: _Floats, start: Tuple) -> float:
    return float(values[table.members(tuple(start[place] for place in table.places))].max(initial=0.0))


def _tables(view: FactoredView[Any], costs: _Floats, tick: Callable[[], None], effort: int) -> list[_Table]:
    """Make tables for each factor with a goal: with all near factors, with those certain at the start, and alone.

    Where all near factors are too many, there is one with those of them that raise the bound.
    """
    known = {place for place, local in enumerate(view.locals) if local.masks[local.start].bit_count() == 1}
    wanted = [place for place in range(len(view.locals)) if not _is_always_won(view, place)]
    near = {place: {place}.union(*(touched for touched in view.touched if place in touched)) for place in wanted}
    patterns = [near[place] for place in wanted if len(near[place]) < len(view.locals)]
    patterns += [{place, *near[place] & known} for place in wanted]
    patterns += [{place} for place in wanted]
    found: dict[Tuple, _Table | None] = dict.fromkeys(tuple(sorted(places)) for places in patterns)
    most = max(effort // max(len(found), 1), _FEWEST_STEPS)
    found = {places: _table(view, places, most, tick) for places in found}
    # To make a table takes a step for each action, however small it is.
    tries = min(2 * _TRIES, effort // max(len(wanted) * len(view.all_actions), 1))
    for place in wanted if tries else ():
        if found.get(tuple(sorted(near[place]))) is None:
            places, table = _grown(view, place, costs, partial(_table, view, most=most // _TRIES, tick=tick), tries)
            found[places] = found.get(places) or table
    return [table for table in found.values() if table is not None]


def _grown(
    view: FactoredView[Any], place: int, costs: _Floats, table_of: Callable[[Tuple], _Table | None], tries: int
) -> tuple[Tuple, _Table | None]:
    """Return a pattern with this factor, to which factors were added as long as they raise the bound, and its table.

    P. Haslum, A. Botea, M. Helmert, B. Bonet and S. Koenig, "Domain-independent construction of pattern database
    heuristics for cost-optimal planning" (2007).
    """
    places: Tuple = ()
    table, bound = None, -1.0
    frontier = [place]
    for other in islice(frontier, tries):  # it grows while it is walked
        larger = tuple(sorted((*places, other)))
        new = table_of(larger) if len(larger) < len(view.locals) else None
        value = 0.0 if new is None else _bound_of(new, new.values(costs), view.initial_state())
        if value > bound:
            places, table, bound = larger, new, value
            tied = Counter(chain.from_iterable(touched for touched in view.touched if other in touched))
            frontier += [one for one, _ in tied.most_common() if one not in frontier]
    return places, table


def _is_always_won(view: FactoredView[Any], place: int) -> bool:
    """Whether a factor is won in all its known states, so that it costs nothing."""
    model = view.locals[place].model
    return all(len(members) == len(model.states) for members in model.goal_members) and view.locals[place].won[0]


def _table(view: FactoredView[Any], places: Tuple, most: int, tick: Callable[[], None]) -> _Table | None:
    for kind in (_BeliefTable, _StateTable):
        allowance = Allowance(tick, most)
        with suppress(EffortExceeded):
            return kind(view, places, allowance, tick)
    return None


class _BeliefTable:
    """All reachable tuples of local beliefs of a pattern, numbered, and the edges between them."""

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
            # The successors of a belief are computed from those of each of its states.
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
        self._edges_into = sums(np.bincount(self._targets, minlength=len(frontier)))  # the first edge into each tuple

    def values(self, costs: _Floats) -> _Floats:
        """Return the least cost to the goal of each tuple, with these costs of actions, by relaxing edges backwards."""
        values = np.where(self._won, 0.0, inf)
        paid = costs[self._edge_actions]
        new = np.flatnonzero(self._won)
        while len(new):
            self._tick()
            _, edges = entries_of(self._edges_into, new)
            through = values[self._targets[edges]] + paid[edges]
            is_better = through < values[self._sources[edges]]
            improved = self._sources[edges][is_better]
            np.minimum.at(values, improved, through[is_better])
            new = np.unique(improved)
        return values

    def needs(self, values: _Floats) -> _Floats:
        """Return the saturated costs: the least cost of each action under which these values are still bounds."""
        found = np.zeros(self._actions)
        finite = np.isfinite(values[self._sources])
        drop = values[self._sources[finite]] - values[self._targets[finite]]
        np.maximum.at(found, self._edge_actions[finite], drop)
        return found

    def members(self, part: Tuple) -> list[int]:
        """Return the numbers whose largest value counts for a tuple."""
        return [self._numbers[part]]


class _StateTable:
    """The states of a pattern, of whose factors at most one is uncertain, for a player who sees them."""

    def __init__(self, view: FactoredView[Any], places: Tuple, allowance: Allowance, tick: Callable[[], None]) -> None:
        self.places = places
        self._locals = [view.locals[place] for place in places]
        if sum(local.masks[local.start].bit_count() > 1 for local in self._locals) > 1:
            raise EffortExceeded  # the starts need not be all combinations of the factors' starts
        joint = _Joint(view, places, allowance.spend)
        compiled: CompiledView[Any, Any] = CompiledView(joint, allowance.spend_and_tick)
        allowance.left = inf
        self._graph = BeliefSetting(compiled, tick).graph(None)
        self._numbers = {state: number for number, state in enumerate(compiled.model.states)}
        self._action_of = [view.number_of[action] for action in compiled.model.actions]
        self._actions = len(view.all_actions)

    def values(self, costs: _Floats) -> _Floats:
        """Return the least cost of each state for a player who sees it, with these costs of actions."""
        paid = np.broadcast_to(costs[self._action_of][:, None], self._graph.applies.shape)
        return perfect_sight_distances(evolve(self._graph, costs=np.ascontiguousarray(paid)))

    def needs(self, values: _Floats) -> _Floats:
        """Return the saturated costs: the least cost of each action under which these values are still bounds."""
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
        """Return the numbers of the states of a tuple; none if some combinations of local states may be impossible."""
        if sum(local.masks[own].bit_count() > 1 for local, own in zip(self._locals, part, strict=True)) > 1:
            return []
        states = (
            [local.model.states[number] for number in bit_numbers(local.masks[own])]
            for local, own in zip(self._locals, part, strict=True)
        )
        return [self._numbers[state] for state in product(*states)]


class _Joint(BeliefProblem[Any, Action, None]):
    """The product of several factors as one problem; `spend` is called with numbers of steps (see `Allowance`)."""

    def __init__(self, view: FactoredView[Action], places: Tuple, spend: Callable[[int], None]) -> None:
        self._spend = spend
        self._ours = dict.fromkeys(action for place in places for action in view.factors[place].actions)
        self._problems = [view.factors[place].problem for place in places]
        self._own = [frozenset(view.factors[place].actions) for place in places]

    def initial_states(self) -> Iterator[Any]:
        return product(*(problem.initial_states() for problem in self._problems))

    def actions(self, state: Any) -> Sequence[Action]:
        self._spend(sum(map(len, self._own)))
        pairs = zip(self._problems, self._own, state, strict=True)
        barred = set().union(*(own.difference(problem.actions(local)) for problem, own, local in pairs))
        return tuple(action for action in self._ours if action not in barred)

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
