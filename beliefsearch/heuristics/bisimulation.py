"""Bisimulation: states with the same future, in which equal actions give equal percepts, costs and wins for ever."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled.observed_model import ObservedModel

# A partition that needs more rounds is given up: few states have the same future then.
_MOST_ROUNDS = 64
# Random odd numbers.
_FACTORS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(31)


def first_with_same_future(
    model: ObservedModel[Any, Any], costs: NDArray[np.int64], tick: Callable[[], None]
) -> NDArray[np.int64]:
    """Return for each state the first state known to have the same future, perhaps itself; shape (states,).

    `costs` are row by row, with a row for each state. Two states of a block have the same goal sets, actions, costs and
    percepts, and their results, in the order of the model, are in the same blocks. Any such partition is sound; a
    coarser one leaves fewer states. It is found by partition refinement (E. F. Moore, 1956), in O(transitions) for each
    round.
    """
    states, actions = len(model.states), len(model.actions)
    by_action = _Rows(np.arange(states + 1) * actions)
    by_state = _Rows(model.rows.offsets[np.arange(states + 1) * actions])
    first = np.zeros(states, dtype=np.int64)
    first = by_action.refined(first, np.diff(model.rows.offsets))
    first = by_action.refined(first, costs)
    first = _Rows(model.goals_of).refined(first, model.goals_around)
    first = by_state.refined(first, model.rows.percepts)
    for _ in range(_MOST_ROUNDS):
        tick()
        finer = by_state.refined(first, first[model.rows.results])
        if np.array_equal(finer, first):
            return first
        first = finer
    return np.arange(states)


class _Rows:
    """Rows of values: each state has one, from `offsets[i]` to `offsets[i + 1]` of state i."""

    def __init__(self, offsets: NDArray[np.int64]) -> None:
        self._offsets = offsets
        self._lengths = np.diff(offsets)
        self._state = np.repeat(np.arange(len(self._lengths)), self._lengths)
        self._place = np.arange(offsets[-1]) - offsets[self._state]
        # Never 0: `_mixed` maps 0 to 0, so a first value 0 would hash like no value.
        self._salt = (self._place + 1).astype(np.uint64) * _FACTORS[0]

    def refined(self, first: NDArray[np.int64], values: NDArray[Any]) -> NDArray[np.int64]:
        """Return a partition, as the first state of each state's block, refined by the rows of the states.

        States with equal hashes are compared with the first of them. A state that differs from it becomes a block of
        its own, which is finer than necessary but sound.
        """
        sums = np.zeros(len(values) + 1, dtype=np.uint64)
        np.cumsum(_mixed(values.astype(np.uint64) + self._salt), out=sums[1:])
        hashes = sums[self._offsets[1:]] - sums[self._offsets[:-1]] + _mixed(~first.astype(np.uint64))
        _, firsts, inverse = np.unique(hashes, return_index=True, return_inverse=True)
        found = firsts[inverse]
        same = (first == first[found]) & (self._lengths == self._lengths[found])
        compared = np.minimum(self._offsets[found][self._state] + self._place, len(values) - 1)
        same[self._state[values != values[compared]]] = False
        return np.where(same, found, np.arange(len(first)))


def _mixed(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a hash of each value, by multiplying and shifting."""
    for factor in _FACTORS:
        values = values * factor
        values ^= values >> _SHIFT
    return values
