"""Classes of states that a player can always distinguish, and simple policies that depend on the class alone.

Two states that are ever possible together are in one class, which is closed under transitivity. If every state has one
percept, the classes are percepts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from .joint import RULED_OUT, JointRows

if TYPE_CHECKING:
    from .arrays import Floats, Integers, PomdpArrays


@frozen(eq=False)
class StateClasses:
    """Classes by state, `of`; class c has the `members` from `bounds[c]` to `bounds[c + 1]`.

    `after` is the class after an action and a percept, if the percept is `possible`. `applies`, of shape (A, C), is
    whether an action applies in all states of a class. `alike` is whether each action applies in all states of a class
    or in none, and some action in all.
    """

    of: Integers
    members: Integers
    bounds: Integers
    after: Integers
    possible: Any
    applies: Any
    alike: bool

    @property
    def count(self) -> int:
        """The number of classes."""
        return len(self.bounds) - 1

    @classmethod
    def by(cls, arrays: PomdpArrays, joint: JointRows) -> StateClasses:
        """The classes of a model; nearly linear in its size."""
        size, actions = arrays.S, arrays.A
        rows = np.repeat(np.arange(actions * size), np.diff(joint.bounds))
        keys = rows // size * arrays.O + joint.entry_percepts
        start = np.flatnonzero(arrays.start)
        keys, states = np.append(keys, np.full(len(start), actions * arrays.O)), np.append(joint.states, start)
        labels = np.arange(size)
        while True:
            least = np.full(actions * arrays.O + 1, size)
            np.minimum.at(least, keys, labels[states])
            lower = labels.copy()
            np.minimum.at(lower, states, least[keys])
            lower = lower[lower]
            if (lower == labels).all():
                break
            labels = lower
        of = np.unique(labels, return_inverse=True)[1].reshape(-1)
        after = np.zeros(actions * arrays.O + 1, np.int64)
        after[keys] = of[states]
        members = np.argsort(of, kind="stable")
        bounds = np.searchsorted(of[members], np.arange(of.max(initial=-1) + 2))
        here = (joint.rewards > RULED_OUT)[:, members].astype(np.int64)
        counts = np.add.reduceat(here, bounds[:-1], axis=1)
        sizes = np.diff(bounds)
        applies = counts == sizes
        alike = bool((applies | (counts == 0)).all() and applies.any(axis=0).all())
        return cls(of, members, bounds, after[:-1].reshape(actions, arrays.O), arrays.possible, applies, alike)

    def policies(self, choices: Integers) -> tuple[Integers, Integers, Integers]:
        """Return the classes, actions and successors of the nodes of policies that choose an action by class.

        `choices` has an action for each policy and class; nodes are numbered policy by policy, class by class.
        """
        actions = choices.ravel()
        first = np.arange(len(choices))[:, None] * self.count
        successors = first.repeat(self.count, axis=0) + self.after[actions]
        return np.tile(np.arange(self.count), len(choices)), actions, successors

    def drawn(self, planes: Floats, count: int, seed: int) -> Integers:
        """Choices of actions by class: the best ones by the planes for random beliefs."""
        random = np.random.default_rng(seed)
        weights = random.exponential(size=(count, len(self.of)))
        worth = np.where(planes > RULED_OUT, planes, 0.0)
        found = np.zeros((count, self.count), np.int64)
        for number in range(count):
            sums = np.add.reduceat((weights[number] * worth)[:, self.members], self.bounds[:-1], axis=1)
            found[number] = np.where(self.applies, sums, -np.inf).argmax(axis=0)
        return found
