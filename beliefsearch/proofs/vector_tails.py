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
# What follows a vector is sought so many times, as far as the products to be summed are no more; each time it counts
# more where the vector lacked much the time before.
_TRIES, _MOST_PRODUCTS = 30, 2e9


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

    def lowered(self, vectors: Floats, actions: Integers, weights: Floats) -> tuple[Floats, Integers] | None:
        """Return the cost by state, and by vector and percept the vector that follows; None if that takes too long.

        `weights` say by vector and state where it is used: there what follows should be worth most.
        """
        joint = self._joint
        count, size = vectors.shape
        tries = min(_TRIES, int(_MOST_PRODUCTS / (float(count) * count * size * joint.percept_count)))
        if not tries:
            return None
        following = np.zeros((count, joint.percept_count), np.int64)
        lack = np.where(self._used[:, None], 0.0, -np.inf) * np.ones(size)
        for vector, action in enumerate(actions.tolist()):
            self._tick()
            bounds = joint.bounds[action * size : (action + 1) * size + 1]
            entries = slice(bounds[0], bounds[-1])
            cells = joint.entry_percepts[entries] * size + joint.states[entries]
            share, best = weights[vector] / weights[vector].sum(), np.full(size, np.inf)
            for _ in range(tries):
                likely = joint.weights[entries] * np.repeat(share, np.diff(bounds))
                after = np.bincount(cells, likely, joint.percept_count * size).reshape(-1, size)
                tried = np.argmax(vectors @ after.T, axis=0)
                missing = vectors[vector] - joint.alpha_vector(action, vectors[tried])
                missing[self._over] = 0
                if missing.max() < best.max():
                    best, following[vector] = missing, tried
                if best.max() <= _ENOUGH * self.scale:
                    break
                share = share * np.exp(missing / best.max())
                share /= share.sum()
            lack[action] = np.maximum(lack[action], best)
        # Where the game is over nothing is paid, whatever the vectors say.
        at_end = np.maximum(vectors.max(axis=0), 0)
        most = max(float(lack[self._used].max()) / (1 - joint.discount), float(at_end[self._over].max(initial=0)))
        return self._settled(lack, most, np.max, at_end), following
