"""Sets of futures with bounds, small enough for a certificate: evidence for the problem's own checker.

The limits of the search may be over by then; those of the proof interrupt what is done here.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...model.base import Cost
from ...model.belief import initial_states, perceived, successors
from ...model.hooks import FutureHook
from ...model.problem import BeliefProblem
from ...running.limits import EffortExceeded
from ...running.run import Record, Run
from .bounded import BoundedSearch, Undecidable
from .cores import cores_of
from .narrow import PATIENCE
from .tables import FutureTables

_MANY, _FEW, _LARGEST = 50_000, 20_000, 5_000_000  # members of all sets, for a table, and for the problem's own checker
# The least bounds of sets that are listed for them. The problem's own checker finds those with lower bounds: for sets
# with the least one it looks two actions ahead from all members, or three, so often in a second at the least.
_ALL, _TWO_AHEAD, _THREE_AHEAD = 2, 4, 5
_A_SECOND, _LONGEST = 1_000_000, 200.0
_MOST_REASONS = 200_000  # of a table: one for each set of states and action
# That there is no plan, a checker of tables believes after it has seen what every action does in every state.
_MOST_ASKED = 300_000

Members = NDArray[np.int32]


def evidence_of(search: BoundedSearch, bound: float, seconds: float = np.inf) -> dict[str, Any] | None:
    """Return sets with bounds, the first of possible starts, for the problem's own checker; None if they are too large.

    Of each set every action leads to a part that includes one with a bound of no more than 1 less, or loses it. An
    infinite bound, of sets that no plan settles, is None. The checker finds sets with low bounds itself. It is given
    the highest bound that it checks within so many `seconds`, as estimated.
    """
    actions, looks = len(search.tables.percepts) or 1, _A_SECOND * min(seconds, _LONGEST)
    many, most = (int(min(_LARGEST, looks / each)) for each in (2 * actions, actions**2))
    tries = (_TWO_AHEAD, _FEW), (_THREE_AHEAD, most), (_TWO_AHEAD, many)
    lowered: list[float] = [bound] if bound == np.inf else [*range(int(bound), 0, -1)]
    tried = (_bounded_sets(search, lower, least, room) for lower in lowered for least, room in tries)
    found = next((sets for sets in tried if sets is not None), None)
    if found is None:
        return None
    names = [*map(str, search.tables.futures)]
    sets = [[names[s] for s in some.tolist()] for some, _ in found]
    bounds = [None if value == np.inf else int(value) for _, value in found]
    return {"argument": "futures", "sets": sets, "bounds": bounds}


def evidence_of_word(problem: Any, tables: FutureTables[Any], seconds: float = np.inf) -> dict[str, Any] | None:
    """Return `evidence_of` a bound of plans, which words have, too: one that is soon found."""
    run = Run()
    search = BoundedSearch(tables, Record("and-or", problem, run), run.budget)
    search.patience, depth = PATIENCE, 1
    with suppress(EffortExceeded, Undecidable):
        while not search.within(tables.starts, depth):
            depth += 1
            search.prepare(depth, soon=True, longest=1)
    return evidence_of(search, depth, seconds)


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
    listed = _bounded_sets(search, bound, _ALL, _MANY)
    if listed is None:
        return None
    found = [(frozenset(members.tolist()), value) for members, value in listed]
    for members, value in found:
        cores.setdefault(min(members), []).append((members, value))
    first = {number_of[future(state)]: state for state in initial_states(problem)}
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


def _bounded_sets(search: BoundedSearch, bound: float, least: int, most: int) -> list[tuple[Members, float]] | None:
    """Return sets of futures with bounds of `least` or more, that of possible starts first; None if too large."""
    starts = search.tables.starts
    if bound < 2:
        return [(starts[:2], bound)]
    if bound < np.inf:
        found = cores_of(search, starts, int(bound), least, most)
        return None if found is None else [*reversed(found)]
    # Sets that no plan settles, and all that actions make of them.
    frontier = {some.tobytes(): some for some in search.why_none}
    waiting = [*frontier.values()]
    for some in waiting:  # grows while it is walked
        for a in np.flatnonzero(~search.tables.is_lost(some)).tolist():
            part = search.tables.open_parts(some, a)[0][1]
            if part.tobytes() not in frontier:
                frontier[part.tobytes()] = part
                waiting.append(part)
    return [(some, np.inf) for some in frontier.values()]
