"""Search for a plan of least worst-case cost, or for a shortest word, on sets of futures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ...model.belief import initial_states
from ...model.hooks import PresetHook
from ...plans.plan import ConditionalPlan
from ...plans.result import Grounds, SearchResult
from ...running.limits import EffortExceeded
from ...running.run import Record, Run
from ...solvers.contingent.plan_graph import plan_graph
from .bounded import ALL, BoundedSearch, Undecidable, one_group
from .descent import KNOWN
from .evidence import evidence_of, grounds_of_word, states_of
from .experiment import told_apart
from .narrow import PATIENCE, good_plans, good_words
from .tables import FutureTables, future_tables
from .telling import search_told

_FOLLOWED = 1_000  # sets of futures that are stuck, in which an action may be missing
_NAMED, _OPTION = 12, 40  # so many futures are named in a reason, and where they may be given as an option


def search_futures(problem: Any, run: Run) -> SearchResult[Any] | None:
    """Find a plan of least worst-case cost on sets of futures; None if the problem has none, or it might never end."""
    record: Record[Any, Any] = Record("and-or", problem, run)
    plan: ConditionalPlan[Any, Any] | None = None
    none: SearchResult[Any] | None = None
    grounds: Grounds | None = None
    try:
        with record:
            tables = future_tables(problem, record.tick)
            if tables is None:
                return None
            search = BoundedSearch(tables, record, run.budget)
            record.watch(lambda: int(search.work[KNOWN]))
            exists, depth = search.plan_exists(), search.least_depth()
            if exists is False:
                none = evolve(record.unsolvable(), engine="compiled", grounds=_grounds(problem, search, np.inf))
                return evolve(none, reason=_reason(problem, search))
            if exists and (search.is_minimal or not tables.merging):
                search.patience = PATIENCE
            while plan is None or plan.depth > depth:
                record.finish_layer(depth, 0)
                grounds = _grounds(problem, search, depth)
                search.prepare(depth, soon=exists is None, longest=1)
                try:
                    if search.within(tables.starts, depth):
                        plan = plan_graph(tables, tables.initial_node(), search.choose)
                    else:
                        depth += 1
                except EffortExceeded:
                    search.patience = ALL
                    for plan in good_plans(search, depth):
                        record.keep(plan, int(plan.depth))
                        record.announce()
            search.patience = ALL
            solved = record.solved(plan, int(plan.depth), depth)
            return evolve(solved, engine="compiled", grounds=_grounds(problem, search, depth))
    except Undecidable:
        if plan is None:
            return None
    return none or evolve(record.undecided(), engine="compiled", grounds=grounds)


def search_word(problem: Any, run: Run) -> SearchResult[Any] | None:
    """Find a shortest word of a problem that says what is played adaptively; None as of `search_futures`."""
    played = problem.adaptively() if isinstance(problem, PresetHook) else None
    if played is None:
        return None
    if problem.told():
        return search_told(problem, played, run)
    record: Record[Any, Any] = Record("iterative-deepening", problem, run)
    none: SearchResult[Any] | None = None
    grounds: Grounds | None = None
    try:
        with record:
            tables = future_tables(played, record.tick)
            if tables is None:
                return None
            search = BoundedSearch(tables, record, run.budget)
            record.watch(lambda: int(search.work[KNOWN]))
            if search.plan_exists() is False:
                # Its own checker knows what is told adaptively, while its states, groups, are others than the sets'.
                grounds = evolve(_grounds(problem, search, np.inf), cores=None)
                none = evolve(record.unsolvable(), engine="compiled", grounds=grounds)
                return evolve(none, reason=_reason(played, search, by_word=True))
            keep = 2 if (tables.percepts >= 0).all() else 1
            word, depth, is_none = None, search.least_depth(), False
            if not tables.merging or keep == 1:
                word, is_none = search.ended_word(one_group(tables.starts), keep)
            if is_none:
                return evolve(record.unsolvable(), engine="compiled", grounds=grounds_of_word(problem, tables, np.inf))
            if word is not None:
                depth = len(word)
            search.patience = PATIENCE
            while word is None or len(word) > depth:
                record.finish_layer(depth, 0)
                grounds = grounds_of_word(problem, tables, depth)
                search.prepare(depth, soon=False, longest=depth)
                try:
                    found = search.word_within(one_group(tables.starts), depth, keep)
                    word, depth = (word, depth + 1) if found is None else (found, depth)
                except EffortExceeded:
                    search.patience = ALL
                    for word in good_words(search, keep, depth):
                        record.keep([tables.actions_[a] for a in word], len(word))
                        record.announce()
            plan = [tables.actions_[a] for a in word]
            grounds = grounds_of_word(problem, tables, depth)
            return evolve(record.solved(plan, len(plan), len(plan)), engine="compiled", grounds=grounds)
    except Undecidable:
        return None
    return none or evolve(record.undecided(), engine="compiled", grounds=grounds)


def _reason(played: Any, search: BoundedSearch, *, by_word: bool = False) -> str:
    """Say which futures cannot be told apart, and how many can at least, by a plan or by one word."""
    tables = search.tables
    # The future of a start is named as the start is: it may be a state, and no text.
    shown = {played.future(start): played.format_state(start) for start in initial_states(played, search.tick)}
    names = [shown.get(future, str(future)) for future in tables.futures]
    stuck = [names[s] for s in search.why_none[0].tolist()]
    text = f"{_listed(stuck)} cannot be told apart" + (" or made one" if tables.merging else "")
    if (missing := _missing(tables, search.why_none[0])) is not None:
        action, place = missing
        text += f" (the action {played.format_action(tables.actions_[action])} does not apply in {names[place]})"
    told = {} if tables.merging else told_apart(search, by_word=by_word)
    if len(told) > 1:
        starts, few = tables.starts.tolist(), 2 * len(told) < len(tables.starts)
        named = _listed([names[s] for s in starts if (s in told) == few], _OPTION)
        text += f"; at least {len(told):,} of {len(starts):,} can{': ' if few else ', without '}{named}"
    return text


def _missing(tables: FutureTables[Any], stuck: NDArray[np.int32]) -> tuple[int, int] | None:
    """An action that does not apply in some future that is stuck, or follows: else more might be told apart."""
    if (tables.percepts >= 0).all():
        return None
    followed, waiting = {stuck.tobytes(): stuck}, [stuck]
    for some in waiting:  # grows while it is walked
        for action, percepts in enumerate(tables.percepts):
            lacking = some[percepts[some] < 0]
            if len(lacking):
                return action, int(lacking[0])
            for _, part in tables.open_parts(some, action) if len(waiting) < _FOLLOWED else ():
                if followed.setdefault(part.tobytes(), part) is part:
                    waiting.append(part)
    return None


def _grounds(problem: Any, search: BoundedSearch, bound: float) -> Grounds:
    return Grounds(problem, {}, partial(evidence_of, search, bound), partial(states_of, problem, search, bound))


def _listed(names: Sequence[str], most: int = _NAMED) -> str:
    return ",".join(names[:most]) + (f" and {len(names) - most:,} others" if len(names) > most else "")
