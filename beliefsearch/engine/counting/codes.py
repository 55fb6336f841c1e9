"""One step of a breadth-first search as pure functions of arrays of codes.

A *run* are codes in ascending order without repetitions; of several words the first counts most.

What is explored, as codes: nodes are rows of 64-bit words, and nothing else is known of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Codes: TypeAlias = NDArray[np.uint64]
"""Nodes, one a row: unsigned 64-bit integers of shape (nodes, words)."""

Flags: TypeAlias = NDArray[np.bool_]
"""One for each node."""


class Space(Protocol):
    """States, or beliefs, as codes, and what follows them.

    It can be pickled, so that a cluster may send it to where the work is done. Every array that is given is
    C-contiguous; none of them is changed by whom it is given to.

    A code has so many `words`. If codes have one word and fill much of the numbers below a `bound`, no code reaches it.
    """

    words: int
    bound: int | None
    actions: int

    def starts(self) -> Codes:
        """Return the codes at which the exploration begins."""
        ...

    def successors(self, codes: Codes) -> Codes:
        """Return the successors of these nodes under all actions, in any order, repetitions allowed."""
        ...

    def results(self, codes: Codes, action: int) -> tuple[Codes, NDArray[np.intp]]:
        """Return the successors of these nodes under one action, and the row of the node that each follows."""
        ...

    def goals(self, codes: Codes) -> Flags:
        """Mark the nodes that are goals."""
        ...

    def values(self, codes: Codes) -> list[Any]:
        """Return the values of these codes: states, or beliefs as frozensets of states."""
        ...


class Layers(Protocol):
    """A breadth-first search that is told to find the next layer, and remembers all nodes."""

    @property
    def counts(self) -> list[int]:
        """Return the numbers of nodes at each distance from the starts, of the layers that are complete."""
        ...

    def advance(self) -> int:
        """Find the next layer; the number of its nodes, which is added to `counts` unless it is 0: there is none."""
        ...

    def last(self, most: int) -> Codes:
        """Return at most so many nodes of the last layer, those with the least codes."""
        ...


_ALL_BUT_16 = np.uint64(48)


def unique(codes: Codes) -> Codes:
    """Return the run of these codes, shape (nodes, words); memory that of `codes` once or twice."""
    ordered = _sorted(codes)
    return ordered[_firsts(ordered)]


def union(runs: Sequence[Codes]) -> Codes:
    """Return the union of one or more runs; about four times as quick as `unique` of them."""
    ordered = _sorted(np.concatenate(runs), "stable")
    return ordered[_firsts(ordered)]


def parts(codes: Codes, count: int) -> list[Codes]:
    """Divide codes into so many parts of about the same size, at most 65,536, by a hash that is the same everywhere.

    Codes keep their order, so that the parts of a run are runs.
    """
    if count == 1:
        return [codes]
    places = ((hashes(codes) >> _ALL_BUT_16) * np.uint64(count) >> np.uint64(16)).astype(np.uint16)
    ordered = codes[np.argsort(places, kind="stable")]
    ends = np.cumsum(np.bincount(places, minlength=count)).tolist()
    return [ordered[start:end] for start, end in pairwise([0, *ends])]


def absent(codes: Codes, reached: Codes) -> Codes:
    """Return the codes of one run that are not in another."""
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
    """Return the union of two runs that have no code in common."""
    return _sorted(np.concatenate([first, second]), "stable")


def least(codes: Codes, most: int) -> Codes:
    """Return the run of at most so many of these codes, the least ones."""
    found = codes[:0]
    piece = max(most, 1 << 16)
    for start in range(0, len(codes), piece):
        others = codes[start : start + piece]
        if found.shape == (most, 1) and most:  # then most of what follows need not be sorted
            others = others[others[:, 0] < found[-1]]
        found = unique(np.concatenate([found, others]))[:most]
    return found


def hashes(codes: Codes) -> NDArray[np.uint64]:
    """Hash each code to 64 well-mixed bits, as `kernels.hash_of` does."""
    mixed = np.zeros(len(codes), dtype=np.uint64)
    for word in range(codes.shape[1]):
        mixed ^= codes[:, word]
        mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(32)
    return mixed


def _sorted(codes: Codes, kind: Literal["quicksort", "stable"] = "quicksort") -> Codes:
    """Sort codes in ascending order; the kind "stable" is quick where they consist of a few runs."""
    if codes.shape[1] == 1:
        return np.sort(codes, axis=0, kind=kind)
    return codes[np.lexsort(codes.T[::-1])]


def _firsts(codes: Codes) -> Flags:
    """Mark, among codes in ascending order, each that differs from the one before it."""
    new = np.ones(len(codes), dtype=np.bool_)
    if len(codes):
        np.any(codes[1:] != codes[:-1], axis=1, out=new[1:])
    return new
