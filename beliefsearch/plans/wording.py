"""Counts, costs and numbers as text or for people to read, the same in all messages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import islice
from math import inf, log10
from typing import Any

from attrs import frozen

from ..model.base import Cost
from ..model.belief import initial_states
from ..model.exact import exact, is_from_float, shown
from ..model.problem import BeliefProblem

_LONGEST_NUMBER = 80
# A number that a file claims is quoted only if it has fewer bits.
_LONGEST_CLAIM = 256
_FEW_NAMES = 4
# Whole numbers of at most 1,000 digits, but no digits behind a point.
_NUMBERS = re.compile(r"((?:(?<![\w)])-)?(?<![.\d])\d{1,1000})")


def quoted(text: object) -> str:
    """A value as text, in quotes if it could be mistaken for part of the message or contains control characters."""
    written = str(text)
    harmless = written.isprintable() and not set(written) & set("():'\"")
    return written if harmless else repr(written)


def number_order(text: str) -> tuple[Any, ...]:
    """A sorting key for texts: whole numbers in them are compared by value, so that 2 comes before 10."""
    parts = _NUMBERS.split(text)  # every second part is a number
    return [int(part) if place % 2 else part for place, part in enumerate(parts)], text


def side_by_side(texts: Sequence[str], marks: Sequence[str] = (" ", ", ")) -> str:
    """Return texts, as of states, parted by the first of these marks that none of them contains, or by semicolons."""
    unused = (mark for mark in marks if not any(mark in text for text in texts))
    return next(unused, "; ").join(texts)


def comma_list(texts: Sequence[str]) -> str:
    """Return texts with commas between them, or with semicolons if some contain commas."""
    return side_by_side(texts, (", ",))


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
    """A number as text; a fraction with an approximation, a long fraction as the approximation only, and its length."""
    text = str(value)
    if "/" not in text:
        return text
    try:
        about = f"about {float(value)}"
    except OverflowError:
        return "a fraction too large for a float"
    return (
        f"{text}, {about}"
        if len(text) <= _LONGEST_NUMBER
        else f"{about}, rounded from a fraction of {len(text) - 1} digits"
    )


def error_text(error: Fraction) -> str:
    """An error bound in two digits, rounded up so that it is never understated."""
    rounding = Context(prec=2, rounding=ROUND_CEILING)
    return f"{rounding.divide(Decimal(error.numerator), Decimal(error.denominator)):g}"


@frozen
class Telling:
    """Form in which values of a stochastic problem are shown: as they are, as costs, or as 1 minus the value."""

    costs: bool = False
    name: str = ""
    """The name of the value in the question; empty without a question."""
    of_opposite: bool = False

    @property
    def called(self) -> str:
        """Name the value."""
        return self.name or ("cost" if self.costs else "value")

    @property
    def is_small(self) -> bool:
        """Whether smaller numbers are better."""
        return self.costs != self.of_opposite

    def reward(self, paid: Any) -> Any:
        """A summand of a value as it is printed; never -0.0."""
        return 0 - paid if self.costs else paid

    def value(self, value: Any) -> Any:
        """A value as it is printed; None if it is not known."""
        if value is None:
            return None
        return 1 - self.reward(value) if self.of_opposite else self.reward(value)

    def bounds(self, lower: Any, upper: Any) -> tuple[Any, Any]:
        """Bounds on a value as they are printed, None where none is known."""
        least, most = self.value(lower), self.value(upper)
        return (most, least) if self.is_small else (least, most)

    @property
    def of_games(self) -> str:
        """Name the result of a single game."""
        return "outcome" if self.name else "cost" if self.costs else "utility"

    @property
    def of_actions(self) -> str:
        """Name the value of an action."""
        if self.name:
            return f"the {self.name} after each action"
        return f"what each action {'costs' if self.costs else 'is worth'}"


def telling_of(problem: Any) -> Telling:
    """Return the form of the values of a problem; making its question may take as long as the search."""
    question = problem.question()
    if question is None:
        return Telling(problem.minimizes_cost())
    return Telling(problem.minimizes_cost(), question.asks_for, question.of_opposite)


def over_text(problem: Any, where: str, state: Any) -> str:
    """Say that a game is over in a state, which `where` names, or which actions decide it there."""
    question = problem.question()
    actions = () if question is None else question.keeping(state)
    if not actions:
        return f"The game is over at {where}"
    names = " or ".join([problem.format_action(action) for action in actions[:_FEW_NAMES]])
    more = " ..." * (len(actions) > _FEW_NAMES)
    return f"It is sure from {where}, by {names}{more} and so on"


def answer_bounds(problem: Any, question: Any, lower: Any, upper: Any) -> tuple[Any, Any]:
    """The bounds on the answer to the question of a problem, infinite where none is known.

    `lower` and `upper` are bounds on the value of the problem, None where none is known.
    """
    if question.settled is not None:
        return question.settled, question.settled
    return telling_of(problem).bounds(-inf if lower is None else lower, inf if upper is None else upper)


def not_over_text(ended: Any) -> str:
    """Name the condition of values that hold if a game is not over at the start, which it is with this probability."""
    share = f"{ended:.6g}" if isinstance(ended, float) else str(ended)
    return f"the game is not over at the start (it is with the probability {share})"


def bound_text(bound: Any, sign: int, digits: int = 9) -> str:
    """A bound in so many digits, rounded down if `sign` is below 0, else up."""
    if isinstance(bound, int) or bound in (inf, -inf):
        return str(bound)
    rounding = Context(prec=digits, rounding=ROUND_FLOOR if sign < 0 else ROUND_CEILING)
    exact = Fraction(bound)
    found = rounding.divide(Decimal(exact.numerator), Decimal(exact.denominator)).normalize(rounding)
    return f"{found:f}" if -6 <= found.adjusted() < 9 else f"{found:g}"


def claim_text(number: Any) -> str:
    """A number in a file, with all its digits unless it is very long."""
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
    """A length in digits; a very large one as a power minus 1, or by its number of digits."""
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


# Lengths of plans may have more digits than Python reads and writes by default; even more would take too long.
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


# The number of actions whose costs are looked at for floats.
_LOOKED_AT = 64
# The inverse of the relative error that a float in a file may have, as sums of floats do.
_SHARE = 10**9


def shows_floats(problem: BeliefProblem[Any, Any, Any], *costs: Cost | None) -> bool:
    """Whether one of these exact costs is a fraction that comes from a float.

    Either its denominator shows that, or the author gives floats as costs of the first actions.
    """
    fractions = [cost for cost in costs if cost is not None and type(cost) not in (int, float)]
    if not fractions or any(map(is_from_float, fractions)):
        return bool(fractions)
    start = next(initial_states(problem))
    actions = islice(() if problem.is_goal(start) else problem.actions(start), _LOOKED_AT)
    return any(type(problem.action_cost(start, action)) is float for action in actions)


def shown_cost(problem: BeliefProblem[Any, Any, Any], cost: Cost) -> Cost:
    """An exact cost for people to read."""
    return shown(cost, floats=True) if shows_floats(problem, cost) else cost


def is_said_to_be(claimed: Cost, cost: Cost) -> bool:
    """Whether the number `claimed` in a file is this exact cost; a float may be rounded."""
    if type(claimed) is not float or claimed == float("inf") or cost == float("inf"):
        return claimed == cost
    gap: Any = abs(exact(claimed) - cost)
    return bool(gap * _SHARE <= cost)
