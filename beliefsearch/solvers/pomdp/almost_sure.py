"""Policy graphs that win with probability 1, made from the safe actions of a winning region.

A player who does each safe action again and again wins almost surely. A policy graph is deterministic, so it has a
clock: at each time it does the action that is quickest from another one of the possible states. Whether the graph wins
from all its reachable nodes is then checked; if not, longer clocks are tried, and random choices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from ...model.reachability import steps_to
from ..sparse_rows import sums_between
from .arrays import NEVER as DOES_NOT_APPLY
from .blind_policies import DRAWS, PERIODS, Belief, next_sets, unfolded
from .joint import JointRows
from .policy_pairs import PolicyPairs
from .trials import FoundBounds, ShownBelief

if TYPE_CHECKING:
    from .arrays import Integers, PomdpArrays

_MOST_NODES, _MOST_TRIPLES = 20_000, 100_000
_ENDS, _MISS = 1e-12, 1e-9


@frozen(eq=False)
class AlmostSurePolicy:
    """Policy graph that wins with probability 1, with the interface of a finished search; no policy attains more."""

    arrays: PomdpArrays
    actions: Integers
    successors: Integers
    belief_count: int

    @property
    def backups(self) -> int:
        """Count the beliefs that were looked at."""
        return self.belief_count

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds on the value of the start."""
        value = min(1.0, float(self.arrays.start.sum()))
        return value, value

    def found(self) -> FoundBounds:
        """Return the policy, and planes of 1."""
        arrays = self.arrays
        planes = np.where(arrays.rewards > DOES_NOT_APPLY, 1.0, -np.inf)
        start = np.flatnonzero(arrays.start)
        shown = ShownBelief(start, arrays.start[start], 1.0, None, -1, 0)
        vectors = np.ones((len(self.actions), arrays.S))
        corners = planes.max(axis=0)
        return FoundBounds(
            vectors, self.actions, self.successors, planes, [], corners, *self.bounds, True, True, [shown]
        )


def counts_wins(arrays: PomdpArrays) -> bool:
    """Return whether no reward exceeds the probability that the game ends, so that the value is at most 1."""
    staying = sums_between(arrays.to_weights, arrays.to_pointers).reshape(arrays.rewards.shape)
    applies = arrays.rewards > DOES_NOT_APPLY
    is_chance = (arrays.rewards >= 0) & (arrays.rewards <= 1 - staying + _ENDS)
    return arrays.discount == 1 and bool((is_chance | ~applies).all()) and bool((arrays.rewards > 0).any())


def almost_sure_policy(
    arrays: PomdpArrays, safe: Mapping[Belief, Sequence[int]], tick: Callable[[], None]
) -> AlmostSurePolicy | None:
    """Return a policy graph that wins almost surely with value 1; None if none is found.

    `safe` is a winning region: its beliefs, with the actions after which only such beliefs, or the end, can come.
    """
    if sum(len(belief) * len(actions) for belief, actions in safe.items()) > _MOST_TRIPLES:
        return None
    joint = JointRows.of(arrays)
    leads_to = cache(partial(next_sets, joint))
    quick = _quickest(arrays, safe, leads_to, tick)
    start = tuple(np.flatnonzero(arrays.start).tolist())
    for period in PERIODS:
        for draw in range(1 + DRAWS):
            tick()
            random = Random(100 * period + draw)

            def chosen(belief: Belief, time: int, random: Random = random, draw: int = draw) -> int:
                ways = quick[belief]
                return random.choice(ways) if draw else ways[time % len(ways)]

            found = unfolded(start, period, chosen, leads_to, _MOST_NODES, tick)
            if found is None:
                return None
            actions = np.array(found[1])
            successors = np.repeat(np.arange(len(actions))[:, None], arrays.O, axis=1)
            for place, after in enumerate(found[2]):
                successors[place, list(after)] = list(after.values())
            if _wins(arrays, joint, actions, successors, tick):
                return AlmostSurePolicy(arrays, actions, successors, len(safe))
    return None


def _quickest(
    arrays: PomdpArrays,
    safe: Mapping[Belief, Sequence[int]],
    leads_to: Callable[[Belief, int], Mapping[int, Belief]],
    tick: Callable[[], None],
) -> dict[Belief, list[int]]:
    """Return, for each belief, the first actions of shortest paths to the end from its states, longest path first."""
    size = arrays.S
    ends = 1 - sums_between(arrays.to_weights, arrays.to_pointers)
    steps, over = [], []
    ways: dict[tuple[Belief, int], list[tuple[int, tuple[Belief, int] | None]]] = {}
    for belief, actions in safe.items():
        ways.update({(belief, state): [] for state in belief})
        for action in actions:
            tick()
            after = leads_to(belief, action)
            for state in belief:
                pair = belief, state
                found_here = ways[pair]
                if ends[action * size + state] > _ENDS:
                    over.append(pair)
                    found_here.append((action, None))
                for percept, following in leads_to((state,), action).items():
                    found_here += [(action, (after[percept], t)) for t in following]
        steps += [((belief, state), then) for state in belief for _, then in ways[belief, state] if then]
    rank = steps_to(over, steps)
    found: dict[Belief, list[int]] = {}
    for belief in safe:
        best = []
        for state in belief:
            known = [
                (1 + rank[then] if then else 0, action)
                for action, then in ways[belief, state]
                if not then or then in rank
            ]
            if known:
                best.append(min(known))
        found[belief] = list(dict.fromkeys(action for _, action in sorted(best, reverse=True)))
    return found


def _wins(
    arrays: PomdpArrays, joint: JointRows, actions: Integers, successors: Integers, tick: Callable[[], None]
) -> bool:
    """Return whether every reachable pair of a node and a state can reach the end, and has the value 1."""
    pairs = PolicyPairs.of(joint, np.flatnonzero(arrays.start), actions, successors, tick)
    return bool(pairs.chain.may_end().all()) and bool((np.abs(pairs.gains()[0] - 1) < _MISS).all())
