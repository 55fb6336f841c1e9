"""Bisimulation: states with the same future, in which all actions give the same percepts, costs and wins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled.observed_model import ObservedModel

# A partition is not refined in more rounds: where it takes so many, few states have the same future.
_MOST_ROUNDS = 64
# Odd numbers without a pattern.
_FACTORS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_SHIFT = np.uint64(31)


def first_with_same_future(
    model: ObservedModel[Any, Any], costs: NDArray[np.int64], tick: Callable[[], None]
) -> NDArray[np.int64]:
    """Return, by state, the first state known to have the same future, perhaps itself; shape (states,).

    `costs` are by state and action. Of two such states the goal sets around them, the actions with what these cost and
    the percepts are the same, and the results have the same future, in the order in which the model lists them. So it
    is a bisimulation: every other partition with this property is as sound, though the coarsest leaves the fewest
    states. It is found by refining, as of an automaton (Moore 1956), in O(transitions) for each round.
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
        # Nowhere 0: there the value 0, which stays 0 when it is mixed, would be as good as none.
        self._salt = (self._place + 1).astype(np.uint64) * _FACTORS[0]

    def refined(self, first: NDArray[np.int64], values: NDArray[Any]) -> NDArray[np.int64]:
        """Return a partition, by state the first of its block, refined by the rows of the states.

        States are put together by a hash, and then compared: one that is not like the first with its hash is divided
        from all others, which does no harm.
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
