"""Words that tell one start from all others (unique input/output sequences): shortest ones, or bounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import Any

import numpy as np
from attrs import define, evolve

from ...plans.result import SearchResult
from ...running.limits import EffortExceeded
from ...running.run import Record, Run
from .bounded import BoundedSearch, Groups, Undecidable
from .evidence import grounds_of_word
from .experiment import told_apart
from .partitions import NEVER_APART
from .tables import FutureTables, future_tables

# Elementary steps for each start in round 0; in each later round they are so many times as many. One start alone begins
# with round 1. The experiment that gives words is dear where only one is sought, and comes before round 2 then.
_PATIENCE, _GROWTH, _EXPERIMENT = 1_000_000, 20, 2


@define
class _Told:
    """Start of which no shorter word than `least` tells, and the word known; `why` there is none.

    So many elementary steps were spent on it in this round. It is hopeless if more sets come up than can be remembered.
    """

    place: int
    least: int
    word: list[int] | None = None
    why: str = ""
    spent: int = 0
    is_hopeless: bool = False

    @property
    def is_open(self) -> bool:
        return not (self.why or self.is_hopeless) and (self.word is None or self.least < len(self.word))


def search_told(problem: Any, played: Any, run: Run) -> SearchResult[Any] | None:
    """Find a shortest word by which the one start that is told differs from all others; None as of `search_futures`."""
    return next((found for _, found in search_each_told(problem, played, run)), None)


def search_each_told(problem: Any, played: Any, run: Run) -> Iterator[tuple[Any, SearchResult[Any]]]:
    """Yield each start that is told, with the answer for it: a shortest word, none, or bounds if a limit was reached.

    There are rounds of more and more effort for each start. None is yielded where `search_futures` gives None.
    """
    record: Record[Any, Any] = Record("iterative-deepening", problem, run)
    every = [_Told(0, 0) for _ in problem.told()]
    tables: FutureTables[Any] | None = None
    with record:
        tables = future_tables(played, record.tick)
        if tables is None:
            return
        search = BoundedSearch(tables, record, run.budget)
        every = _begun(search, problem, played)
        first, experiment = (0, 0) if len(every) > 1 else (1, _EXPERIMENT)
        for number in count(first):
            waiting = [told for told in every if told.is_open]
            if not waiting:
                break
            words = told_apart(search) if number == experiment else {}
            for told in waiting:
                told.word = told.word or words.get(told.place)
            search.patience = _PATIENCE * _GROWTH**number
            _look(search, record, waiting, is_thorough=number > 0)
    for state, told in zip(problem.told(), every, strict=True):
        yield state, _result(problem, record, tables, told)


def _begun(search: BoundedSearch, problem: Any, played: Any) -> list[_Told]:
    """Begin with what partitions tell of starts."""
    names, found = search.tables.futures, []
    number_of = {future: number for number, future in enumerate(names)}
    starts, apart = search.tables.starts, search.apart
    starts = starts[np.argsort(apart.place[starts])]  # each is told last from one beside it
    rounds, place_of = apart.rounds_of(starts[:-1], starts[1:]).tolist(), {s: k for k, s in enumerate(starts.tolist())}
    for state in problem.told():
        place = number_of[played.future(state)]
        at = place_of[place]
        near = [(rounds[k], starts[k + (k == at)]) for k in (at - 1, at) if 0 <= k < len(rounds)]
        least, other = max(near, default=(0, place))
        why = f"{names[place]} cannot be told from {names[other]}" if least == NEVER_APART else ""
        found.append(_Told(place, least, why=why))
    return found


def _group(search: BoundedSearch, told: _Told) -> Groups:
    """The pairs of the start and each other one."""
    others = search.tables.starts[search.tables.starts != told.place]
    return np.stack([np.full_like(others, told.place), others], axis=1).ravel(), np.arange(0, 2 * len(others) + 1, 2)


def _look(search: BoundedSearch, record: Record[Any, Any], waiting: list[_Told], *, is_thorough: bool) -> None:
    """Look for the word of each start, of one length after the other, as long as the search has patience for it."""
    for told in waiting:
        told.spent = 0
        if is_thorough or told.word is None:
            _end_soon(search, told)
    while waiting := [told for told in waiting if told.is_open and told.spent <= search.patience]:
        length = min(told.least for told in waiting)
        record.finish_layer(length, 0)
        for told in waiting:
            if told.least == length:
                begun = search.spent
                with suppress(EffortExceeded):
                    _look_at(search, told)
                told.spent += search.spent - begun


def _look_at(search: BoundedSearch, told: _Told) -> None:
    """Look for a word of the least length."""
    try:
        search.prepare(told.least, soon=False)
        word = search.word_within(_group(search, told), told.least, 2)
    except Undecidable:
        search.forget()
        told.is_hopeless = True
        return
    if word is None:
        told.least += 1
    else:
        told.word = word


def _end_soon(search: BoundedSearch, told: _Told) -> None:
    """Decide where all that can come up is so little that it decides."""
    word, is_none = search.ended_word(_group(search, told), 2, patience=search.patience)
    if word is not None:
        told.word, told.least = word, len(word)
    elif is_none:
        told.why = f"no word tells {search.tables.futures[told.place]} from the others"


def _result(problem: Any, record: Record[Any, Any], tables: FutureTables[Any] | None, told: _Told) -> SearchResult[Any]:
    record.lower_bound = told.least
    if told.why:
        found = evolve(record.unsolvable(), reason=told.why)
    elif told.word is None or tables is None:
        found = record.undecided()
        found = evolve(found, reason=found.reason or "more sets came up than can be remembered")
    else:
        plan = [tables.actions_[a] for a in told.word]
        found = record.solved(plan, len(plan), told.least)
    grounds = None if tables is None else grounds_of_word(problem, tables, found.lower_bound, told.place)
    return evolve(found, engine="compiled", grounds=grounds)
