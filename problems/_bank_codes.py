"""Parties on the banks of a river as 64-bit words, and crossings of many parties at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from attrs import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[np.uint64]
    Flags: TypeAlias = NDArray[np.bool_]

Banks: TypeAlias = tuple[str, str, Literal["left", "right"]]


@frozen
class BankCodes:
    """The lowest bit says whether the boat is on the right; the rest is how many of each letter are on the left."""

    party: str  # all travellers, as letters; those who are alike have one letter
    story: str  # which says what is safe: see `RiverCrossingProblem`

    def codes(self, states: Sequence[Banks]) -> Codes:
        """The codes of states, one row each."""
        on_left = np.array([[left.count(letter) for letter in self._letters] for left, _, _ in states], np.int64)
        on_right = np.array([side == "right" for _, _, side in states])
        codes: NDArray[np.int64] = 2 * (on_left @ self._weights) + on_right
        return codes.astype(np.uint64)[:, None]

    def states(self, codes: Codes) -> list[Banks]:
        """The inverse of `codes`."""
        found: list[Banks] = []
        for (code,), left in zip(codes.tolist(), self._on_left(codes).tolist(), strict=True):
            right = [all_of_it - count for all_of_it, count in zip(self._counts, left, strict=True)]
            found.append((self._spelt(left), self._spelt(right), "right" if code & 1 else "left"))
        return found

    def crossed(self, codes: Codes, load: str) -> tuple[Codes, Flags]:
        """The codes after a load has gone to the other bank, and where it is there and all are safe."""
        on_left = self._on_left(codes)
        leaving_left = (codes & np.uint64(1)) == 0
        aboard = np.array([load.count(letter) for letter in self._letters])
        here = np.where(leaving_left, on_left, self._counts - on_left) - aboard
        there = np.where(leaving_left, self._counts - on_left, on_left) + aboard
        applies = (here >= 0).all(axis=1) & self._are_safe(here) & self._are_safe(there)
        step = np.uint64(2 * int(aboard @ self._weights))
        other_side = codes ^ np.uint64(1)
        return np.where(leaving_left, other_side - step, other_side + step), applies

    def _are_safe(self, groups: NDArray[np.int64]) -> Flags:
        """In which groups, given by how many of each letter they have, nobody is in danger."""
        there: dict[str, NDArray[np.int64]] = dict(zip(self._letters, groups.T, strict=True))
        safe: Flags
        if self.story == "wolf-goat-cabbage":
            safe = (there["F"] > 0) | (there["G"] == 0) | ((there["W"] == 0) & (there["C"] == 0))
        elif self.story == "missionaries":
            safe = (there["M"] == 0) | (there["M"] >= there["C"])
        else:
            men = groups[:, [letter.isupper() for letter in self._letters]]
            women = groups[:, [letter.islower() for letter in self._letters]]
            safe = (men == 0).all(axis=1) | (men >= women).all(axis=1)
        return safe

    def _on_left(self, codes: Codes) -> NDArray[np.int64]:
        """The numbers of each letter on the left, one row for each code."""
        digits = codes.astype(np.int64) // 2 // self._weights
        return digits % (self._counts + 1)

    def _spelt(self, counts: Sequence[int]) -> str:
        left = dict(zip(self._letters, counts, strict=True))
        return "".join(letter * count for letter, count in left.items())

    @cached_property
    def _letters(self) -> list[str]:
        """In the order in which the party is written."""
        return list(dict.fromkeys(self.party))

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        """The number of each letter."""
        return np.array([*Counter(self.party).values()], np.int64)

    @cached_property
    def _weights(self) -> NDArray[np.int64]:
        """The sum that one of each letter adds."""
        return np.cumprod([1, *(self._counts[:-1] + 1)])
