"""Words that tell one start from all others (unique input/output sequences): shortest ones, or bounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import define, evolve
from numpy.typing import NDArray

from ...plans.result import SearchResult
from ...running.limits import EffortExceeded
from ...running.run import Record, Run
from .bounded import BoundedSearch, Undecidable
from .experiment import told_apart
from .partitions import NEVER_APART
from .tables import FutureTables, future_tables

# Elementary steps for one start and length where all are told; and where one is, before an experiment is made.
_PATIENCE, _MORE, _NO_END = 500_000, 200_000_000, 1 << 60
_GAVE_UP = "more effort for one start is spent where it is asked for alone"
_SOON = 3  # where all are told, it is looked at so late whether little can come up
_LONGEST = 1000  # a longer word is not sought where all are told


@define
class _Told:
    """Start of which no shorter word than `least` tells, and the word known; `why` there is none."""

    place: int
    least: int
    word: list[int] | None = None
    why: str = ""

    @property
    def is_open(self) -> bool:
        return not self.why and (self.word is None or self.least < len(self.word))


def search_told(problem: Any, played: Any, run: Run) -> SearchResult[Any] | None:
    """Find a shortest word by which the one start that is told differs from all others; None as of `search_futures`."""
    record: Record[Any, Any] = Record("iterative-deepening", problem, run)
    told: _Told | None = None
    with record:
        tables = future_tables(played, record.tick)
        if tables is None:
            return None
        search = BoundedSearch(tables, record, run.budget)
        (told,) = _begun(search, problem, played)
        _end_soon(search, told)
        search.patience = _MORE
        while told.is_open:
            record.finish_layer(told.least, 0)
            try:
                _look(search, told)
            except EffortExceeded:
                search.patience = _NO_END
                told.word = told_apart(search).get(told.place)
            except Undecidable:  # what is known by then
                break
    return None if told is None else _result(record, tables, told)


def search_each_told(problem: Any, played: Any, run: Run) -> Iterator[tuple[Any, SearchResult[Any]]]:
    """Yield each start that is told, with the answer for it: a shortest word, none, or bounds, by some effort each."""
    record: Record[Any, Any] = Record("iterative-deepening", problem, run)
    every: list[_Told] = []
    tables: FutureTables[Any] | None = None
    with record:
        tables = future_tables(played, record.tick)
        assert tables is not None  # of a machine in which nothing is left to chance
        search = BoundedSearch(tables, record, run.budget)
        every = _begun(search, problem, played)
        words = told_apart(search)
        for told in every:
            told.word = words.get(told.place)
        search.patience = _PATIENCE
        waiting = every
        for length in range(_LONGEST):
            waiting = [told for told in waiting if told.is_open]
            for told in waiting if length else ():
                if told.least > length or (length == _SOON and told.word is None and _end_soon(search, told)):
                    continue
                try:
                    _look(search, told)
                except (EffortExceeded, Undecidable):
                    waiting = [other for other in waiting if other is not told]
            if not waiting:
                break
    for state, told in zip(problem.told(), every, strict=True):
        yield state, _result(record, tables, told)


def _begun(search: BoundedSearch, problem: Any, played: Any) -> list[_Told]:
    """Begin with what partitions tell of starts."""
    names, found = search.tables.futures, []
    number_of = {future: number for number, future in enumerate(names)}
    for state in problem.told():
        place = number_of[played.future(state)]
        other, least = search.apart.last_apart_from(place, search.tables.starts)
        why = f"{names[place]} cannot be told from {names[other]}" if least == NEVER_APART else ""
        found.append(_Told(place, least, why=why))
    return found


def _members(search: BoundedSearch, told: _Told) -> NDArray[np.int32]:
    starts = search.tables.starts
    return np.concatenate([[told.place], starts[starts != told.place]]).astype(np.int32)


def _look(search: BoundedSearch, told: _Told) -> None:
    """Look for a word of the least length."""
    search.prepare(told.least, soon=False)
    word = search.word_within(_members(search, told), told.least, 1, told=True)
    if word is None:
        told.least += 1
    else:
        told.word = word


def _end_soon(search: BoundedSearch, told: _Told) -> bool:
    """Whether all that can come up is so little that it decides."""
    if told.is_open:
        word, is_none = search.ended_word(_members(search, told), 1, told=True)
        if word is not None:
            told.word, told.least = word, len(word)
        elif is_none:
            told.why = f"no word tells {search.tables.futures[told.place]} from the others"
    return not told.is_open


def _result(record: Record[Any, Any], tables: FutureTables[Any] | None, told: _Told) -> SearchResult[Any]:
    record.lower_bound = told.least
    if told.why:
        return evolve(record.unsolvable(), engine="compiled", reason=told.why)
    if told.word is None or tables is None:
        stopped = record.undecided()
        return evolve(stopped, engine="compiled", reason=stopped.reason or _GAVE_UP)
    plan = [tables.actions_[a] for a in told.word]
    return evolve(record.solved(plan, len(plan), told.least), engine="compiled")
