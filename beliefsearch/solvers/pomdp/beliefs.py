"""The beliefs that a search has met, and what may become of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from .arrays import with_room
from .joint import RULED_OUT, JointRows

if TYPE_CHECKING:
    from .arrays import Floats, Integers, Truths

# Beliefs count as equal if no probability differs by more than this share: the tolerance must be relative, since a
# bound for a point carries over to a belief by the smallest ratio of their probabilities.
_SAME = 1e-11
# Probabilities that are this close have mostly the same rounded logarithm, under which beliefs are looked up.
_LOGARITHM_UNIT = 1e-6
_LEAST = 1e-290


@frozen(eq=False)
class Branches:
    """Outcomes of a belief, action by action: those of action a stand from `bounds[a]` to `bounds[a + 1]`.

    Each has the `percepts` that lead to it, its probability in `shares`, and the number of the next belief. `applies`
    says which actions apply; the others have no branches.
    """

    bounds: Integers
    percepts: Integers
    shares: Floats
    beliefs: Integers
    applies: Truths
    rewards: Floats


class Beliefs:
    """Beliefs by number, in rows of `rows`; equal ones have the same number."""

    def __init__(self, joint: JointRows, start: Floats) -> None:
        self.count = 0
        self.rows = np.zeros((0, len(start)))
        self._joint = joint
        self._percepts = np.repeat(joint.percepts, np.diff(joint.starts))
        self._bounds = joint.starts[joint.groups]  # of rows, among entries
        self._numbers: dict[tuple[bytes, bytes], list[int]] = {}
        self._branches: dict[int, Branches] = {}
        self.number(start)

    def number(self, belief: Floats) -> int:
        """The number of a belief, a new one if it is new."""
        states = np.flatnonzero(belief)
        logarithms = np.rint(np.log(belief[states]) / _LOGARITHM_UNIT)
        alike = self._numbers.setdefault((states.tobytes(), logarithms.tobytes()), [])
        for number in alike:
            if (np.abs(self.rows[number] - belief) <= _SAME * belief).all():
                return number
        number = self.count
        self.count += 1
        self.rows = with_room(self.rows, self.count)
        self.rows[number] = belief
        alike.append(number)
        return number

    def branches(self, number: int) -> Branches:
        """Return the outcomes of a belief; worked out on first use."""
        if number not in self._branches:
            self._branches[number] = self._branch(self.rows[number])
        return self._branches[number]

    def known_branches(self, number: int) -> Branches | None:
        """Return the outcomes of a belief, if they were worked out."""
        return self._branches.get(number)

    def _branch(self, belief: Floats) -> Branches:
        joint, size = self._joint, len(belief)
        actions = len(joint.rewards)
        states = np.flatnonzero(belief)
        applies: Truths = np.asarray((joint.rewards[:, states] > RULED_OUT).all(axis=1))
        rewards = joint.rewards[:, states] @ belief[states]
        able = np.flatnonzero(applies)
        rows = (able[:, None] * size + states).ravel()
        counts = self._bounds[rows + 1] - self._bounds[rows]
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        entries = np.arange(total) + np.repeat(self._bounds[rows] - (ends - counts), counts)
        weights = joint.weights[entries] * np.repeat(np.tile(belief[states], len(able)), counts)
        kinds = np.repeat(rows // size, counts) * joint.percept_count + self._percepts[entries]
        met, places = np.unique(kinds, return_inverse=True)
        after = np.bincount(places * size + joint.states[entries], weights, len(met) * size).reshape(-1, size)
        shares = after.sum(axis=1)
        possible = shares > _LEAST
        met, shares = met[possible], shares[possible]
        after = after[possible] / shares[:, None]
        numbers = np.array([self.number(row) for row in after], np.int64)
        bounds = np.searchsorted(met // joint.percept_count, np.arange(actions + 1))
        return Branches(bounds, met % joint.percept_count, shares, numbers, applies, rewards)
