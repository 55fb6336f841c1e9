"""Rows of sparse tables: the rows lie one after the other, and row i runs from `pointers[i]` to `pointers[i + 1]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def spans(begins: NDArray[Any], lengths: NDArray[Any]) -> NDArray[np.int64]:
    """Return the places in several spans, each given by its first place and its length, one span after the other."""
    places: NDArray[np.int64] = np.arange(lengths.sum()) + np.repeat(begins - np.cumsum(lengths) + lengths, lengths)
    return places


def entries_of(pointers: NDArray[Any], rows: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the number of entries of each of some rows, and the places of all their entries, row by row."""
    counts = np.diff(pointers)[rows]
    return counts, spans(np.asarray(pointers)[rows], counts)


def sums_between(numbers: NDArray[np.float64], bounds: NDArray[Any]) -> NDArray[np.float64]:
    """Return the sum of the numbers from each bound to the next; 0 if there are none."""
    filled = np.diff(bounds) > 0
    found = np.zeros(len(filled))
    if filled.any():
        found[filled] = np.add.reduceat(numbers, bounds[:-1][filled])
    return found
