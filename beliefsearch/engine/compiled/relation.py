"""The transitions of one action: a relation between numbers of states, as sparse lists."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray


@frozen(eq=False)
class Relation:
    """A relation between numbers: `i` is related to `targets[offsets[i]:offsets[i + 1]]`.

    `offsets` has an entry for each state and one more; `targets` is of the narrowest unsigned type that holds a state.
    """

    offsets: NDArray[np.int64]
    targets: NDArray[Any]

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]]) -> Relation:
        """The relation that is given row by row. O(pairs)."""
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        kind = narrowest(len(rows))
        return cls(offsets, np.fromiter(chain.from_iterable(rows), dtype=kind, count=int(offsets[-1])))

    @classmethod
    def from_matrix(cls, matrix: NDArray[Any], rows: NDArray[np.bool_] | None = None) -> Relation:
        """The relation whose row i is `matrix[i]`, or empty where `rows` is false."""
        states, width = matrix.shape
        lengths = np.full(states, width, dtype=np.int64) if rows is None else np.where(rows, width, 0)
        offsets = np.zeros(states + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        chosen = matrix if rows is None else matrix[rows]
        return cls(offsets, np.ascontiguousarray(chosen.ravel(), dtype=narrowest(states)))

    def inverse(self) -> Relation:
        """The relation the other way round. O(pairs log pairs)."""
        states = len(self.offsets) - 1
        sources = np.repeat(np.arange(states), np.diff(self.offsets))
        order = np.argsort(self.targets, kind="stable")
        offsets = np.zeros(states + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.targets, minlength=states), out=offsets[1:])
        return Relation(offsets, sources[order].astype(narrowest(states)))


def narrowest(states: int) -> type[Any]:
    """The narrowest unsigned type for the numbers of `states` states."""
    return np.uint16 if states <= 1 << 16 else np.uint32
