"""Markov chains of a policy: where the game ends with certainty, and the linear equations of its value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from ..mdp.linear_equations import solved
from .joint import LEAST_END, entries_of, sums_between

if TYPE_CHECKING:
    from .arrays import Floats, Integers, Truths


@frozen(eq=False)
class Chain:
    """A Markov chain with rewards: row i has its entries from `pointers[i]` to `pointers[i + 1]`.

    What a row lacks of 1 is the probability that the game ends there.
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
        """Return, by state, the mean of `values` after a step."""
        return sums_between(self.weights * values[self.targets], self.pointers)

    def value(self, discount: float, allowed: Truths) -> tuple[Floats, Truths]:
        """The value of the states from which only allowed ones can come up, and which these are; 0 elsewhere.

        Without a discount only those count, besides, from which the game ends with certainty. Then the equations have
        exactly one solution. With a discount it is lowered by what it may be too high.
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
        """The solution of v = rewards + discount * (the mean of v after a step)."""
        return solved(self.pointers, self.targets, discount * self.weights, self.rewards)

    def _staying(self, allowed: Truths) -> Truths:
        """The states from which only allowed ones can come up."""
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
