"""The first upper bounds on the values of beliefs: the values for players who see more.

For a player who sees every state from now on it is the value of the MDP (M. Littman, A. Cassandra and L. Kaelbling,
1995). For the fast informed bound the player sees every state but the present one (M. Hauskrecht, "Value-Function
Approximations for Partially Observable Markov Decision Processes", JAIR 13, 2000, section 4.3). There is a plane for
each action,

    q(a, s) = reward(s, a) + discount * sum over percepts o of max over a' of sum over t of P(o, t | s, a) q(a', t)

and the value of a belief is at most the largest expectation of a plane. Any q that is nowhere less than its right-hand
side is such a bound, so the iteration from above may stop at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import EndlessError, Worded
from .joint import NEVER, RULED_OUT, JointRows
from .markov_chain import Chain

if TYPE_CHECKING:
    from collections.abc import Callable

    from .arrays import Floats, Integers, PomdpArrays

# The least gain of a better policy, relative to the largest value.
_ROUNDING = 1e-12
_MOST_POLICIES = 1000
# The iteration ends when no number falls by more than this in a step, relative to the largest reward.
_STEP = 1e-7
# A step goes only half the way if the smallest fall is less than this share of the largest.
_UNEVEN = 0.25
# The most additions of the whole iteration.
_MOST_ADDED = 3_000_000_000


def mdp_values(arrays: PomdpArrays, joint: JointRows, tick: Callable[[], None]) -> Floats:
    """Return the highest expected reward of a player who sees the state, for each state.

    Policy iteration (R. Howard, 1960); with a discount below 1 the result is raised by a bound on its error. Without a
    discount it begins with a policy that ends the game, and so does each better policy, unless rewards can be collected
    for ever. Raises `EndlessError` then, and if the game cannot end.
    """
    size = arrays.S
    rewards = joint.rewards.ravel()
    pointers, targets = np.asarray(arrays.to_pointers), np.asarray(arrays.to_states)
    table = Chain(pointers, targets, arrays.to_weights, rewards)
    everywhere = np.arange(size)
    policy = _ending_policy(table, size) if joint.discount == 1 else joint.rewards.argmax(axis=0)
    for _ in range(_MOST_POLICIES):
        tick()
        chain = Chain.choosing(pointers, targets, arrays.to_weights, rewards, policy * size + everywhere)
        if joint.discount == 1 and not chain.may_end().all():
            raise EndlessError(
                "without a discount its value may be infinite: a player who saw every state could collect rewards for "
                "ever; give a discount() below 1"
            )
        values = chain.solve(joint.discount)
        worth = (rewards + joint.discount * table.after(values)).reshape(-1, size)
        best = worth.max(axis=0)
        better = best > values + _ROUNDING * np.abs(values).max(initial=1e-300)
        if not better.any():
            break
        policy = np.where(better, worth.argmax(axis=0), policy)
    excess = float(np.maximum(best - values, 0).max(initial=0))
    if joint.discount < 1:
        return np.asarray(values + excess / (1 - joint.discount))
    return np.asarray(np.maximum(values, best))


def _ending_policy(table: Chain, size: int) -> Integers:
    """Return for each state an action on a shortest path to the end."""
    applies = table.rewards > RULED_OUT
    sources = table.sources()
    leads = applies & table.ending()
    policy = np.full(size, -1)
    while True:
        rows = np.flatnonzero(leads)
        states = rows % size
        fresh = policy[states] < 0
        if not fresh.any():
            break
        policy[states[fresh][::-1]] = rows[fresh][::-1] // size
        leads = np.zeros(len(applies), np.bool_)
        leads[sources[policy[table.targets] >= 0]] = True
        leads &= applies
    if (policy < 0).any():
        raise EndlessError(
            Worded(
                "the game never ends: from a state that can come up, no terminal state can be reached; it needs a "
                "discount below 1, or a [horizon] (`check` names such a state)"
            )
        )
    return policy


def mdp_planes(arrays: PomdpArrays, joint: JointRows, tick: Callable[[], None]) -> Floats:
    """Return the planes of a player who sees the state after the first action; `NEVER` where it does not apply.

    If improper policies count and all rewards are costs, later actions cost nothing.
    """
    values = np.zeros(arrays.S) if joint.counts_losses else mdp_values(arrays, joint, tick)
    table = Chain(np.asarray(arrays.to_pointers), arrays.to_states, arrays.to_weights, joint.rewards.ravel())
    planes = joint.rewards + joint.discount * table.after(values).reshape(-1, arrays.S)
    planes[joint.rewards <= RULED_OUT] = NEVER
    return planes


def fast_informed_bound(arrays: PomdpArrays, joint: JointRows, tick: Callable[[], None]) -> Floats:
    """Return the planes described above, by action and state; `NEVER` where an action leads to a dead end.

    The iteration goes from the values of the MDP downwards, and each step gives a bound. If all numbers fall, they may
    fall further by the discounted sum of the smallest fall in all later steps (E. Porteus, 1971). Then the length of
    the iteration does not depend on the discount if states are forgotten quickly. If numbers fall by turns, a step goes
    half the way, so that they fall together; that is a bound as well, since the right-hand side is convex.
    """
    planes = mdp_planes(arrays, joint, tick)
    matrix = joint.matrix()
    entries = matrix.size if isinstance(matrix, np.ndarray) else matrix.nnz
    scale = max(1e-9, float(np.abs(joint.rewards[joint.rewards > RULED_OUT]).max(initial=0)))
    lasting = joint.discount * joint.least_share
    for _ in range(10 + _MOST_ADDED // (entries * len(planes) + 1)):
        tick()
        best = (matrix @ planes.T).max(axis=1) if len(joint.percepts) else np.zeros(0)
        lowered = np.minimum(planes, joint.rewards + joint.discount * joint.summed(best))
        lowered[lowered <= RULED_OUT] = NEVER
        counted = lowered > RULED_OUT
        falls = (planes - lowered)[counted]
        if not falls.size or falls.max() <= _STEP * scale:
            return lowered
        if falls.min() < _UNEVEN * falls.max():
            planes, sure = np.where(counted, (planes + lowered) / 2, NEVER), falls.min() / 2
        else:
            planes, sure = lowered, lasting * falls.min()
        if lasting < 1:
            planes[counted] -= sure / (1 - lasting)
    return planes
