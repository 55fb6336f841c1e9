"""Information bound: a plan of d actions has a limited number of ends, and states to be distinguished need their own.

It is the argument by which thirteen coins are too many for three weighings on a balance (F. Dyson, 1946), for any
problem. A state that may give several percepts, as when answers may be lies, needs several ends: these are the weights
of E. Berlekamp, "Block coding for the binary symmetric channel with noiseless, delayless feedback" (1968).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from typing import TypeAlias

from attrs import frozen

from ..model.base import Cost

Sizes: TypeAlias = tuple[tuple[frozenset[int], int], ...]
"""The number of groups of states, by the sorts of their members."""

Way: TypeAlias = tuple[frozenset[int], ...]
"""The outcomes of an action in a state: for each percept, the sorts of the results."""

ONE_PERCEPT: Sequence[frozenset[Way]] = (frozenset({(frozenset({0}),)}),)
"""The ways of a problem in which all states have one sort, and every action one percept."""


def plain(states: int) -> Sizes:
    """Return the sizes of `states` groups of one state of sort 0."""
    return ((frozenset({0}), states),)


@frozen
class Part:
    """The states from which one action may give one percept: their groups, by the sorts of their results with it.

    `won` is whether all of them are won then. `most_won` has the groups of results in a goal set, for each goal set
    that may be the largest. `merging` is the largest number of groups that lead to the same group.
    """

    states: Sizes
    won: bool
    most_won: tuple[Sizes, ...]
    merging: int


@frozen
class Capacities:
    """Capacities of plans to distinguish states, by number of actions d.

    `ends[d][sort]` is the least number of ends of a plan of d actions that a state of this sort needs. The weight of a
    belief is the sum over its groups of the number that their most demanding member needs. `most[d]` is the largest
    weight of a belief that is not won, and can be within d actions. `is_all` is whether a belief that is too heavy for
    all of these can never be won.
    """

    ends: Sequence[Sequence[int]]
    most: Sequence[int]
    is_all: bool

    def least_actions(self, belief: Sizes) -> Cost:
        """Return the least number of actions to win from a belief that is not won yet."""
        found = (d for d, most in enumerate(self.most) if most >= weight(belief, self.ends[d]))
        return next(found, inf if self.is_all else len(self.most))

    def least_mean(self, size: int) -> Cost:
        """Return the least mean number of actions to win from so many equally likely states, each with one percept.

        At most `most[d]` of them are won within d actions; the mean is the sum over d of the share that is not won.
        """
        if self.most[-1] < size:
            return inf
        return Fraction(sum(max(0, size - most) for most in self.most), size)


def weight(groups: Sizes, ends: Sequence[int]) -> int:
    """Return the weight of groups of states, if a state of each sort needs so many ends."""
    return sum(count * max(map(ends.__getitem__, sorts)) for sorts, count in groups)


def capacities(
    actions: Iterable[Sequence[Part]], universe: Sizes, ways: Sequence[frozenset[Way]] = ONE_PERCEPT
) -> Capacities:
    """Compute the capacities, as far as they are needed for beliefs in the `universe`.

    `actions` has the parts into which each action splits the universe; `ways` has the outcomes of actions in a state of
    each sort. After an action a belief is split into parts, and each must be won already, or be won within d - 1
    actions. The computation ends when the universe is light enough, when only the scale changes, or when d is twice the
    number of groups.
    """
    of_actions = list(dict.fromkeys(map(tuple, actions)))
    ends = [tuple(1 for _ in ways)]
    most = [0]
    longest = 2 * sum(count for _, count in universe)
    while weight(universe, ends[-1]) > most[-1]:
        before = ends[-1]
        after = tuple(_least_ends(own, before) for own in ways)
        larger = max((sum(_most_of(part, before, most[-1]) for part in parts) for parts in of_actions), default=0)
        # The recurrence is homogeneous: if `ends` and `most` grow by the same factor they do so for ever.
        if larger * before[0] <= most[-1] * after[0] and all(
            new * before[0] == old * after[0] for old, new in zip(before, after, strict=True)
        ):
            return Capacities(ends, most, is_all=True)
        if len(most) > longest:
            return Capacities(ends, most, is_all=False)
        ends.append(after)
        most.append(larger)
    return Capacities(ends, most, is_all=True)


def _least_ends(ways: Iterable[Way], ends: Sequence[int]) -> int:
    return min((sum(max(map(ends.__getitem__, sorts)) for sorts in way) for way in ways), default=1)


def _most_of(part: Part, ends: Sequence[int], capacity: int) -> int:
    total = weight(part.states, ends)
    if part.won:
        return total
    return min(total, part.merging * max([capacity, *(weight(won, ends) for won in part.most_won)]))
