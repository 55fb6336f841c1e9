"""Search for a plan of least worst-case cost, or for a shortest word, on sets of futures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ...model.hooks import PresetHook
from ...plans.plan import ConditionalPlan
from ...plans.result import Grounds, SearchResult
from ...running.run import Record, Run
from ...solvers.contingent.plan_graph import plan_graph
from .bounded import DEEPEST, BoundedSearch, Undecidable
from .evidence import evidence_of
from .kernels import word_within
from .memo import new_memo
from .tables import future_tables

_NAMED, _LEFT_OUT = 12, 60  # so many futures are named in a reason


def search_futures(problem: Any, run: Run) -> SearchResult[Any] | None:
    """Find a plan of least worst-case cost on sets of futures; None if the problem has none, or it might never end."""
    record: Record[Any, Any] = Record("and-or", problem, run)
    plan: ConditionalPlan[Any, Any] | None = None
    try:
        with record:
            tables = future_tables(problem, record.tick)
            if tables is None:
                return None
            search = BoundedSearch(tables, record, run.budget)
            record.watch(lambda: int(search.room.work[2]))
            exists, depth = search.plan_exists(), 0
            if exists is False:
                return evolve(record.unsolvable(), engine="compiled", **_reasons(problem, search))
            while not search.within(tables.starts, depth):
                depth += 1
                record.finish_layer(depth, 0)
                search.prepare(depth, soon=exists is None)
                if exists and search.is_long and plan is None and (search.is_minimal or not tables.merging):
                    plan = plan_graph(tables, tables.initial_node(), search.choose_greedily)
                    if plan.depth <= depth:
                        break
            else:
                plan = plan_graph(tables, tables.initial_node(), search.choose)
            solved = record.solved(plan, int(plan.depth), depth)
            return evolve(solved, engine="compiled", grounds=_grounds(problem, search, depth))
    except Undecidable:
        return None
    stopped = record.undecided()
    if plan is not None:
        stopped = evolve(record.solved(plan, int(plan.depth), record.lower_bound), reason=stopped.reason)
    return evolve(stopped, engine="compiled")


def search_word(problem: Any, run: Run) -> SearchResult[Any] | None:
    """Find a shortest word of a problem that says what is played adaptively; None as of `search_futures`."""
    played = problem.adaptively() if isinstance(problem, PresetHook) else None
    if played is None:
        return None
    record: Record[Any, Any] = Record("iterative-deepening", problem, run)
    try:
        with record:
            tables = future_tables(played, record.tick)
            if tables is None:
                return None
            search = BoundedSearch(tables, record, run.budget)
            record.watch(lambda: int(search.room.work[2]))
            if search.plan_exists() is False:
                return evolve(record.unsolvable(), engine="compiled", **_reasons(problem, search))
            keep = 2 if (tables.after >= 0).all() else 1
            size = len(tables.starts)
            groups, word = np.array([0, size], np.int64), np.zeros(DEEPEST, np.int32)
            ended = _ended_word(search, keep, word) if not tables.merging or keep == 1 else None
            if ended == -1:
                return evolve(record.unsolvable(), engine="compiled")
            depth = ended or 0
            while ended is None and not _word_found(search, groups, size > 1, keep, depth, word):
                depth += 1
                record.finish_layer(depth, 0)
                search.prepare(depth, soon=False)
            plan = [tables.actions_[a] for a in word[:depth][::-1]]
            return evolve(record.solved(plan, depth, depth), engine="compiled")
    except Undecidable:
        return None
    return evolve(record.undecided(), engine="compiled")


def _word_found(
    search: BoundedSearch, groups: NDArray[np.int64], is_open: bool, keep: int, depth: int, word: NDArray[np.int32]
) -> bool:
    """Whether a word of this length wins; it is written backwards."""
    size = int(groups[-1])
    stack = np.zeros(size * (depth + 2) + 64, np.int32)
    stack[:size] = search.tables.starts
    return search.decided(
        lambda: word_within(search.futures, search.room, search.memo, stack, groups, int(is_open), keep, depth, word)
    )


def _ended_word(search: BoundedSearch, keep: int, word: NDArray[np.int32]) -> int | None:
    """The length of a shortest word, or -1 if there is none; None if more than a little can come up.

    Without bounds that depend on what is left every set of groups is remembered, so that there is none as soon as no
    new ones come up.
    """
    size = len(search.tables.starts)
    bounded, nothing = search.futures, np.zeros((0, 0))
    search.futures = bounded._replace(
        most=np.zeros(0, np.int64), classes=nothing.astype(np.int32), costs=nothing.astype(np.uint16)
    )
    try:
        depth, kept = 0, -1
        while not search.is_long and depth < DEEPEST:
            if _word_found(search, np.array([0, size], np.int64), size > 1, keep, depth, word):
                return depth
            if depth > 1 and int(search.room.work[2]) == kept:
                return -1
            kept, depth = int(search.room.work[2]), depth + 1
        return None
    finally:
        search.futures, search.memo = bounded, new_memo()
        search.room.work[2] = 0


def _reasons(problem: Any, search: BoundedSearch) -> dict[str, Any]:
    """Say which futures cannot be told apart, and which many can, with the sets that prove it, as parts of a result."""
    tables = search.tables
    names = [*map(str, tables.futures)]
    stuck = [names[s] for s in search.why_none[0].tolist()]
    text = f"{_listed(stuck)} cannot be told apart" + (" or made one" if tables.merging else "")
    if not tables.merging:
        told = largest_told_apart(search)
        left_out = [names[s] for s in tables.starts.tolist() if s not in told]
        text += f"; {len(told):,} of {len(tables.starts):,} can, without {_listed(left_out, _LEFT_OUT)}"
    return {"reason": text, "grounds": _grounds(problem, search, np.inf)}


def _grounds(problem: Any, search: BoundedSearch, bound: float) -> Grounds:
    return Grounds(problem, {}, partial(evidence_of, search, bound))


def _listed(names: Sequence[str], most: int = _NAMED) -> str:
    return ",".join(names[:most]) + (f" and {len(names) - most:,} others" if len(names) > most else "")


def largest_told_apart(search: BoundedSearch) -> set[int]:
    """Many futures that one plan tells apart: greedily, one for each way in which an experiment ends.

    Each time that action or word goes on which loses the least, and then makes the finest parts.
    """
    tables, count = search.tables, len(search.tables.futures)
    found: set[int] = set()
    waiting = [(tables.starts, tables.starts)]
    while waiting:
        began, now = waiting.pop()
        best: tuple[tuple[int, float, int], Any, Any, Any] | None = None
        words = [[a] for a in range(len(tables.after))] + [search.word(now, valid=valid) for valid in (True, False)]
        search.tick()
        for word in words if len(now) > 1 else []:
            starts, at, told = began, now, np.zeros(len(now), np.int64)
            for a in word:
                if (tables.after[a][at] < 0).any():
                    break
                told = told * count + tables.pairs[a][at]
                _, first = np.unique(told, return_index=True)
                told = np.unique(
                    told[first] // len(tables.futures) * len(tables.futures) + tables.percepts[a][at[first]],
                    return_inverse=True,
                )[1]
                starts, at = starts[first], tables.after[a][at[first]]
            else:
                if told.max(initial=0):
                    score = (-len(at), float((np.bincount(told).astype(float) ** 2).sum()), len(word))
                    if best is None or score < best[0]:
                        best = score, told, starts, at
        if best is None:
            found.add(int(began[0]))
        else:
            _, told, starts, at = best
            waiting += [(starts[told == k], at[told == k]) for k in range(int(told.max()) + 1)]
    return found
