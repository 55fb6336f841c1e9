"""Beliefs that come up where the greatest of some vectors says what to do, as the nodes of a policy graph."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InvalidPlanError
from ..solvers.pomdp.joint import RULED_OUT, JointRows, entries_of
from .vector_tails import Tails

if TYPE_CHECKING:
    from ..plans.vector_files import VectorPolicy
    from ..solvers.pomdp.arrays import Floats, Integers, Truths

# Beliefs are followed until what is unknown is a smaller share of all there is.
_ENOUGH = 1e-6
# Beliefs are the same if their probabilities are, up to so many decimals.
_DECIMALS = 11


class VectorBeliefs:
    """Beliefs that come up, those first that matter most; `over` marks the states in which the game is over."""

    def __init__(
        self, joint: JointRows, start: Floats, over: Truths, policy: VectorPolicy, sign: int, tick: Callable[[], None]
    ) -> None:
        self._joint, self._over, self._tick = joint, over, tick
        self._size = joint.rewards.shape[1]
        self._block = self._size // policy.blocks
        self.vector_actions = np.array([vector.action for vector in policy.vectors])
        self._places = [
            np.flatnonzero([vector.block == block for vector in policy.vectors]) for block in range(policy.blocks)
        ]
        self._of_block = [
            sign * np.array([policy.vectors[place].values for place in places.tolist()]) for places in self._places
        ]
        used = np.unique(self.vector_actions)
        self.tails = Tails(joint, used, over, tick) if Tails.apply(joint, used, over) else None
        self._beliefs: list[tuple[Integers, Floats]] = []
        self._number: dict[tuple[bytes, bytes], int] = {}
        self.chosen: list[int] = []  # by belief: the action
        self.greatest: list[int] = []  # and the vector, where it is one
        self.weights: list[float] = []
        self.following: dict[int, list[tuple[int, int]]] = {}  # by belief that was followed: percept and next belief
        self._waiting: list[tuple[float, int]] = []
        self._pairs = 0
        self._unknown = 0.0
        self._lowered: tuple[Floats, Integers] | None = None  # looked for once
        self._lost: list[float] = []  # by belief: what is unknown as long as it is not followed
        states = np.flatnonzero(start)
        self._add(states, start[states], 1.0)

    def follow(self, most: int, goes_on: Callable[[], bool]) -> bool:
        """Follow beliefs, at least one, as long as that matters and `goes_on`; return whether all were followed.

        They have, together, at `most` so many pairs of a belief and a state that is likely in it.
        """
        least = _ENOUGH * (1 - self._joint.discount) * (self.tails.scale if self.tails else 0)
        while self._waiting and (not self.following or self.tails is None or self._unknown > least):
            self._tick()
            entry = heapq.heappop(self._waiting)
            belief = entry[1]
            if belief in self.following:
                continue
            states, shares = self._beliefs[belief]
            if self.following and (self._pairs + len(states) > most or not goes_on()):
                heapq.heappush(self._waiting, entry)
                break
            self._pairs += len(states)
            self._unknown -= self._lost[belief]
            self._expand(belief, states, shares)
        return all(belief in self.following for _, belief in self._waiting)

    def _expand(self, belief: int, states: Integers, shares: Floats) -> None:
        joint = self._joint
        counts, places = entries_of(joint.bounds, self.chosen[belief] * self._size + states)
        cells, of_cell = np.unique(
            joint.entry_percepts[places] * self._size + joint.states[places], return_inverse=True
        )
        likely = np.bincount(of_cell.reshape(-1), joint.weights[places] * np.repeat(shares, counts))
        percepts, results = cells // self._size, cells % self._size
        found: list[tuple[int, int]] = []
        self.following[belief] = found
        for percept in np.unique(percepts).tolist():
            here = percepts == percept
            mass = float(likely[here].sum())
            weight = self.weights[belief] * joint.discount * mass
            found.append((percept, self._add(results[here], likely[here] / mass, weight)))

    def _add(self, states: Integers, shares: Floats, weight: float) -> int:
        key = states.tobytes(), np.round(shares, _DECIMALS).tobytes()
        number = self._number.get(key)
        if number is None:
            number = self._number[key] = len(self._beliefs)
            self._beliefs.append((states, shares))
            action, vector = self._choice(states, shares)
            self.chosen.append(action)
            self.greatest.append(vector)
            self.weights.append(0.0)
            self._lost.append(0.0)
        self.weights[number] += weight
        if number not in self.following and not self._over[states].all():
            lost = weight
            if self.tails is not None:
                lost *= float((self.tails.best - self.tails.worst)[states] @ shares)
            self._lost[number] += lost
            self._unknown += lost
            heapq.heappush(self._waiting, (-self._lost[number], number))  # what it is worth there by now counts
        return number

    def _choice(self, states: Integers, shares: Floats) -> tuple[int, int]:
        """Return what to do, and the greatest vector with that action.

        If the block is not known, it is the action whose greatest vectors in all possible ones have the greatest sum.
        """
        blocks = states // self._block
        worth = np.full(len(self.vector_actions), -np.inf)
        totals = np.zeros(len(self._joint.rewards))
        for block in np.unique(blocks).tolist():
            places, here = self._places[block], blocks == block
            best = np.full(len(totals), -np.inf)
            if len(places):
                worth[places] = self._of_block[block][:, states[here] % self._block] @ shares[here]
                np.maximum.at(best, self.vector_actions[places], worth[places])
            totals += best
        rewards = self._joint.rewards[:, states[~self._over[states]]]
        totals[(rewards <= RULED_OUT).any(axis=1)] = -np.inf
        action = int(np.argmax(totals))
        if totals[action] == -np.inf:
            raise InvalidPlanError("at a belief that comes up it has no vector with an action that applies there")
        return action, int(np.argmax(np.where(self.vector_actions == action, worth, -np.inf)))

    def belief(self, number: int) -> tuple[Integers, Floats]:
        """The states that are likely, and their probabilities."""
        return self._beliefs[number]

    def lowered(self, goes_on: Callable[[], bool]) -> tuple[Floats, Integers] | None:
        """Return the vectors as lower bounds, and by vector and percept the next one, as far as that is known."""
        if self.tails is None or len(self._of_block) > 1 or self._lowered is not None:
            return self._lowered
        vectors = self._of_block[0]
        weights = np.full(vectors.shape, 1e-12)
        for number, (states, shares) in enumerate(self._beliefs):
            weights[self.greatest[number], states] += self.weights[number] * shares
        found = self.tails.lowered(vectors, self.vector_actions, weights, goes_on)
        self._lowered = None if found is None else (vectors - found[0], found[1])
        return self._lowered
