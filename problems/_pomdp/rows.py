"""Rows of probabilities, and rewards, as the lines of a file set them one after the other."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from operator import attrgetter
from typing import TypeAlias

from attrs import define, field, frozen

from beliefsearch.errors import DataWarning

from .words import ANY

Row: TypeAlias = Mapping[int, Fraction]
"""Positive probabilities by number of state or percept."""
_in_order = attrgetter("at")
# What a sum may miss of 1: numbers that were rounded to four digits or more.
_TOLERANCE = Fraction(1, 10_000)
# So many repairs are told one by one.
_FEW = 3


@define
class Setting:
    """What one line, or one matrix, says of rows: one entry of them, or the whole."""

    at: int  # the number of its first word, by which settings are in order
    column: int = ANY  # the entry that it sets
    probability: Fraction = Fraction(0)
    row: Row | None = None  # the whole row
    by_state: Callable[[int], Row] | None = None  # the whole row, where it differs from state to state


@define
class MadeRow:
    """A row as it is when all lines that speak of it were heard."""

    row: Row
    last: int  # the word where the last of these lines begins; `ANY` if there is none
    steps: int  # how many entries were written to make it


@frozen
class RowSettings:
    """All that a file says of the rows of `T`, or of `O`; a later line wins where two speak of one entry."""

    _settings: dict[tuple[int, int], list[Setting]] = field(init=False, factory=dict)

    def add(self, action: int, state: int, setting: Setting) -> None:
        """Of an action and a state, each of which may be `ANY`."""
        self._settings.setdefault((action, state), []).append(setting)

    def rows(self, action: int, states: int) -> Iterator[MadeRow]:
        """The rows of all states; those which no line tells apart are one object."""
        of_all = sorted([*self._about(ANY, ANY), *self._about(action, ANY)], key=_in_order)
        differ = any(setting.by_state is not None for setting in of_all)
        shared = None
        for state in range(states):
            special = [*self._about(ANY, state), *self._about(action, state)]
            if special or differ:
                yield _made(sorted([*of_all, *special], key=_in_order), state)
            else:
                shared = shared or _made(of_all, state)
                yield shared

    def _about(self, action: int, state: int) -> Sequence[Setting]:
        return self._settings.get((action, state), ())


def _made(settings: Sequence[Setting], state: int) -> MadeRow:
    """The row of a state from all that is said of it, in the order of the file."""
    if not settings:
        return MadeRow({}, ANY, 0)
    begin = next((place for place in reversed(range(len(settings))) if settings[place].column == ANY), ANY)
    whole: Row = {}
    if begin != ANY:
        setting = settings[begin]
        whole = setting.by_state(state) if setting.by_state is not None else setting.row or {}
    if begin == len(settings) - 1:
        return MadeRow(whole, settings[-1].at, 1)
    row = dict(whole)
    for setting in settings[begin + 1 :]:
        if setting.probability:
            row[setting.column] = setting.probability
        else:
            row.pop(setting.column, None)
    return MadeRow(row, settings[-1].at, len(whole) + len(settings))


def sum_unless_one(row: Row) -> Fraction | None:
    """The sum of a row, exactly; None if that is 1."""
    parts = [(probability.numerator, probability.denominator) for probability in row.values()]
    scale = lcm(*[denominator for _, denominator in parts])
    total = sum([numerator * (scale // denominator) for numerator, denominator in parts])
    return None if total == scale else Fraction(total, scale)


@define
class Repairs:
    """Rows of a file that miss the sum 1 by rounding, and are divided by their sums; with `strict` they are refused."""

    file: str
    strict: bool
    _made: list[tuple[Callable[[], str], str, Fraction]] = field(factory=list, init=False)  # where, what, its sum

    def checked(self, row: Row, what: str, place: Callable[[], str], error: Callable[[str], Exception]) -> Row:
        """The row, perhaps divided by its sum; raises `error` of a complaint if it misses 1 by more than rounding."""
        total = sum_unless_one(row)
        if total is None:
            return row
        told = f"the probabilities of {what} sum to {_said(total)}"
        if abs(total - 1) > _TOLERANCE:
            raise error(f"{told}, not to 1")
        if self.strict:
            raise error(f"{told}, and --strict wants 1 exactly")
        self._made.append((place, what, total))
        return {column: probability / total for column, probability in row.items()}

    def tell(self) -> None:
        """Say by a `DataWarning` which rows were divided: each, or if there are many, the first and the worst."""
        warn = partial(warnings.warn, category=DataWarning, stacklevel=3)
        if len(self._made) <= _FEW:
            for place, what, total in self._made:
                warn(f"{self.file}, {place()}: the probabilities of {what} sum to {_said(total)}; divided by that")
            return
        place, what, total = self._made[0]
        worst = max((total for *_, total in self._made), key=lambda total: abs(total - 1))
        warn(
            f"{self.file}: {len(self._made):,} rows do not sum to 1, and were divided by their sums; the first is "
            f"{what} ({place()}) with {_said(total)}, the worst sums to {_said(worst)}; --strict refuses them"
        )


def _said(total: Fraction) -> str:
    """A sum as a decimal that shows by how much it misses 1."""
    missing = float(total - 1)
    text = f"{1 + missing:.15g}"
    return text if text != "1" else f"1 {'+' if missing > 0 else '-'} {abs(missing):.1g}"


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
