"""The Markov chain of a policy: where the game ends with probability 1, and the linear equations of its value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from ..mdp.linear_equations import solved
from ..sparse_rows import entries_of, sums_between
from .joint import LEAST_END

if TYPE_CHECKING:
    from .arrays import Floats, Integers, Truths


@frozen(eq=False)
class Chain:
    """A Markov chain with rewards: row i has its entries from `pointers[i]` to `pointers[i + 1]`.

    The probability that the game ends in a state is 1 minus the sum of its row.
    """

    pointers: Integers
    targets: Integers
    weights: Floats
    rewards: Floats

    @classmethod
    def choosing(cls, pointers: Integers, targets: Integers, weights: Floats, rewards: Floats, rows: Integers) -> Chain:
        """The chain of these rows of a larger table."""
        counts, places = entries_of(pointers, rows)
        return cls(np.append(0, np.cumsum(counts)), targets[places], weights[places], rewards[rows])

    def sources(self) -> Integers:
        """The row of each entry."""
        return np.repeat(np.arange(len(self.rewards)), np.diff(self.pointers))

    def ending(self) -> Truths:
        """Mark the states in which the game may end at once."""
        return sums_between(self.weights, self.pointers) < 1 - LEAST_END

    def after(self, values: Floats) -> Floats:
        """Return the expected value of `values` after a step from each state."""
        return sums_between(self.weights * values[self.targets], self.pointers)

    def value(self, discount: float, allowed: Truths) -> tuple[Floats, Truths]:
        """The values of the states that reach only allowed states, 0 for the others; and marks of these states.

        Without a discount the game must also end from them with probability 1, so that the equations have exactly one
        solution.
        """
        sound = self._staying(allowed)
        if discount == 1:
            sound = self._staying(sound & self.may_end())
        values = np.zeros(len(sound))
        kept = np.flatnonzero(sound)
        if len(kept):
            part = Chain.choosing(self.pointers, self.targets, self.weights, self.rewards, kept)
            number = np.cumsum(sound) - 1
            part = Chain(part.pointers, number[part.targets], part.weights, part.rewards)
            values[kept] = part.solve(discount)
        return values, sound

    def solve(self, discount: float) -> Floats:
        """The solution of v = rewards + discount * (the expected value of v after a step)."""
        return solved(self.pointers, self.targets, discount * self.weights, self.rewards)

    def _staying(self, allowed: Truths) -> Truths:
        """The states that reach only allowed states."""
        return ~self.leading_to(~allowed)

    def may_end(self) -> Truths:
        """The states from which the end can be reached."""
        return self.leading_to(self.ending())

    def leading_to(self, marked: Truths) -> Truths:
        """The marked states, and those from which one of them can be reached."""
        while True:
            more = marked | (sums_between(marked[self.targets].astype(float), self.pointers) > 0)
            if (more == marked).all():
                return marked
            marked = more
