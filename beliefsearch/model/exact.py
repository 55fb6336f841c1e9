"""Costs without rounding: a float is a rational number like any other, and is read as the one it is.

What authors write as costs is whole, a fraction or a float, mixed as they please. A search reads each exactly where it
enters (`exact`), so that sums do not depend on the order of adding; estimates, which may be rounded themselves, are
rounded down (`below`); and what is shown to people is rounded again where floats were written (`shown`).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

# A denominator that has more factors of two than this comes from a float: nobody writes such fractions.
_FACTORS = 30
LOWERED = 1 - 2.0**-40
"""By this an estimate that is a float is multiplied: it may be the sum of a few thousand rounded ones."""
EXACT_FLOATS = 2.0**53
"""Whole numbers below this one are floats."""


def exact(number: Any) -> Any:
    """A finite number as an int if it is whole, else as a fraction; raises TypeError if it is none."""
    kind = type(number)
    return number if kind is int else _of_float(number) if kind is float else _of_any(number)


@lru_cache(maxsize=4096)
def _of_float(number: float) -> Any:
    return _of_any(number)


def _of_any(number: Any) -> Any:
    from fractions import Fraction  # most problems have no use for it

    found = number if type(number) is Fraction else Fraction(number)
    return found.numerator if found.denominator == 1 else found


def below(estimate: Any) -> Any:
    """An estimate as an exact number, rounded down if it is a float that may have been rounded up."""
    if type(estimate) is not float or estimate == math.inf:
        return estimate
    return _of_float(estimate if estimate.is_integer() and estimate < EXACT_FLOATS else estimate * LOWERED)


def rounded(number: Any, towards: float) -> Any:
    """Return the next float in that direction for a fraction; whole numbers, floats and what is too large stay."""
    if isinstance(number, (int, float)):
        return number
    try:
        found = float(number)
    except OverflowError:
        return number
    off = number < found if towards < 0 else found < number
    return math.nextafter(found, towards) if off else found


def is_from_float(number: Any) -> bool:
    """Whether an exact number, as its denominator betrays, comes from a float."""
    denominator = getattr(number, "denominator", 1)
    return denominator & -denominator > 1 << _FACTORS


def shown(number: Any, *, floats: bool = False, down: bool = False) -> Any:
    """An exact number for people to read: the nearest float, or with `down` one that is no larger, if it is from one.

    With `floats` that is known of all fractions. Other numbers, and what is too large for a float, stay as they are.
    """
    if type(number) in (int, float) or not (floats or is_from_float(number)):
        return number
    if down:
        return rounded(number, -math.inf)
    try:
        return float(number)
    except OverflowError:
        return number
