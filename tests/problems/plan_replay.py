"""What a conditional plan does, followed by definition through every result and every percept."""

from __future__ import annotations

import math
from typing import Any

from .contingent_brute_force import common_actions, is_won, outcomes


def most_actions(problem: Any, plan: Any) -> float:
    """The most actions that the plan takes from the initial belief; infinite if it may go round.

    Asserts that every action applies, every percept has a branch and every end is won, and that from wherever the
    plan may lead some end can be reached.
    """
    start = (frozenset(problem.initial_states()), 0)
    frontier = [start]
    following: dict[Any, list[Any]] = {}
    for place in frontier:  # grows while it is walked
        if place in following:
            continue
        belief, number = place
        node = plan.nodes[number]
        if node.is_end:
            assert is_won(problem, belief)
            following[place] = []
            continue
        assert node.action in common_actions(problem, belief)
        targets = dict(node.branches)
        after = outcomes(problem, belief, node.action)
        following[place] = [(other, targets[percept]) for percept, other in after.items()]
        frontier += following[place]
    most: dict[Any, float] = {place: 0 for place, others in following.items() if not others}
    ending = set(most)
    for _ in following:
        ending |= {place for place, others in following.items() if any(other in ending for other in others)}
        most |= {
            place: 1 + max(most[other] for other in others)
            for place, others in following.items()
            if others and all(other in most for other in others)
        }
    assert ending == set(following)
    return most.get(start, math.inf)
