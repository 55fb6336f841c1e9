"""Dominance among beliefs as rows of words, by one compiled scan over all kept beliefs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...model.problem import Cost
from .jit import kernel
from .kernels import includes
from .sensorless_view import words
from .words import Words


class ArrayDominance:
    """The beliefs kept, of `width` words, in one array; see `solvers.dominance`.

    Costs are compared as floats, rounded up for what is kept and down for what is asked about, so that rounding
    never prunes too much.
    """

    def __init__(self, width: int) -> None:
        self._beliefs: Words = np.empty((1024, width), dtype=np.uint64)
        self._costs = np.empty(1024)
        self._count = 0

    def dominates(self, state: bytes, g: Cost) -> bool:
        below = float(g) if float(g) <= g else np.nextafter(float(g), -np.inf)
        return _dominates(self._beliefs, self._costs, self._count, words(state), below)

    def add(self, state: bytes, g: Cost) -> None:
        if self._count == len(self._beliefs):
            self._beliefs = np.concatenate([self._beliefs, np.empty_like(self._beliefs)])
            self._costs = np.concatenate([self._costs, np.empty_like(self._costs)])
        self._beliefs[self._count] = words(state)
        self._costs[self._count] = float(g) if float(g) >= g else np.nextafter(float(g), np.inf)
        self._count += 1


@kernel
def _dominates(beliefs: Words, costs: NDArray[np.float64], count: int, belief: Words, cost: float) -> bool:
    for number in range(count):  # noqa: SIM110  # a generator cannot be compiled
        if costs[number] <= cost and includes(belief, beliefs[number]):
            return True
    return False
