"""Supports of beliefs in which a player can go on for ever without costs: a safety objective.

It depends only on which states are possible (K. Chatterjee, L. Doyen, T. Henzinger, J.-F. Raskin, "Algorithms for
omega-regular games with imperfect information", 2007). A policy that is safe for a support is safe for its subsets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import TypeAlias

import numpy as np

from .blind_policies import Belief, next_sets
from .joint import JointRows

UnpaidSupports: TypeAlias = Mapping[Belief, tuple[int, Mapping[int, Belief]]]
"""For each support: an action without cost, and the next support for each percept."""


def unpaid_supports(
    joint: JointRows, starts: Iterable[Belief], most: int, tick: Callable[[], None]
) -> UnpaidSupports | None:
    """The maximal safe supports among those reachable from `starts`; None if more than `most` are reachable."""
    leads_to = cache(partial(next_sets, joint))
    ways: dict[Belief, dict[int, set[Belief]]] = {}
    waiting = list(dict.fromkeys(starts))
    before: dict[Belief, list[tuple[Belief, int]]] = {belief: [] for belief in waiting}
    for belief in waiting:  # grows while it is walked
        tick()
        if len(waiting) > most:
            return None
        free = np.flatnonzero((joint.rewards[:, list(belief)] == 0).all(axis=1)).tolist()
        ways[belief] = {action: set(leads_to(belief, action).values()) for action in free}
        for action, after in ways[belief].items():
            for following in after:
                if following not in before:
                    before[following] = []
                    waiting.append(following)
                before[following].append((belief, action))
    lost = [belief for belief in waiting if not ways[belief]]
    for belief in lost:  # grows while it is walked
        tick()
        for earlier, action in before[belief]:
            if ways[earlier].pop(action, None) is not None and not ways[earlier]:
                lost.append(earlier)
    return _largest({belief: next(iter(left)) for belief, left in ways.items() if left}, leads_to, tick)


def _largest(
    actions: Mapping[Belief, int], leads_to: Callable[[Belief, int], Mapping[int, Belief]], tick: Callable[[], None]
) -> UnpaidSupports:
    """Keep the supports that lie in no other one, and lead to these."""
    inside: dict[Belief, Belief] = {}
    largest: dict[int, list[Belief]] = {}  # by state
    for belief in sorted(actions, key=len, reverse=True):
        tick()
        states = set(belief)
        inside[belief] = next((other for other in largest.get(belief[0], ()) if states.issubset(other)), belief)
        if inside[belief] is belief:
            for state in belief:
                largest.setdefault(state, []).append(belief)
    return {
        belief: (actions[belief], {o: inside[after] for o, after in leads_to(belief, actions[belief]).items()})
        for belief, other in inside.items()
        if other is belief
    }
