"""Dominance among beliefs as rows of words: which one of those that are kept lies in a given one."""

from __future__ import annotations

from math import inf

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...model.problem import Cost
from .jit import kernel
from .kernels import includes
from .set_index import SetIndex
from .words import Words, words_of_bytes

# The last beliefs are compared one by one; so many together are put into an index.
_RECENT = 8192


class ArrayDominance:
    """The beliefs kept, of `width` words: the last ones in an array, the others in indexes; see `solvers.dominance`.

    What lies in a belief has a complement that includes the belief's, so the indexes are of complements. As soon as two
    are of the same size they become one, so there are few. Costs are compared as floats, rounded up for what is kept
    and down for what is asked about, so that rounding never prunes too much.
    """

    def __init__(self, width: int) -> None:
        self._beliefs: Words = np.empty((_RECENT, width), dtype=np.uint64)
        self._costs = np.empty(_RECENT)
        self._count = 0
        self._parts: list[_Part] = []

    def dominates(self, state: bytes, g: Cost) -> bool:
        below = float(g) if float(g) <= g else np.nextafter(float(g), -inf)
        belief = words_of_bytes(state)
        if _dominates(self._beliefs, self._costs, self._count, belief, below):
            return True
        return any(part.dominates(~belief, below) for part in self._parts)

    def add(self, state: bytes, g: Cost) -> None:
        self._beliefs[self._count] = words_of_bytes(state)
        self._costs[self._count] = float(g) if float(g) >= g else np.nextafter(float(g), inf)
        self._count += 1
        if self._count < _RECENT:
            return
        self._count = 0
        complements, costs = ~self._beliefs, self._costs.copy()
        while self._parts and len(self._parts[-1].costs) <= len(costs):
            last = self._parts.pop()
            complements, costs = np.concatenate([last.complements, complements]), np.concatenate([last.costs, costs])
        self._parts.append(_Part.of(complements, costs))


@frozen(eq=False)
class _Part:
    """Some of the beliefs kept: their complements in the order of their costs, and an index of these."""

    complements: Words
    costs: NDArray[np.float64]
    index: SetIndex

    @classmethod
    def of(cls, complements: Words, costs: NDArray[np.float64]) -> _Part:
        order = np.argsort(costs, kind="stable")
        complements = complements[order]
        return cls(complements, costs[order], SetIndex(complements, 64 * complements.shape[1]))

    def dominates(self, complement: Words, cost: float) -> bool:
        """Whether one of these beliefs lies in the belief with this complement and costs no more."""
        cheap = np.searchsorted(self.costs, [cost], side="right")
        if not complement.any():
            return bool(cheap[0])
        return bool(self.index.find(complement[np.newaxis], cheap)[0] >= 0)


@kernel
def _dominates(beliefs: Words, costs: NDArray[np.float64], count: int, belief: Words, cost: float) -> bool:
    for number in range(count):  # noqa: SIM110  # a generator cannot be compiled
        if costs[number] <= cost and includes(belief, beliefs[number]):
            return True
    return False
