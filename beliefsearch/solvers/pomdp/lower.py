"""The lower bound: vectors of values by state, each with its action and, by percept, the vector that follows.

So each vector is a node of a policy graph, and what it says of a belief is what that policy is worth there. (The
vectors are those of E. Sondik, 1971, backed up at single beliefs as by J. Pineau, G. Gordon and S. Thrun, 2003.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .arrays import with_room
from .blind_policies import FirstPolicies
from .joint import NEVER, RULED_OUT, JointRows, sums_between

if TYPE_CHECKING:
    from .arrays import Floats, Integers


class LowerBound:
    """Vectors, in the order in which they were found; those that another is nowhere below are no longer looked at."""

    def __init__(self, joint: JointRows, first: FirstPolicies) -> None:
        self.count = len(first.actions)
        self.vectors = first.vectors.copy()
        self.actions = first.actions.copy()
        self.successors = first.successors.copy()
        self.instead = np.arange(self.count)  # by vector: one that is nowhere below it
        self._joint = joint
        self._percepts = np.repeat(joint.percepts, np.diff(joint.starts))

    def best(self, beliefs: Floats, since: int) -> tuple[Floats, Integers]:
        """For each of the beliefs, shape (k, S), the greatest value of a vector from number `since` on; and which."""
        numbers = since + np.flatnonzero(self.instead[since : self.count] == np.arange(since, self.count))
        if not len(numbers):
            return np.full(len(beliefs), NEVER), np.zeros(len(beliefs), np.int64)
        worth = beliefs @ self.vectors[numbers].T
        best = worth.argmax(axis=1)
        return worth[np.arange(len(beliefs)), best], numbers[best]

    def add(self, action: int, successors: Integers) -> None:
        """Add the vector of an action that is followed by these vectors, by percept."""
        joint, size = self._joint, self.vectors.shape[1]
        bounds = joint.starts[joint.groups[action * size : (action + 1) * size + 1]]
        entries = slice(bounds[0], bounds[-1])
        following = self.vectors[successors[self._percepts[entries]], joint.states[entries]]
        vector = joint.rewards[action] + joint.discount * sums_between(
            joint.weights[entries] * following, bounds - bounds[0]
        )
        vector[vector <= RULED_OUT] = NEVER
        number = self.count
        for name in ("vectors", "actions", "successors", "instead"):
            setattr(self, name, with_room(getattr(self, name), number + 1))
        self.vectors[number], self.actions[number], self.successors[number] = vector, action, successors
        self.instead[number] = number
        self.count += 1  # now that all is there: one may be interrupted
        alive = self.instead[:number] == np.arange(number)
        self.instead[:number][alive & (self.vectors[:number] <= vector).all(axis=1)] = number

    def policy_graph(self, root: int) -> tuple[Floats, Integers, Integers]:
        """As `policy_graph_from`."""
        return policy_graph_from(root, self._joint, self.vectors, self.actions, self.successors, self.instead)


def policy_graph_from(
    root: int, joint: JointRows, vectors: Floats, actions: Integers, successors: Integers, instead: Integers
) -> tuple[Floats, Integers, Integers]:
    """The vectors, actions and successors of the nodes that can be reached from `root`, which becomes number 0.

    `instead` has for each vector one that is nowhere below it, or itself. Where nothing is discounted that plays no
    part: each vector is then followed by older ones, and last by one that is known to end the game. A percept that
    never comes after the action of a node leads to the node itself.
    """
    size = vectors.shape[1]
    possible = np.zeros((len(joint.rewards), joint.percept_count), np.bool_)
    rows = np.repeat(np.arange(len(joint.rewards) * size), np.diff(joint.groups))
    possible[rows // size, joint.percepts] = True

    def lasting(number: int) -> int:
        while joint.discount < 1 and instead[number] != number:
            number = int(instead[number])
        return number

    nodes = [lasting(root)]
    place_of = {nodes[0]: 0}
    renumbered = np.zeros((0, joint.percept_count), np.int64)
    for place, node in enumerate(nodes):  # grows while it is walked
        renumbered = with_room(renumbered, place + 1)
        renumbered[place] = place
        for percept in np.flatnonzero(possible[actions[node]]):
            following = lasting(int(successors[node, percept]))
            if following not in place_of:
                place_of[following] = len(nodes)
                nodes.append(following)
            renumbered[place, percept] = place_of[following]
    return vectors[nodes], actions[nodes].astype(np.int64), renumbered[: len(nodes)]
