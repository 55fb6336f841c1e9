"""Numbers and rows of probabilities as decimals, for files in Cassandra's format: exact where they have finite ones."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from attrs import define, field, frozen

from ..model.checked import PROBABILITIES_MISS
from ..model.values import is_exact
from ..solvers.pomdp.model import Row

DIGITS = 30
"""So many digits have numbers that have no finite decimals, or very many."""

_MOST_DECIMALS = 300
_NOTHING = Fraction(0)


@frozen
class WrittenRow:
    """A row of probabilities as text, by column in their order."""

    texts: Mapping[int, str]
    is_even: bool  # whether all of them are equal


@define
class Decimals:
    """Writes numbers, and remembers rows, most of which occur often.

    `rest` is the column of what a row misses of the sum 1.
    """

    rest: int
    rounded: bool = False  # whether some number was
    _known: dict[Row, WrittenRow] = field(factory=dict)

    def number(self, value: Any) -> str:
        """A number as text."""
        return _text(self._decimal(_exactly(value)))

    def row(self, row: Row) -> WrittenRow:
        """A row as text, whose numbers sum to 1."""
        known = self._known.get(row)
        if known is None:
            exact = {column: _exactly(probability) for column, probability in row}
            missing = 1 - sum(exact.values(), _NOTHING)
            if missing and (missing > PROBABILITIES_MISS or all(is_exact(probability) for _, probability in row)):
                exact[self.rest] = missing
            finite = _summing_to_1({column: self._decimal(probability) for column, probability in exact.items()})
            texts = {column: _text(probability) for column, probability in sorted(finite.items())}
            known = self._known[row] = WrittenRow(texts, len(set(exact.values())) == 1)
        return known

    def _decimal(self, value: Fraction) -> Fraction:
        """The value, or if it has no finite decimals the nearest that has few."""
        decimals = _decimals(value)
        if decimals is not None and decimals <= _MOST_DECIMALS:
            return value
        self.rounded = True
        return Fraction(Context(prec=DIGITS).divide(Decimal(value.numerator), Decimal(value.denominator)))


def _summing_to_1(row: dict[int, Fraction]) -> dict[int, Fraction]:
    """The row, with what rounding took from its sum put to its largest entry."""
    largest = max(row, key=row.__getitem__)
    return {**row, largest: row[largest] + 1 - sum(row.values(), _NOTHING)}


def _exactly(value: Any) -> Fraction:
    """The number that a person would write: of a float its shortest decimals."""
    return Fraction(value) if is_exact(value) else Fraction(repr(value))


def _decimals(value: Fraction) -> int | None:
    """How many decimals a number has; None if they are without end."""
    rest = value.denominator
    powers = {2: 0, 5: 0}
    for prime in powers:
        while rest % prime == 0:
            rest //= prime
            powers[prime] += 1
    return max(powers.values()) if rest == 1 else None


def _text(value: Fraction) -> str:
    """A number with finite decimals, with all of them."""
    decimals = _decimals(value) or 0
    digits = str(abs(value.numerator) * 10**decimals // value.denominator).rjust(decimals + 1, "0")
    whole, rest = (digits[:-decimals], digits[-decimals:]) if decimals else (digits, "")
    return f"{'-' * (value < 0)}{whole}{'.' * bool(rest)}{rest}"
