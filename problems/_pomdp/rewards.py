"""Rewards, as the lines of a file set them: for an action, a state, the next state and a percept, each perhaps any."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from attrs import field, frozen

from .rows import Row
from .words import ANY

Key: TypeAlias = tuple[int, ...]
"""The numbers of action, state, next state and percept, each of which may be `ANY`."""

_NOTHING = Fraction(0)


@frozen
class RewardSettings:
    """All that a file says of rewards; where two lines speak of the same, the later counts."""

    _values: dict[Key, tuple[int, Fraction]] = field(init=False, factory=dict)
    _named: dict[tuple[bool, ...], None] = field(init=False, factory=dict)  # which parts of some key are not `ANY`

    def add(self, at: int, key: Key, value: Fraction) -> None:
        """What the line that begins with the word `at` sets."""
        self._values[key] = (at, value)
        self._named[tuple(part != ANY for part in key)] = None

    def expected(self, action: int, state: int, results: Row, percepts: Sequence[Row]) -> Fraction:
        """The mean reward for an action in a state, whose results and whose percepts by result have probabilities."""
        if any(of_percept for *_, of_percept in self._named):
            return sum(
                (
                    chance * likely * self._of((action, state, result, percept))
                    for result, chance in results.items()
                    for percept, likely in percepts[result].items()
                ),
                _NOTHING,
            )
        if any(of_result for _, _, of_result, _ in self._named):
            return sum(
                (chance * self._of((action, state, result, ANY)) for result, chance in results.items()), _NOTHING
            )
        return self._of((action, state, ANY, ANY))

    def _of(self, key: Key) -> Fraction:
        """The value of the last line that speaks of this key."""
        lines = (
            self._values.get(tuple(part if is_named else ANY for part, is_named in zip(key, named, strict=True)))
            for named in self._named
        )
        return max((line for line in lines if line is not None), default=(0, _NOTHING))[1]
