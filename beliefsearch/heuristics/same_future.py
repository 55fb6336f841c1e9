"""States with the same future: whatever is done, the same is perceived, paid and won; one stands for all of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled.observed_model import ObservedModel

# A partition is not refined in more rounds: where it takes so many, few states have the same future.
_MOST_ROUNDS = 64


def first_with_same_future(
    model: ObservedModel[object, object], costs: NDArray[np.int64], tick: Callable[[], None]
) -> NDArray[np.int64]:
    """By state: the first of those known to have the same future, perhaps itself; shape (states,).

    `costs` are by state and action. Of two such states the goal sets around them, the actions with what these cost and
    the percepts are the same, and the results have the same future, in the order in which the model lists them. So it
    is a bisimulation: every other partition with this property is as sound, though the coarsest leaves the fewest
    states. It is found by refining, as of an automaton (Moore 1956), in O(transitions) for each round.
    """
    states, actions = len(model.states), len(model.actions)
    by_action = np.arange(states + 1) * actions
    by_state = model.offsets[by_action]
    first = np.zeros(states, dtype=np.int64)
    first = _refined(first, by_action, np.diff(model.offsets))
    first = _refined(first, by_action, costs)
    first = _refined(first, by_state, model.percept_of)
    first = _refined(first, model.goals_of, model.goals_around)
    for _ in range(_MOST_ROUNDS):
        tick()
        finer = _refined(first, by_state, first[model.result_of])
        if np.array_equal(finer, first):
            return first
        first = finer
    return np.arange(states)


def _refined(first: NDArray[np.int64], offsets: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The partition divided by the rows of values that states have, `values[offsets[i] : offsets[i + 1]]` of state i.

    States are put together by a hash of all, and then compared: one that is not like the first with its hash is divided
    from all others, which does no harm.
    """
    lengths = np.diff(offsets)
    place = np.arange(len(values)) - np.repeat(offsets[:-1], lengths)
    sums = np.zeros(len(values) + 1, dtype=np.uint64)
    np.cumsum(_mixed(values, place), out=sums[1:])
    hashes = sums[offsets[1:]] - sums[offsets[:-1]] + _mixed(first, lengths)
    _, firsts, inverse = np.unique(hashes, return_index=True, return_inverse=True)
    found = firsts[inverse]
    same = (first == first[found]) & (lengths == lengths[found])
    state = np.repeat(np.arange(len(first)), lengths)
    compared = same[state]
    differs = values[compared] != values[(offsets[found[state]] + place)[compared]]
    same[state[compared][differs]] = False
    return np.where(same, found, np.arange(len(first)))


def _mixed(values: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A hash of each value and its place, by multiplying and shifting."""
    mixed = values.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + places.astype(np.uint64)
    for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))
