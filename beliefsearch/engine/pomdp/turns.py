"""Choice of the kind of the next trial, by how much each kind has narrowed the gap at the start for its work.

Coarse trials soon lower the upper bound; fine ones go deep, and raise the lower one; and some go down by the first
planes, to a percept that is drawn by lot among those still too wide: they do not chase what looks best only because it
was not looked at. Which kind does most differs from game to game, and a deep trial takes a hundred times the work of
another. At first coarse trials come by the same beliefs again and again, of which most is known already, and deep ones
in between would lead them elsewhere; so these wait until coarse ones alone become slow. From then on all kinds share
the work by what each has gained of late.

Gains are logarithms of gaps, and work is counted by the kernels: the same search makes the same choices again.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ...solvers.pomdp.arrays import Floats

# The kinds: the share of the gap that they aim at, whether they go down by lot, and their share of the work until it is
# known what each gains.
SHARES_OF_GAP = 0.85, 0.5, 0.5
BY_LOT = 0, 0, 1
_FIRST_SHARES = np.array([0.5, 0.3, 0.2])
_LEAST_SHARE = 0.05
# What was gained counts half as much after this part of all work, or twice, and so on.
_HALF = 1 / 4
# Coarse trials are slow if in this part of all work, or in so many steps, they gain less than a sixth of the usual.
_SPELL, _LEAST_SPELL, _SLOW = 1 / 8, 2e7, 1 / 6
# A trial that finds the first lower bound closes an endless gap; it counts as this much.
_MOST_GAIN = 3.0


class Turns:
    """The choice; `numbers` are all that it is made by, for a store."""

    def __init__(self) -> None:
        kinds = len(BY_LOT)
        self.numbers = np.zeros(3 * kinds + 5)
        # By kind; it waits if it changed nothing, and no other has since.
        self._worked, self._gained, self._waits = self.numbers[: 3 * kinds].reshape(3, kinds)
        self._whole, self._spell = self.numbers[3 * kinds : -1].reshape(2, 2)  # work and gain
        self._shared = self.numbers[-1:]  # whether all kinds take turns

    def next(self) -> int:
        """Return the kind of the next trial."""
        return int((self._worked / self._shares() + 1e300 * self._waits).argmin()) if self._shared[0] else 0

    def _shares(self) -> Floats:
        """Return the share of each kind."""
        if not (self._worked > 0).all() or not self._gained.any():
            return _FIRST_SHARES
        rates = self._gained / self._gained.max() / self._worked  # gains may be next to nothing
        rates = (rates / rates.max()) ** 2
        shares: Floats = _LEAST_SHARE + (1 - _LEAST_SHARE * len(rates)) * rates / rates.sum()
        return shares

    def after(self, kind: int, work: int, gaps: tuple[float, float], changed: bool) -> None:
        """Note what a trial was: its work, the gap before it and after it, and whether it changed anything."""
        before, after = gaps
        gain = min(_MOST_GAIN, log(before / after)) if after > 0 else _MOST_GAIN
        self._whole += work, gain
        if not self._shared[0]:
            self._spell += work, gain
            over = self._spell[0] >= max(_LEAST_SPELL, _SPELL * self._whole[0])
            slow = self._spell[1] * self._whole[0] < _SLOW * self._whole[1] * self._spell[0]
            self._shared[0] = not changed or (over and slow)
            if over:
                self._spell[:] = 0
            return
        for numbers in (self._worked, self._gained):
            numbers *= 0.5 ** (work / (_HALF * self._whole[0]))
        self._worked[kind] += work
        self._gained[kind] += gain
        self._waits[kind if not changed else slice(None)] = not changed

    def round_is_over(self) -> bool:
        """Whether no kind changed anything since this was last so: finer ones are due."""
        over = bool(self._waits.all())
        if over:
            self._waits[:] = False
        return over
