"""One step of a breadth-first search as pure functions of arrays of codes.

A *run* are codes in ascending order without repetitions; of several words the first counts most.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np

from .step_kernels import divide

if TYPE_CHECKING:
    from .space import Codes, Flags


def unique(codes: Codes) -> Codes:
    """The run of these codes, shape (nodes, words).

    Time O(n log n), memory that of `codes` once or twice.
    """
    ordered = _sorted(codes)
    return ordered[_firsts(ordered)]


def parts(codes: Codes, count: int) -> list[Codes]:
    """The codes in so many parts of about the same size, at most 65,536, by a hash that is the same everywhere.

    Codes keep their order, so that the parts of a run are runs.
    """
    if count == 1:
        return [codes]
    places = np.empty(len(codes), dtype=np.uint16)
    ends = np.zeros(count, dtype=np.int64)
    ordered = np.empty_like(codes)
    divide(codes, places, ends, ordered)
    bounds = [0, *ends.tolist()]
    return [ordered[start:end] for start, end in pairwise(bounds)]


def absent(codes: Codes, reached: Codes) -> Codes:
    """What of one run is not in another."""
    if not len(codes) or not len(reached):
        return codes
    if codes.shape[1] == 1:
        places = np.searchsorted(reached[:, 0], codes[:, 0])
        places[places == len(reached)] = 0
        new: Flags = reached[places, 0] != codes[:, 0]
        return codes[new]
    both = np.concatenate([reached, codes])
    order = np.lexsort(both.T[::-1])  # stable: what is reached stands before its equal
    return both[order[_firsts(both[order]) & (order >= len(reached))]]


def merged(first: Codes, second: Codes) -> Codes:
    """The run of two runs that have no code in common."""
    return _sorted(np.concatenate([first, second]), "stable")


def least(codes: Codes, most: int) -> Codes:
    """The run of at most so many of these codes, the least ones."""
    found = codes[:0]
    piece = max(most, 1 << 16)
    for start in range(0, len(codes), piece):
        found = unique(np.concatenate([found, codes[start : start + piece]]))[:most]
    return found


def _sorted(codes: Codes, kind: Literal["quicksort", "stable"] = "quicksort") -> Codes:
    """The codes in ascending order; the kind "stable" is quick where they consist of a few runs."""
    if codes.shape[1] == 1:
        return np.sort(codes, axis=0, kind=kind)
    return codes[np.lexsort(codes.T[::-1])]


def _firsts(codes: Codes) -> Flags:
    """Of codes in ascending order: whether each differs from the one before it."""
    new = np.ones(len(codes), dtype=np.bool_)
    if len(codes):
        np.any(codes[1:] != codes[:-1], axis=1, out=new[1:])
    return new
