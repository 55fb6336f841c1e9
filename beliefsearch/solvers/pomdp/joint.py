"""Joint probabilities of percepts and results for each action and state, from which all bounds are computed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from attrs import frozen

from ..sparse_rows import entries_of as entries_of  # the proofs import both from here
from ..sparse_rows import sums_between as sums_between
from .arrays import NEVER as DOES_NOT_APPLY

if TYPE_CHECKING:
    from .arrays import Floats, Integers, PomdpArrays, Truths

NEVER = -1e300
"""The value of an action where it does not apply: finite, so that its product with a probability of 0 is 0, and so low
that sums with it are below all other values."""
RULED_OUT = -1e200
"""A lower value is a sum that contains `NEVER`."""

# A smaller probability of a percept is a rounding error.
_LEAST_CHANCE = 1e-290
# The most entries of a matrix that is dense; for a larger one SciPy is worth loading.
_MOST_DENSE = 4_000_000
# The most products in sums by NumPy; for more SciPy is worth loading.
_FEW_PRODUCTS = 200_000
LEAST_END = 1e-9
"""The game may end in a row whose sum is below 1 by more than this."""


def known_lower(lower: float) -> float:
    """Return a lower bound, minus infinity if none is known."""
    return lower if lower > RULED_OUT else -np.inf


@frozen(eq=False)
class JointRows:
    """The joint probabilities of a percept and a next state, for each action and state.

    Row `a * S + s` is divided into groups by percept, in ascending order: those from `groups[row]` to
    `groups[row + 1]`. Group g has the percept `percepts[g]` and the entries from `starts[g]` to `starts[g + 1]`, each a
    next state and its probability. `rewards` has the shape (A, S), with `NEVER` where an action does not apply;
    `least_share` is the smallest sum of a row; `improper` is whether policies count under which the game never ends.
    """

    starts: Integers
    states: Integers
    weights: Floats
    percepts: Integers
    groups: Integers
    rewards: Floats
    discount: float
    percept_count: int
    least_share: float
    improper: bool

    @classmethod
    def of(cls, arrays: PomdpArrays) -> JointRows:
        """The rows of a model, cached; apart from sorting, linear in the number of their entries."""
        if arrays not in _KNOWN:
            _KNOWN[arrays] = cls._made(arrays)
        return _KNOWN[arrays]

    @classmethod
    def _made(cls, arrays: PomdpArrays) -> JointRows:
        size, actions = arrays.S, arrays.A
        rewards = np.where(arrays.rewards > DOES_NOT_APPLY, arrays.rewards, NEVER)
        rows = np.repeat(np.arange(actions * size), np.diff(arrays.to_pointers))
        arriving = rows // size * size + arrays.to_states
        counts, entries = entries_of(arrays.percept_pointers, arrays.percept_rows[arriving])
        owners = np.repeat(np.arange(len(arriving)), counts)
        rows = rows[owners]
        percepts = np.asarray(arrays.percept_numbers, np.int64)[entries]
        states = np.asarray(arrays.to_states, np.int64)[owners]
        weights = arrays.to_weights[owners] * arrays.percept_weights[entries]
        possible = weights > 0
        rows, percepts, states, weights = rows[possible], percepts[possible], states[possible], weights[possible]
        keys = rows * arrays.O + percepts
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        applies = rewards.ravel() > RULED_OUT
        shares = np.bincount(rows, weights, actions * size)[applies]
        return cls(
            starts=np.append(first, len(keys)),
            states=states[order],
            weights=weights[order],
            percepts=keys[first] % arrays.O,
            groups=np.searchsorted(keys[first] // arrays.O, np.arange(actions * size + 1)),
            rewards=rewards,
            discount=float(arrays.discount),
            percept_count=arrays.O,
            least_share=float(shares.min(initial=1.0)),
            improper=arrays.improper,
        )

    @cached_property
    def counts_losses(self) -> bool:
        """Whether improper policies count and no reward is positive, so that going on for ever costs nothing more."""
        return self.improper and bool((self.rewards <= 0).all())

    @cached_property
    def floor(self) -> float:
        """A value that every policy attains, also an improper one: 0, or the highest cost of an action that may end it.

        Minus infinity if an action that never ends the game has a cost.
        """
        applies = self.rewards.ravel() > RULED_OUT
        rewards = self.rewards.ravel()[applies]
        ends = 1 - sums_between(self.weights, self.bounds)[applies]
        costly = rewards < 0
        if (ends[costly] < LEAST_END).any():
            return -np.inf
        return float((rewards[costly] / ends[costly]).min(initial=0.0))

    @cached_property
    def bounds(self) -> Integers:
        """Return the place of the first entry of each row, and the number of entries."""
        return self.starts[self.groups]

    @cached_property
    def entry_percepts(self) -> Integers:
        """Return the percept of each entry."""
        return np.repeat(self.percepts, np.diff(self.starts))

    @cached_property
    def _cells(self) -> tuple[Integers, Integers]:
        """Return the source state of each entry, and its place in an array of shape (A, O, S)."""
        size = self.rewards.shape[1]
        rows = np.repeat(np.arange(self.rewards.size), np.diff(self.bounds))
        return rows % size, (rows // size * self.percept_count + self.entry_percepts) * size + self.states

    def successors(self, belief: Floats) -> tuple[Floats, Floats, Floats]:
        """Return expected rewards by action, probabilities by action and percept, and the next beliefs.

        If an action does not apply, its reward is `NEVER`, and its probabilities are 0. Beliefs have the shape
        (A, O, S); that of an impossible percept is meaningless.
        """
        actions, size = self.rewards.shape
        sources, cells = self._cells
        applies: Truths = np.asarray((self.rewards[:, belief > 0] > RULED_OUT).all(axis=1))
        weights = np.bincount(cells, self.weights * belief[sources], actions * self.percept_count * size)
        weights = weights.reshape(actions, self.percept_count, size)
        chances = weights.sum(axis=2) * applies[:, None]
        chances[chances <= _LEAST_CHANCE] = 0
        after = weights / np.where(chances, chances, 1)[:, :, None]
        return np.where(applies, self.rewards @ belief, NEVER), chances, after

    def alpha_vector(self, action: int, following: Floats) -> Floats:
        """Return the alpha vector of an action that is followed by the vectors `following`, one for each percept."""
        size = self.rewards.shape[1]
        bounds = self.bounds[action * size : (action + 1) * size + 1]
        entries = slice(bounds[0], bounds[-1])
        after = self.weights[entries] * following[self.entry_percepts[entries], self.states[entries]]
        values = self.rewards[action] + self.discount * sums_between(after, bounds - bounds[0])
        return np.where(values > RULED_OUT, values, NEVER)

    def matrix(self) -> Any:
        """Return the probabilities by group and next state, as an array or, if it is large, as a SciPy matrix."""
        shape = len(self.percepts), self.rewards.shape[1]
        if shape[0] * shape[1] <= _MOST_DENSE:
            dense = np.zeros(shape)
            np.add.at(dense, (np.repeat(np.arange(shape[0]), np.diff(self.starts)), self.states), self.weights)
            return dense
        return _sparse(self.weights, self.states, self.starts, shape)

    def summed(self, by_group: Floats) -> Floats:
        """Return the sum over the groups of each row, by action and state."""
        return sums_between(by_group, self.groups).reshape(self.rewards.shape)


_KNOWN: WeakKeyDictionary[PomdpArrays, JointRows] = WeakKeyDictionary()


def _sparse(weights: Floats, states: Integers, starts: Integers, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((weights, states, starts), shape=shape)


def means_of(numbers: Floats, states: Integers, weights: Floats, starts: Integers) -> Floats:
    """Return the weighted sum of rows of `numbers` for each group of states, none of which is empty."""
    found: Floats
    if len(states) * numbers.shape[1] <= _FEW_PRODUCTS:
        found = np.add.reduceat(numbers[states] * weights[:, None], starts[:-1], axis=0)
    else:
        found = _sparse(weights, states, starts, (len(starts) - 1, len(numbers))) @ numbers
    return found
