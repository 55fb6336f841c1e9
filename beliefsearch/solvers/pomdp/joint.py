"""Percepts and results by action and state: the rows of which all bounds are made."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from attrs import frozen

from .arrays import NEVER as DOES_NOT_APPLY

if TYPE_CHECKING:
    from .arrays import Floats, Integers, PomdpArrays, Truths

NEVER = -1e300
"""The value of what must not be done. It is finite: its product with a probability of 0 is 0, and its sums are so low
that they are never mistaken for the value of anything else."""
RULED_OUT = -1e200
"""What is worth less than this contains a `NEVER`."""

# A percept of a smaller probability is taken for rounding.
_LEAST_CHANCE = 1e-290
# A matrix of more entries than this is kept sparse, for which SciPy is then worth loading.
_MOST_DENSE = 4_000_000
# For sums of more products SciPy is worth loading.
_FEW_PRODUCTS = 200_000
LEAST_END = 1e-9
"""A row that sums to less than 1 by more than this may end the game."""


def known_lower(lower: float) -> float:
    """Return a lower bound, minus infinity if none is known."""
    return lower if lower > RULED_OUT else -np.inf


@frozen(eq=False)
class JointRows:
    """The probabilities of a percept and a next state together, for each action and state.

    Row `a * S + s` is cut into groups by percept, in ascending order: those from `groups[row]` to `groups[row + 1]`.
    Group g has the percept `percepts[g]` and the entries from `starts[g]` to `starts[g + 1]`, each a next state and its
    weight. `rewards` has the shape (A, S), with `NEVER` where an action does not apply; `least_share` is the smallest
    probability of any row to go on; `improper` is whether policies count under which the game never ends.
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
        """The rows of a model, made once; linear in their number of entries, but for sorting them by percept."""
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
        """Whether improper policies count, and no reward is positive: who plays on for ever loses nothing more."""
        return self.improper and bool((self.rewards <= 0).all())

    @cached_property
    def floor(self) -> float:
        """The value that every policy attains, also an improper one: 0, or the most that is lost where the game ends.

        Minus infinity if costs are paid by actions that do not end the game.
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
        """Return, by row, the place of its first entry; and at the end the number of entries."""
        return self.starts[self.groups]

    @cached_property
    def entry_percepts(self) -> Integers:
        """Return, by entry, its percept."""
        return np.repeat(self.percepts, np.diff(self.starts))

    @cached_property
    def possible(self) -> Truths:
        """Return, by action and percept, whether the percept may come after the action."""
        actions, size = self.rewards.shape
        rows = np.repeat(np.arange(actions * size), np.diff(self.groups))
        possible = np.zeros((actions, self.percept_count), np.bool_)
        possible[rows // size, self.percepts] = True
        return possible

    @cached_property
    def _cells(self) -> tuple[Integers, Integers]:
        """Return, by entry, the state before it, and its place in an array by action, percept and next state."""
        size = self.rewards.shape[1]
        rows = np.repeat(np.arange(self.rewards.size), np.diff(self.bounds))
        return rows % size, (rows // size * self.percept_count + self.entry_percepts) * size + self.states

    def successors(self, belief: Floats) -> tuple[Floats, Floats, Floats]:
        """Return mean rewards by action, probabilities by action and percept, and the beliefs that may follow.

        The reward is `NEVER` where an action does not apply; the probabilities are 0 then. Beliefs have the shape
        (A, O, S); that of an impossible percept means nothing.
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
        """Return the values by state of an action that is followed by these values, by percept and next state."""
        size = self.rewards.shape[1]
        bounds = self.bounds[action * size : (action + 1) * size + 1]
        entries = slice(bounds[0], bounds[-1])
        after = self.weights[entries] * following[self.entry_percepts[entries], self.states[entries]]
        values = self.rewards[action] + self.discount * sums_between(after, bounds - bounds[0])
        return np.where(values > RULED_OUT, values, NEVER)

    def matrix(self) -> Any:
        """Return the weights by group and state, as an array or, if it is large, as SciPy's sparse one."""
        shape = len(self.percepts), self.rewards.shape[1]
        if shape[0] * shape[1] <= _MOST_DENSE:
            dense = np.zeros(shape)
            np.add.at(dense, (np.repeat(np.arange(shape[0]), np.diff(self.starts)), self.states), self.weights)
            return dense
        return _sparse(self.weights, self.states, self.starts, shape)

    def summed(self, by_group: Floats) -> Floats:
        """Return, by action and state, the sum over the groups of the row."""
        return sums_between(by_group, self.groups).reshape(self.rewards.shape)


_KNOWN: WeakKeyDictionary[PomdpArrays, JointRows] = WeakKeyDictionary()


def _sparse(weights: Floats, states: Integers, starts: Integers, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    return csr_array((weights, states, starts), shape=shape)


def means_of(numbers: Floats, states: Integers, weights: Floats, starts: Integers) -> Floats:
    """Return, by group and column, the weighted sum of the columns of numbers by state; groups have some entries."""
    found: Floats
    if len(states) * numbers.shape[1] <= _FEW_PRODUCTS:
        found = np.add.reduceat(numbers[states] * weights[:, None], starts[:-1], axis=0)
    else:
        found = _sparse(weights, states, starts, (len(starts) - 1, len(numbers))) @ numbers
    return found


def sums_between(numbers: Floats, bounds: Integers) -> Floats:
    """Return, by place, the sum of the numbers from this bound to the next; 0 if there are none."""
    filled = np.diff(bounds) > 0
    found = np.zeros(len(filled))
    if filled.any():
        found[filled] = np.add.reduceat(numbers, bounds[:-1][filled])
    return found


def entries_of(pointers: Integers, rows: Integers) -> tuple[Integers, Integers]:
    """Return how many entries each of these rows has, and the places of all, one row after the other."""
    counts = np.diff(pointers)[rows]
    places = np.arange(counts.sum()) + np.repeat(np.asarray(pointers)[rows] - (np.cumsum(counts) - counts), counts)
    return counts, places
