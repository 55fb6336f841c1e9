"""Bounds of a policy of vectors where it is not followed any more.

- *The worst and the best policy* of its actions, if the state were seen.
- *The vectors, lowered.* Let v(b) be the greatest of them at the belief b. If there is a cost c(s) such that each
  vector less c is no more than its action earns, followed by one of the vectors less c for each percept, then v - c is
  no more than what acting by the greatest is worth: by induction over the actions left, since what follows is worth the
  greatest vector less c, and c is the same for all. So c is what the vectors lack, summed along the worst way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..solvers.pomdp.joint import RULED_OUT, JointRows, sums_between

if TYPE_CHECKING:
    from ..solvers.pomdp.arrays import Floats, Integers, Truths

_MOST_ROUNDS = 5000
_ENOUGH = 1e-12
# What follows a vector is sought for so many products to be summed in all, and so many times on average. Each time
# states count more where the vector lacked much the time before, but none less than by this share. The vector that
# lacks most comes next, but less so the more often that was in vain.
_MOST_NUMBERS, _MOST_PRODUCTS, _TRIES, _LEAST_SHARE, _LESS_PROMISING = 5e7, 4e9, 30, 1e-12, 0.97
# After a quarter of that it ends where the most that any lacks does not fall to this share in two tries for each.
_FALLS = 0.995


class Tails:
    """Bounds of policies that use only some actions, in a game with a discount in which these apply everywhere.

    `worst` and `best` are by state. `over` marks states that are worth nothing, since the game is over there.
    """

    def __init__(self, joint: JointRows, actions: Integers, over: Truths, tick: Callable[[], None]) -> None:
        self._joint, self._over, self._tick = joint, over, tick
        self._used = np.zeros(len(joint.rewards), np.bool_)
        self._used[actions] = True
        rewards = joint.rewards[self._used]
        self.scale = max(float(np.abs(rewards).max(initial=0)) / (1 - joint.discount), 1e-100)
        most = 1 / (1 - joint.discount)
        self.best = self._settled(joint.rewards, max(float(rewards.max()), 0) * most, np.max)
        self.worst = self._settled(joint.rewards, min(float(rewards.min()), 0) * most, np.min)

    @staticmethod
    def apply(joint: JointRows, actions: Integers, over: Truths) -> bool:
        """Whether these actions have such bounds."""
        return joint.discount < 1 and bool((joint.rewards[actions][:, ~over] > RULED_OUT).all())

    def _settled(
        self, rewards: Floats, first: float, choose: Callable[..., Floats], at_end: Floats | float = 0.0
    ) -> Floats:
        """The values of the best or the worst actions, begun at a value beyond all, on whose side they stay."""
        joint = self._joint
        values = np.where(self._over, at_end, first)
        for _ in range(_MOST_ROUNDS):
            self._tick()
            after = sums_between(joint.weights * values[joint.states], joint.bounds).reshape(rewards.shape)
            found = choose((rewards + joint.discount * after)[self._used], axis=0)
            found[self._over] = values[self._over]
            near = np.abs(found - values).max(initial=0) <= _ENOUGH * self.scale
            values = found
            if near:
                break
        return values

    def lowered(
        self, vectors: Floats, actions: Integers, weights: Floats, goes_on: Callable[[], bool]
    ) -> tuple[Floats, Integers] | None:
        """Return the cost by state, and by vector and percept the vector that follows; None if that takes too long.

        `weights` say by vector and state where it is used: there what follows should be worth most. More than one try
        for a vector is made as long as `goes_on`.
        """
        joint, (count, size) = self._joint, vectors.shape
        if len(joint.percepts) * count > _MOST_NUMBERS:
            return None
        worth = joint.discount * (joint.matrix() @ vectors.T)  # by group of a state and a percept, and vector
        tables = {}
        for action in np.flatnonzero(self._used).tolist():
            bounds = joint.groups[action * size : (action + 1) * size + 1]
            order = bounds[0] + np.argsort(joint.percepts[bounds[0] : bounds[-1]], kind="stable")
            states = np.repeat(np.arange(size), np.diff(bounds))[order - bounds[0]]
            percepts = joint.percepts[order]
            tables[action] = worth[order], states, percepts, np.flatnonzero(np.diff(percepts, prepend=-1))
        following = np.zeros((count, joint.percept_count), np.int64)
        shares = weights / weights.sum(axis=1, keepdims=True)
        missing, most, tries = np.full(vectors.shape, np.inf), np.full(count, np.inf), np.zeros(count)
        products, worst = 0.0, np.inf
        while not tries.all() or (products < _MOST_PRODUCTS and tries.mean() < _TRIES and goes_on()):
            self._tick()
            vector = int(np.argmax(most * _LESS_PROMISING**tries))
            if products >= _MOST_PRODUCTS / 4 and tries.sum() % (2 * count) == 0:
                before, worst = worst, float(most.max())
                if worst > _FALLS * before:
                    break
            if most[vector] <= _ENOUGH * self.scale:
                break
            action = int(actions[vector])
            after, states, percepts, begins = tables[action]
            tried = np.zeros(joint.percept_count, np.int64)
            sums = np.add.reduceat(shares[vector, states, None] * after, begins, axis=0)
            tried[percepts[begins]] = sums.argmax(axis=1)
            found = np.bincount(states, after[np.arange(len(states)), tried[percepts]], size)
            lacks = np.where(self._over, 0.0, vectors[vector] - joint.rewards[action] - found)
            products += after.size
            tries[vector] += 1
            if lacks.max() < most[vector]:
                missing[vector], most[vector], following[vector] = lacks, lacks.max(), tried
            scale = max(float(most[vector]), _ENOUGH * self.scale)
            share = np.maximum(shares[vector] * np.exp((lacks - lacks.max()) / scale), _LEAST_SHARE)
            shares[vector] = share / share.sum()
        lack = np.full(joint.rewards.shape, -np.inf)
        lack[self._used] = 0.0
        np.maximum.at(lack, actions, missing)
        # Where the game is over nothing is paid, whatever the vectors say.
        at_end = np.maximum(vectors.max(axis=0), 0)
        first = max(float(lack[self._used].max()) / (1 - joint.discount), float(at_end[self._over].max(initial=0)))
        return self._settled(lack, first, np.max, at_end), following
