"""Counting starts for all actions at once, in whole numbers that have a bit for each action.

The bounds are those of `checker.Counting`; here it is found sooner which actions cost enough by them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from .checker import BARRED, OVER, Counting, Game

_BARRED, _OVER, _FIRST, _MANY = 0, 1, 2, 255
"""Codes: the action does not apply; the game is over; percepts of an action; or all of them if they are too many."""

_LINES = 5
"""So many straight lines below the bound are tried."""


class BitCounting(Counting):
    """Counting for all actions at once.

    `masks` has, by place and code, the actions. `sure` is what a part of so many starts costs, as a number of actions,
    even if it may be won. `lines` are pairs k, g: a part of n > 1 starts costs at least k n - g.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        codes = []
        for see in self.see:
            percepts = {*see} - {BARRED, OVER}
            few = len(percepts) <= _MANY - _FIRST
            code = {o: number if few else _MANY for number, o in enumerate(percepts, _FIRST)}
            codes.append(bytes(map({**code, BARRED: _BARRED, OVER: _OVER}.__getitem__, see)))
        rows = map(bytes, zip(*reversed(codes), strict=True)) if codes else [b""] * len(self.place)
        digits = [bytes(48 + (byte == code) for byte in range(256)) for code in range(256)]
        self.masks = [{code: int(row.translate(digits[code]), 2) for code in {*row}} for row in rows]
        # A part may be won if it has few states, and from any number of starts if states become one.
        most_won = 0
        for see, to in zip(self.see, self.to, strict=True) if self.may_win else ():
            pairs = ((o, t) for o, t in zip(see, to, strict=True) if o >= 0)
            sizes = Counter((o, goal) for o, t in pairs for goal in self.around[t])
            most_won = max(len(self.least) if self.merge and sizes else 0, most_won, *sizes.values())
        self.sure = [0 if n <= most_won else least for n, least in enumerate(self.least)]
        slopes = sorted({after - before for before, after in zip(self.least, self.least[1:], strict=False)})
        gaps = (max(k * n - least for n, least in enumerate(self.sure) if n != 1) for k in slopes[:_LINES])
        self.lines = list(zip(slopes, gaps, strict=False))

    def barred(self, place: int) -> int:
        """The actions that do not apply in a place."""
        return self.masks[place].get(_BARRED, 0)

    def cheap(self, belief: dict[int, int], total: Any) -> Iterator[int]:
        """The actions that apply, without most of those that cost enough by counting.

        By an action E of the W starts are done, P others go on by a percept of their own, and the rest by p percepts.
        For each line k, g the parts of the rest cost at least k (W - E - P) - g p actions. With what the P cost and the
        action itself that is W + k W - (k E + (k - sure) P + g p). The numbers E, P and p of all actions are in `ends`,
        `alone` and `parts`: lists that have by binary digit the actions where this digit is 1. Starts with percepts
        that are not told apart count as alone: n of them cost no less than n times what one costs.
        """
        starts = sum(belief.values())
        ends: list[int] = []
        alone: list[int] = []
        parts: list[int] = []
        seen: dict[int, int] = defaultdict(int)
        again: dict[int, int] = defaultdict(int)
        for place, weight in belief.items():
            masks = self.masks[place]
            for code, actions in masks.items():
                again[code] |= seen[code] & actions if weight == 1 else actions
                seen[code] |= actions
            _add(ends, masks.get(_OVER, 0), weight)
            _add(alone if weight == 1 else parts, masks.get(_MANY, 0), 1)
        left = ((1 << len(self.see)) - 1) & ~seen[_BARRED]
        for code in seen.keys() - {_BARRED, _OVER, _MANY}:
            _add(parts, again[code], 1)
            _add(alone, seen[code] & ~again[code], 1)
        for k, gap in self.lines if self.cheapest else ():
            missing: list[int] = []
            for digits, times in ((ends, k), (alone, k - self.sure[1]), (parts, gap)):
                for place, actions in enumerate(digits):
                    _add(missing, actions, times << place)
            left &= _above(missing, ((1 + k) * starts * self.cheapest - total) // self.cheapest)
        while left:
            yield (left & -left).bit_length() - 1
            left &= left - 1


def _add(digits: list[int], actions: int, number: int) -> None:
    """Add a number to those of some actions."""
    for place in range(number.bit_length()):
        carry, at = actions if number >> place & 1 else 0, place
        while carry:
            digits += [0] * (at + 1 - len(digits))
            digits[at], carry = digits[at] ^ carry, digits[at] & carry
            at += 1


def _above(digits: list[int], limit: int) -> int:
    """The actions whose numbers are above a limit."""
    found, equal = (0, -1) if limit >= 0 else (-1, 0)
    for place in range(max(len(digits), limit.bit_length()) - 1, -1, -1):
        digit = digits[place] if place < len(digits) else 0
        if limit >> place & 1:
            equal &= digit
        else:
            found, equal = found | equal & digit, equal & ~digit
    return found
