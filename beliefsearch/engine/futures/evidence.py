"""Sets of futures with bounds, small enough for a certificate: evidence for the problem's own checker.

The limits of the search may be over by then; those of the proof interrupt what is done here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...model.base import Cost
from ...model.belief import initial_states, perceived, successors
from ...model.hooks import FutureHook
from ...model.problem import BeliefProblem
from ...plans.result import Grounds
from ...running.limits import EffortExceeded, LimitReached, Limits
from ...running.run import Record, Run
from .bounded import BoundedSearch, Undecidable
from .cores import cores_of
from .narrow import PATIENCE
from .pair_sets import PairSets
from .tables import FutureTables

_FEW_PAIRS = 200  # of a future and an action: with fewer all that words leave can be listed
_MOST_PAIRED = 3_000  # futures of which each two are looked at
_MANY, _FEW, _LARGEST = 50_000, 20_000, 5_000_000  # members of all sets, for a table, and for the problem's own checker
# The least bounds of sets that are listed for them. The problem's own checker finds those with lower bounds: for sets
# with the least one it looks two actions ahead from all members, or three, so often in a second at the least.
_ALL, _TWO_AHEAD, _THREE_AHEAD = 2, 4, 5
# Of pairs so many times as many are gone through in half of the time.
_A_SECOND, _LONGEST = 1_000_000, 200.0
_STEPS = 6
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
    tried = (_bounded_sets(search, *how) for how in _tries(search, bound, seconds))
    found = next((sets for sets in tried if sets is not None), None)
    if found is None:
        return None
    names = [*map(str, search.tables.futures)]
    sets = [[names[s] for s in some.tolist()] for some, _ in found]
    return {"argument": "futures", "sets": sets, "bounds": [_written(value) for _, value in found]}


def _tries(search: BoundedSearch, bound: float, seconds: float) -> Iterator[tuple[float, int, int]]:
    """The bounds to be shown, each with the least that is listed, and with how many members of sets there may be."""
    actions, looks = len(search.tables.percepts) or 1, _A_SECOND * min(seconds, _LONGEST)
    many, most = (int(min(_LARGEST, looks / each)) for each in (2 * actions, actions**2))
    for lower in _lowered(bound):
        for least, room in (_TWO_AHEAD, _FEW), (_THREE_AHEAD, most), (_TWO_AHEAD, many):
            yield lower, least, room


def _lowered(bound: float) -> Iterable[float]:
    return [bound] if bound == np.inf else range(int(bound), 0, -1)


def _written(bound: float) -> int | None:
    return None if bound == np.inf else int(bound)


def grounds_of_word(problem: Any, tables: FutureTables[Any], bound: Any, told: int | None = None) -> Grounds | None:
    """Return grounds of a bound of words, by `evidence_of_word`; None of one start, or if all can be listed."""
    is_small = len(tables.starts) < 2 or tables.after.size <= _FEW_PAIRS
    return None if is_small else Grounds(problem, {}, partial(evidence_of_word, tables, bound, told))


def evidence_of_word(
    tables: FutureTables[Any], bound: float, told: int | None = None, seconds: float = np.inf
) -> dict[str, Any] | None:
    """Return sets of pairs with bounds, as `evidence_of` does sets: a word must settle each pair.

    It tells all, or if one is `told` that one from the others, apart; or it makes two one, where futures may merge.
    If pairs show less than `evidence_of` plans does, than which no word is shorter, it is that.
    """
    starts = tables.starts[:_MOST_PAIRED]
    pairs = starts[np.stack(np.triu_indices(len(starts), 1), axis=1)]
    if told is not None:
        others = tables.starts[tables.starts != told]
        pairs = np.sort(np.stack([others, np.full_like(others, told)], axis=1), axis=1)
    shown, sets = _sets_of_pairs(tables, pairs, bound, seconds)
    search, depth = _new_search(tables, Run()), 1
    if told is not None and not sets and bound < np.inf:  # what the dearest pair shows is soon found
        listed = PairSets(search, _TWO_AHEAD, _FEW, _A_SECOND)
        sets = listed.found if listed.show(pairs, int(search.apart.rounds_of(*pairs.T).max())) else []
    names = [*map(str, tables.futures)]
    found = {
        "argument": "pairs",
        "sets": [[[names[s] for s in pair] for pair in some.tolist()] for some, _ in sets],
        "bounds": [_written(value) for _, value in sets],
    }
    if sets and (shown == bound or told is not None):
        return found
    with suppress(EffortExceeded, Undecidable):
        while told is None and not search.within(tables.starts, depth):
            depth += 1
            search.prepare(depth, soon=True, longest=1)
    if told is None and shown < depth and bound < np.inf:
        return evidence_of(search, depth, seconds)
    return found if sets else None


def _sets_of_pairs(
    tables: FutureTables[Any], pairs: Members, bound: float, seconds: float
) -> tuple[float, list[tuple[Members, float]]]:
    """The highest bound that sets of pairs are found to show, in half of the time, and these; none for 0."""
    looks, run = int(_A_SECOND * min(seconds, _LONGEST)), Run.of(Limits(seconds=min(seconds, 1e9) / 2))
    room, steps = min(_LARGEST, looks // (2 * len(tables.percepts) or 1)), _STEPS * looks
    try:
        search = _new_search(tables, run)
        for lower in _lowered(bound):
            steps //= 2
            listed = PairSets(search, _TWO_AHEAD, room, steps)
            with suppress(EffortExceeded, Undecidable):
                if lower < np.inf:
                    search.prepare(int(lower), soon=False, longest=int(lower))
                if listed.show(pairs, lower):
                    return lower, listed.found
    except LimitReached:
        if run.budget.seconds_left():  # it is a limit of another, who may not wait
            raise
    return 0, []


def _new_search(tables: FutureTables[Any], run: Run) -> BoundedSearch:
    search = BoundedSearch(tables, Record("iterative-deepening", None, run), run.budget)
    search.patience = PATIENCE
    return search


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
