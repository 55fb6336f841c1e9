"""Sets of futures with bounds, small enough for a certificate: evidence for the problem's own checker."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...model.base import Cost
from ...model.belief import initial_states, perceived, successors
from ...model.hooks import FutureHook
from ...model.problem import BeliefProblem
from ...solvers.pomdp.arrays import with_room
from ...solvers.trampoline import Calls, without_recursion
from .bounded import BoundedSearch

_LARGEST = 5_000_000  # members of all sets
_MOST_REASONS = 200_000  # of a table: one for each set of states and action
# That there is no plan, a checker of tables believes after it has seen what every action does in every state.
_MOST_ASKED = 300_000

Members = NDArray[np.int32]


def evidence_of(search: BoundedSearch, bound: float) -> dict[str, Any] | None:
    """Return sets with bounds, the first of possible starts, for the problem's own checker; None if they are too large.

    Of each set every action leads to a part that includes one with a bound of no more than 1 less, or loses it. An
    infinite bound, of sets that no plan settles, is None.
    """
    found = _cores_of(search, bound)
    names = [*map(str, search.tables.futures)]
    sets = [[names[s] for s in some.tolist()] for some, _ in found]
    bounds = [None if value == np.inf else int(value) for _, value in found]
    too_large = sum(map(len, sets)) > _LARGEST
    return None if too_large else {"argument": "futures", "sets": sets, "bounds": bounds}


def states_of(problem: BeliefProblem[Any, Any, Any], search: BoundedSearch, bound: float) -> dict[Any, Cost] | None:
    """Return sets of states with bounds for a table, the first of possible starts; None if it would be too long.

    They are those of the evidence, with one state for each future, for each way in which they come up. Where futures
    must not merge, two states that have the same one are told apart by nothing any more.
    """
    future, tables = cast("FutureHook[Any]", problem).future, search.tables
    ways = tables.after.size * (1 if tables.merging else len(tables.starts))
    if bound == np.inf and ways > _MOST_ASKED:
        return None
    number_of = {name: number for number, name in enumerate(tables.futures)}
    cores: dict[int, list[tuple[frozenset[int], float]]] = {}
    found = [(frozenset(members.tolist()), value) for members, value in _cores_of(search, bound)]
    for members, value in found:
        cores.setdefault(min(members), []).append((members, value))
    first = {number_of[future(state)]: state for state in initial_states(problem, search.tick)}
    needed: dict[Any, Cost] = {frozenset(first[number] for number in found[0][0]): found[0][1]}
    waiting, reasons = [*needed], 0

    def inside(part: Collection[Any], value: Cost) -> Collection[Any] | None:
        """States of a part that take so many actions more."""
        if value <= 1:
            return [*part][:2] if len(part) > 1 else None
        by_future: dict[int, Any] = {}
        for state in part:
            other = by_future.setdefault(number_of[future(state)], state)
            if other != state and not tables.merging:
                return state, other
        for core, least in (core for number in by_future for core in cores.get(number, ())):
            if least >= value and core <= by_future.keys():
                return [by_future[number] for number in core]
        return None

    for some in waiting:  # grows while it is walked
        search.tick()
        least = needed[some] - 1
        able = set.intersection(*(set(problem.actions(state)) for state in some))
        for action in able if least > 0 else ():
            parts: dict[Any, set[Any]] = {}
            for state in some:
                (result,) = successors(problem, state, action)
                (percept,) = perceived(problem, result, action)
                parts.setdefault(percept, set()).add(result)
            rests_on = next((core for part in parts.values() if (core := inside(part, least)) is not None), None)
            reasons += 1
            if rests_on is None or reasons > _MOST_REASONS:
                return None
            core = frozenset(rests_on)
            if needed.get(core, 0) < least:
                needed[core] = least
                waiting.append(core)
    return {tuple(core): value for core, value in needed.items()}


def _cores_of(search: BoundedSearch, bound: float) -> list[tuple[Members, float]]:
    """Return sets of futures with bounds, the first of possible starts, each before those on which its bound rests."""
    cores = _Cores(search)
    if bound < 2:
        cores.found = [(search.tables.starts[:2], bound)]
    elif bound < np.inf:
        without_recursion(cores.core(search.tables.starts, int(bound)))
    else:
        cores.never(search.why_none)
    return cores.found[::-1]


class _Cores:
    """Parts of sets that have the bounds of these, each after those on which its bound rests."""

    def __init__(self, search: BoundedSearch) -> None:
        self._search, self._tables = search, search.tables
        self.found: list[tuple[Members, float]] = []
        # The members of all that were found, one set after the other, where each begins, and the bounds; with room.
        self._members, self._begins, self._bounds = np.zeros(0, np.int32), np.zeros(1, np.int64), np.zeros(0)

    def never(self, sets: list[Members]) -> None:
        """Enter sets that no plan settles, and all that actions make of them."""
        frontier = {some.tobytes(): some for some in sets}
        waiting = list(frontier.values())
        for some in waiting:  # grows while it is walked
            self._search.tick()
            for a in np.flatnonzero(~self._tables.is_lost(some)).tolist():
                part = self._tables.open_parts(some, a)[0][1]
                if part.tobytes() not in frontier:
                    frontier[part.tobytes()] = part
                    waiting.append(part)
        self.found = [(some, np.inf) for some in reversed(frontier.values())]

    def core(self, members: Members, value: int) -> Calls[Members]:
        """Return a part of a set that has this bound as the set has it, and enter it."""
        if value <= 1:
            return members[:2]
        known = self._inside(members, value)
        if known is not None:
            return known
        self._search.tick()
        pair = self._search.dear_pair(members, value - 1)
        members = members if pair is None else pair
        chosen = np.zeros(0, np.int32) if pair is None else pair
        for a, lost in enumerate(self._tables.is_lost(members).tolist()):
            if len(chosen) and (self._tables.is_lost(chosen)[a] if lost else self._is_dear(chosen, a, value - 1)):
                continue
            if lost:
                more = _lost_by(self._tables.pairs[a][members])
            else:
                percept, part = self._dear_part(members, a, value - 1)
                after = np.where(self._tables.percepts[a][members] == percept, self._tables.after[a][members], -1)
                # Rather members that are chosen anyway.
                after[np.isin(after, after[np.isin(members, chosen)]) & ~np.isin(members, chosen)] = -1
                _, first = np.unique(after, return_index=True)
                more = first[np.isin(after[first], (yield self.core(part, value - 1)))]
            chosen = np.union1d(chosen, members[more]).astype(np.int32)
        self._enter(chosen, value)
        return chosen

    def _enter(self, members: Members, value: int) -> None:
        count = len(self.found)
        begin, end = self._begins[count], self._begins[count] + len(members)
        self._members = with_room(self._members, end)
        self._begins, self._bounds = with_room(self._begins, count + 2), with_room(self._bounds, count + 1)
        self._members[begin:end], self._begins[count + 1], self._bounds[count] = members, end, value
        self.found.append((members, value))

    def _inside(self, members: Members, value: int) -> Members | None:
        """A core with this bound that a set includes."""
        count = len(self.found)
        if not count:
            return None
        is_member = np.zeros(self._tables.after.shape[1], np.bool_)
        is_member[members] = True
        begins = self._begins[: count + 1]
        inside = np.logical_and.reduceat(is_member[self._members[: begins[-1]]], begins[:-1])
        fits = np.flatnonzero(inside & (self._bounds[:count] >= value))
        return self.found[fits[0]][0] if len(fits) else None

    def _is_dear(self, members: Members, action: int, value: int) -> bool:
        """Whether an action leads from a set to a part that includes a core with this bound."""
        parts = [part for _, part in self._tables.open_parts(members, action)]
        return bool(parts) if value <= 1 else any(self._inside(part, value) is not None for part in parts)

    def _dear_part(self, members: Members, action: int, value: int) -> tuple[int, Members]:
        """A part that an action makes of a set and that has this bound."""
        parts = self._tables.open_parts(members, action)
        if value <= 1:
            return parts[0]
        tests: list[Callable[[Members], bool]] = [
            lambda part: self._inside(part, value) is not None,
            lambda part: self._search.dear_pair(part, value - 1) is not None,
            lambda part: not self._search.within(part, value - 1),
        ]
        return next((percept, part) for test in tests for percept, part in parts if test(part))


def _lost_by(pairs: NDArray[Any]) -> NDArray[np.intp]:
    """The places of few members for which an action does not apply, or that it merges, by their numbers of pairs."""
    if pairs.min() < 0:
        return np.array([np.argmin(pairs)])
    order = np.argsort(pairs, kind="stable")
    place = int(np.flatnonzero(pairs[order][1:] == pairs[order][:-1])[0])
    return order[place : place + 2]
