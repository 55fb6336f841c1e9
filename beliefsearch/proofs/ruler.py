"""The shape of a plan: how often each action occurs, and whether it is a ruler sequence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Generic

from attrs import frozen

from ..model.problem import Action

_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31)


@frozen
class Ruler(Generic[Action]):
    """A ruler sequence: the action at place t, counted from 1, depends only on how often `base` divides t.

    Such a plan counts in that base, a prime, as the marks of a ruler do: the action of level j is done whenever the
    digits below are exhausted.
    """

    base: int
    levels: tuple[Action, ...]


def find_ruler(plan: Sequence[Action]) -> Ruler[Action] | None:
    """The ruler sequence of smallest base that `plan` is, with at least two levels; None if none. O(length)."""
    for base in _BASES:
        levels: list[Action] = []
        for place, action in enumerate(plan, 1):
            level = 0
            while place % base == 0:
                place //= base  # digit by digit
                level += 1
            if level == len(levels):
                levels.append(action)
            elif levels[level] != action:
                break
        else:
            if len(levels) > 1 and len(set(levels)) > 1:
                return Ruler(base, tuple(levels))
    return None


def count_actions(plan: Sequence[Action]) -> list[tuple[Action, int]]:
    """Each action with the number of its occurrences, the most frequent first."""
    return Counter(plan).most_common()
