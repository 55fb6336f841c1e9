"""Counts and numbers as text, the same in all messages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import inf, log10
from typing import Any

from ..model.base import Cost
from ..model.exact import shown

_LONGEST_NUMBER = 80
# And of more bits a number that a file claims is not quoted.
_LONGEST_CLAIM = 256


def quoted(text: object) -> str:
    """A value as text, in quotes if it could be mistaken for part of the message or contains control characters."""
    written = str(text)
    harmless = written.isprintable() and not set(written) & set("():'\"")
    return written if harmless else repr(written)


def plural(count: int, noun: str) -> str:
    """`1 state`, `2 states`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def number_text(value: Cost | None) -> str:
    """A number as text, with an approximation if it is a fraction."""
    value = shown(value) if value is not None else None
    if value is None or isinstance(value, (int, float)):
        return str(value)
    try:
        return f"{value} (about {float(value):.6g})"
    except OverflowError:
        return str(value)


def value_text(value: Any) -> str:
    """A number as text; a fraction with an approximation, a long fraction as the approximation only."""
    text = str(value)
    if "/" not in text:
        return text
    try:
        about = f"about {float(value)}"
    except OverflowError:
        return "a fraction too large for a float"
    return f"{text}, {about}" if len(text) <= _LONGEST_NUMBER else f"{about}, a long fraction"


def error_text(error: Fraction) -> str:
    """An error bound in two digits, rounded up so that it is never understated."""
    rounding = Context(prec=2, rounding=ROUND_CEILING)
    return f"{rounding.divide(Decimal(error.numerator), Decimal(error.denominator)):g}"


def negated(value: Any) -> Any:
    """The cost that a value stands for; never -0.0."""
    return 0 - value


def told_value(problem: Any, value: Any) -> Any:
    """A value as it is printed: as a cost if the problem is about costs."""
    return negated(value) if problem.minimizes_cost() else value


def told_bounds(lower: Any, upper: Any, *, costs: bool) -> tuple[Any, Any]:
    """Bounds as they are printed, None where nothing is known: as those of the cost, if it is one."""
    if not costs:
        return lower, upper
    least, most = (None if bound is None else negated(bound) for bound in (upper, lower))
    return least, most


def answer_bounds(problem: Any, question: Any, lower: Any, upper: Any) -> tuple[Any, Any]:
    """Between which numbers the answer to a question lies, infinite where nothing is known.

    The value of the problem, which asks it, lies between `lower` and `upper`, None where nothing is known.
    """
    if question.settled is not None:
        return question.settled, question.settled
    known = -inf if lower is None else lower, inf if upper is None else upper
    least, most = told_bounds(*known, costs=problem.minimizes_cost())
    return (1 - most, 1 - least) if question.of_opposite else (least, most)


def value_name(problem: Any) -> str:
    """Name the value of a stochastic problem: as the question calls it that it answers; else value, or cost."""
    question = problem.question()
    if question is None:
        return "cost" if problem.minimizes_cost() else "value"
    return f"{question.asks_for} of the opposite" if question.of_opposite else str(question.asks_for)


def not_over_text(ended: Any) -> str:
    """Name the condition of what is told of a game that may be over at the start, with that probability."""
    share = f"{ended:.6g}" if isinstance(ended, float) else str(ended)
    return f"the game is not over at the start (it is with the probability {share})"


def bound_text(bound: Any, sign: int, digits: int = 9) -> str:
    """A bound in so many digits, rounded down if it is a lower one and `sign` below 0, and otherwise up."""
    if isinstance(bound, int) or bound in (inf, -inf):
        return str(bound)
    rounding = Context(prec=digits, rounding=ROUND_FLOOR if sign < 0 else ROUND_CEILING)
    exact = Fraction(bound)
    found = rounding.divide(Decimal(exact.numerator), Decimal(exact.denominator)).normalize(rounding)
    return f"{found:f}" if -6 <= found.adjusted() < 9 else f"{found:g}"


def claim_text(number: Any) -> str:
    """A number that a file gives, in its own digits unless these are very many."""
    exact = Fraction(number)
    bits = max(exact.numerator.bit_length(), exact.denominator.bit_length())
    return str(number) if bits < _LONGEST_CLAIM else f"about {bound_text(exact, 1)}"


def float_text(number: Fraction) -> str:
    """A number as the nearest float, in a complaint."""
    try:
        return repr(float(number))
    except OverflowError:
        return "a number too large for a float"


def length_text(length: int) -> str:
    """A length in digits; a very large one as a power less one, or by its number of digits."""
    if length < 10**15:
        return f"{length:,}"
    for base in range(2, 37):
        power, rest = 0, length + 1
        while rest % base == 0:
            rest //= base
            power += 1
        if rest == 1:
            return f"{base}^{power:,} - 1"
    try:
        return f"{str(length)[:6]}... ({len(str(length)):,} digits)"
    except ValueError:  # by default Python writes no more than some thousands of digits
        return f"about 10^{length.bit_length() * log10(2):,.0f}"


# Lengths of plans may have more digits than Python reads and writes by default; more than this would
# take it long.
MOST_DIGITS = 100_000


@contextmanager
def any_digits() -> Iterator[None]:
    """Read and write numbers with more digits than Python does by default, as a file may have them."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(MOST_DIGITS)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)
