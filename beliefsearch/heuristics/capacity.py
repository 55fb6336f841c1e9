"""Capacity: a plan of d actions can tell only a limited number of states apart, as each gives few percepts.

It is the argument by which thirteen coins are too many for three weighings on a balance (F. Dyson, 1946), made
for any problem: how many states a belief that is won within d actions can have at the most.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf

from attrs import frozen

from ..model.problem import Cost


@frozen
class Part:
    """The states from which one action may give one percept.

    Attributes
    ----------
    states
        How many they are.
    won
        Whether all of them are won then.
    most_won
        How many of their results lie together in a goal set, at the most.
    merging
        The most of them that lead to one and the same result.
    """

    states: int
    won: bool
    most_won: int
    merging: int


def capacities(actions: Sequence[Sequence[Part]], states: int) -> list[int]:
    """By number of actions d: the most states that a belief can have if it is not won but can be within d actions.

    `actions` has the parts of each action; every belief that is not won is a subset of their states. The list ends
    where the numbers reach that of all `states`, or grow no more. After an action a belief falls into parts, each of
    which must be won already, or be won within d - 1 actions.
    """
    found = [0]
    while found[-1] < states:
        most = max((sum(_most_of(part, found[-1]) for part in parts) for parts in actions), default=0)
        if most <= found[-1]:
            break
        found.append(most)
    return found


def _most_of(part: Part, capacity: int) -> int:
    return part.states if part.won else min(part.states, part.merging * max(capacity, part.most_won))


def worst_capacity_bound(size: int, found: Sequence[int]) -> Cost:
    """The least number of actions to win from a belief of this size that is not won yet."""
    return next((d for d, most in enumerate(found) if most >= size), inf)


def expected_capacity_bound(size: int, found: Sequence[int]) -> Cost:
    """The least mean number of actions to win from a belief of this many equally likely states.

    No more than `found[d]` of them are won within d actions; the mean is the sum over d of the share that is not.
    """
    if found[-1] < size:
        return inf
    return Fraction(sum(max(0, size - most) for most in found), size)
