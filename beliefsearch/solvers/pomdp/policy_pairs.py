"""The Markov chain of a policy graph, on reachable pairs of a node and a state, and the values of these pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from ..sparse_rows import entries_of
from .joint import JointRows
from .markov_chain import Chain

if TYPE_CHECKING:
    from collections.abc import Callable

    from .arrays import Floats, Integers, Truths


@frozen(eq=False)
class PolicyPairs:
    """Reachable pairs of a node and a state, those of the start first, and their Markov chain."""

    nodes: Integers
    states: Integers
    chain: Chain

    @classmethod
    def of(
        cls, joint: JointRows, start: Integers, actions: Integers, successors: Integers, tick: Callable[[], None]
    ) -> PolicyPairs:
        """The pairs reachable from node 0 and one of the states `start`; linear in their number."""
        size = joint.rewards.shape[1]
        number = {int(state): place for place, state in enumerate(start)}
        codes, layer = [start], start
        counts, targets, weights = [], [], []
        while len(layer):
            tick()
            nodes, states = layer // size, layer % size
            rows = actions[nodes] * size + states
            each, places = entries_of(joint.bounds, rows)
            after = successors[np.repeat(nodes, each), joint.entry_percepts[places]] * size + joint.states[places]
            new = [code for code in dict.fromkeys(after.tolist()) if code not in number]
            number.update(zip(new, range(len(number), len(number) + len(new)), strict=True))
            targets.append(np.array([number[code] for code in after.tolist()], np.int64))
            counts.append(each)
            weights.append(joint.weights[places])
            layer = np.array(new, np.int64)
            codes.append(layer)
        met = np.concatenate(codes)
        nodes, states = met // size, met % size
        pointers = np.append(0, np.cumsum(np.concatenate(counts)))
        rewards = joint.rewards[actions[nodes], states]
        chain = Chain(pointers, np.concatenate(targets), np.concatenate(weights), rewards)
        return cls(nodes, states, chain)

    def gains(self) -> tuple[Floats, Floats]:
        """Return the values of pairs if rewards have one sign, perhaps in a game without end, and durations.

        A duration is the expected number of actions before no more reward can come.
        """
        chain = self.chain
        pays = np.flatnonzero(self._pays)
        values, left = np.zeros(len(self.nodes)), np.zeros(len(self.nodes))
        if len(pays):
            number = np.full(len(self.nodes), -1)
            number[pays] = np.arange(len(pays))
            part = Chain.choosing(chain.pointers, chain.targets, chain.weights, chain.rewards, pays)
            inside = number[part.targets] >= 0
            kept = np.append(0, np.cumsum(inside))[part.pointers]
            targets, weights = number[part.targets[inside]], part.weights[inside]
            both = np.stack([part.rewards, np.ones(len(pays))], axis=1)
            values[pays], left[pays] = Chain(kept, targets, weights, both).solve(1.0).T
        return values, left

    @property
    def _pays(self) -> Truths:
        """Mark the pairs from which a reward other than 0 can be reached."""
        return self.chain.leading_to(self.chain.rewards != 0)

    def gained(self, actions: int, floor: float) -> Floats:
        """Return lower bounds on the values of pairs: the rewards of so many actions, and then a bound `floor`."""
        values = np.where(self._pays, floor, 0.0)
        for _ in range(actions):
            values = self.chain.rewards + self.chain.after(values)
        return values

    def lowered(self, values: Floats, left: Floats | float, bits: int, room: float) -> Floats:
        """Lower values to multiples of 2**-bits that their successors justify, with `room` for rounding in each step.

        `left` is the expected, discounted number of steps, in each of which values are lowered by the same amount.
        """
        missed = float((values - self.chain.rewards - self.chain.after(values)).max(initial=0))
        step = 2 * max(missed, 0.0) + room + 2 * 2.0**-bits
        return np.floor((values - step * left) * 2.0**bits) / 2.0**bits
