"""Experiments that tell many futures apart, where none tells all."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bounded import BoundedSearch


class _Branch(NamedTuple):
    """Branch of an experiment, after a word: where those began that may be now, one for each that is now."""

    word: list[int]
    began: NDArray[Any]
    now: NDArray[Any]
    alone: NDArray[np.bool_]


def told_apart(search: BoundedSearch) -> dict[int, list[int] | None]:
    """Many futures that one plan tells apart: greedily, one for each way in which an experiment ends.

    Each time that action or word goes on which loses the least, and then makes the finest parts. Where only one can
    have answered so, the word that was given by then is its own.
    """
    starts = search.tables.starts
    found: dict[int, list[int] | None] = {}
    waiting = [_Branch([], starts, starts, np.ones(len(starts), np.bool_))]
    while waiting:
        search.tick()
        branch = waiting.pop()
        best: tuple[tuple[int, float, int], list[_Branch]] | None = None
        if len(branch.now) > 1:
            words = [search.least_lost(branch.now)]
            words += [search.word(branch.now, valid=valid) for valid in (True, False)]
            for word in words:
                tried = _after(search, branch, word)
                if tried is not None and (best is None or tried[0] < best[0]):
                    best = tried
        if best is None:
            found[int(branch.began[0])] = branch.word if len(branch.now) == 1 and branch.alone[0] else None
        else:
            waiting += best[1]
    return found


def _after(
    search: BoundedSearch, branch: _Branch, word: list[int]
) -> tuple[tuple[int, float, int], list[_Branch]] | None:
    """The branches after a word, and how good it is, the least being best; None if it is of no use."""
    tables, count = search.tables, len(search.tables.futures)
    told, (_, began, at, alone) = np.zeros(len(branch.now), np.int64), branch
    for a in word:
        if (tables.percepts[a][at] < 0).any():
            return None
        _, first, many = np.unique(told * count + tables.pairs[a][at], return_index=True, return_counts=True)
        told = np.unique(told[first] * count + tables.percepts[a][at[first]], return_inverse=True)[1]
        began, at, alone = began[first], tables.after[a][at[first]], alone[first] & (many == 1)
    if not told.max(initial=0):
        return None
    score = (-len(at), float((np.bincount(told).astype(float) ** 2).sum()), len(word))
    parts = [told == k for k in range(int(told.max()) + 1)]
    return score, [_Branch(branch.word + word, began[part], at[part], alone[part]) for part in parts]
