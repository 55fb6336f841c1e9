"""Cores: small sets of states that cannot be won within some number of actions, found while larger ones are searched.

Whoever cannot win a set cannot win a larger one. So an action that leaves all of a core together, in one part, is of no
use in any set that includes the core: one core, once found, rules out many actions in many sets.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bits: TypeAlias = NDArray[np.uint64]
    """Flags as 64-bit words."""

_WORD = 64
_FIRST = 16  # room for so many cores is made at first
_FEW = 200  # so many are looked at first when few are to be chosen


def packed(flags: NDArray[np.bool_]) -> Bits:
    """Flags as bits of 64-bit words, along the last axis."""
    padding = -flags.shape[-1] % _WORD
    if padding:
        flags = np.concatenate([flags, np.zeros((*flags.shape[:-1], padding), np.bool_)], axis=-1)
    return np.packbits(flags, axis=-1, bitorder="little").view(np.uint64)


def unpacked(words: Bits, count: int) -> NDArray[np.bool_]:
    """The first `count` flags of words made by `packed`."""
    return np.unpackbits(words.view(np.uint8), axis=-1, count=count, bitorder="little").view(np.bool_)


class Cores:
    """Cores for one number of actions: of each its members, and the actions that leave all of it together.

    `why` has for each core the numbers of those for one action less that rule out all actions in it.
    """

    def __init__(self, starts: int, actions: int) -> None:
        self._starts = starts
        self._members = np.zeros((_FIRST, -(-starts // _WORD)), np.uint64)
        self._kept = np.zeros((_FIRST, -(-actions // _WORD)), np.uint64)
        self._rules_out: list[int] = []  # how many actions
        self.why: list[list[int]] = []

    def __len__(self) -> int:
        return len(self.why)

    def add(self, members: Bits, kept: Bits, why: Iterable[int]) -> None:
        """Add a core."""
        place = len(self.why)
        if place == len(self._members):
            self._members = np.concatenate([self._members, np.zeros_like(self._members)])
            self._kept = np.concatenate([self._kept, np.zeros_like(self._kept)])
        self._members[place] = members
        self._kept[place] = kept
        self._rules_out.append(int(np.bitwise_count(kept).sum()))
        self.why.append(list(why))

    def kept_by(self, action: int) -> NDArray[np.intp]:
        """The numbers of the cores that an action leaves together."""
        bits = self._kept[: len(self), action // _WORD] >> np.uint64(action % _WORD)
        return np.flatnonzero(bits & np.uint64(1))

    def inside(self, belief: Bits, among: NDArray[np.intp]) -> NDArray[np.intp]:
        """Of the cores with these numbers those that a set of starts includes."""
        found: NDArray[np.intp] = among[~np.any(self._members[among] & ~belief, axis=1)]
        return found

    def ruled_out(self, numbers: NDArray[np.intp]) -> Bits:
        """The actions that leave one of these cores together."""
        return np.asarray(np.bitwise_or.reduce(self._kept[numbers], axis=0))

    def members(self, numbers: NDArray[np.intp]) -> NDArray[np.intp]:
        """The starts that lie in any of these cores."""
        return np.flatnonzero(unpacked(np.bitwise_or.reduce(self._members[numbers], axis=0), self._starts))

    def few_that_rule_out(self, numbers: NDArray[np.intp], actions: Bits) -> NDArray[np.intp]:
        """Some of these cores that together rule out all these actions: greedily chosen so as to have few members."""
        if len(numbers) > _FEW:  # mostly those that rule out the most actions do
            some = numbers[np.argsort(-np.array(self._rules_out)[numbers], kind="stable")[:_FEW]]
            if not (actions & ~self.ruled_out(some)).any():
                numbers = some
        kept, members = self._kept[numbers], self._members[numbers]
        chosen = []
        union = np.zeros_like(self._members[0])
        left = actions.copy()
        while left.any():
            gains = np.bitwise_count(kept & left).sum(axis=1, dtype=np.int64)
            new = np.bitwise_count(members & ~union).sum(axis=1, dtype=np.int64)
            best = np.argmax(gains / (new + 0.3))
            chosen.append(numbers[best])
            union |= members[best]
            left &= ~kept[best]
        return np.array(chosen, dtype=np.intp)
