"""Experiments that tell many futures apart, where none tells all."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bounded import BoundedSearch


class _Branch(NamedTuple):
    """Branch of an experiment, after a word: where those began that may be now, one for each that is now.

    Those that have answered alike have the same number in `told`.
    """

    word: list[int]
    began: NDArray[Any]
    now: NDArray[Any]
    alone: NDArray[np.bool_]
    told: NDArray[np.int64]


def told_apart(search: BoundedSearch, *, by_word: bool = False) -> dict[int, list[int] | None]:
    """Many futures that one plan, or word, tells apart: greedily, one for each way in which an experiment ends.

    Each time that action or word goes on which loses the least, and then makes the finest parts. Where only one can
    have answered so, the word that was given by then is its own.
    """
    starts = search.tables.starts
    found: dict[int, list[int] | None] = {}
    waiting = [_Branch([], starts, starts, np.ones(len(starts), np.bool_), np.zeros(len(starts), np.int64))]
    while waiting:
        search.tick()
        branch = waiting.pop()
        best: tuple[tuple[int, float, int], _Branch] | None = None
        for k in np.argsort(-np.bincount(branch.told)).tolist():
            some = branch.now[branch.told == k]
            if len(some) < 2 or best is not None:
                break
            for word in (search.least_lost(some), search.word(some, valid=True), search.word(some, valid=False)):
                tried = _after(search, branch, word)
                if tried is not None and (best is None or tried[0] < best[0]):
                    best = tried
        if best is None:
            own = branch.word if len(branch.now) == 1 and branch.alone[0] else None
            places = np.unique(branch.told, return_index=True)[1]
            found |= dict.fromkeys(branch.began[places].tolist(), own)
        elif by_word:
            waiting.append(best[1])
        else:
            word, began, now, alone, told = best[1]
            parts = [told == k for k in range(int(told.max()) + 1)]
            waiting += [_Branch(word, began[part], now[part], alone[part], 0 * told[part]) for part in parts]
    return found


def _after(search: BoundedSearch, branch: _Branch, word: list[int]) -> tuple[tuple[int, float, int], _Branch] | None:
    """The branch after a word, and how good it is, the least being best; None if it tells no more."""
    tables, count = search.tables, len(search.tables.futures)
    _, began, at, alone, told = branch
    for a in word:
        if (tables.percepts[a][at] < 0).any():
            return None
        _, first, many = np.unique(told * count + tables.pairs[a][at], return_index=True, return_counts=True)
        told = np.unique(told[first] * count + tables.percepts[a][at[first]], return_inverse=True)[1]
        began, at, alone = began[first], tables.after[a][at[first]], alone[first] & (many == 1)
    if told.max() == branch.told.max():
        return None
    score = (-len(at), float((np.bincount(told).astype(float) ** 2).sum()), len(word))
    return score, _Branch(branch.word + word, began, at, alone, told)
