"""Exact costs: a float is read as the rational number that it is, and added without rounding.

Authors write costs as whole numbers, fractions or floats. A search converts each of them exactly (`exact`), so that
sums do not depend on the order of adding. It rounds estimates down (`below`), since a float may have been rounded up.
Results are converted back to floats if the author wrote floats (`shown`).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

# A denominator with more factors of two comes from a float: nobody writes such fractions.
_FACTORS = 30
LOWERED = 1 - 2.0**-40
"""Factor that rounds a float estimate down, even if it is the sum of a few thousand rounded terms."""
EXACT_FLOATS = 2.0**53
"""Every whole number below this one is a float."""


def exact(number: Any) -> Any:
    """A finite number as an int if it is whole, else as a fraction; raises TypeError if it is none."""
    kind = type(number)
    return number if kind is int else _of_float(number) if kind is float else _of_any(number)


@lru_cache(maxsize=4096)
def _of_float(number: float) -> Any:
    return _of_any(number)


def _of_any(number: Any) -> Any:
    from fractions import Fraction  # imported late: most problems have none

    found = number if type(number) is Fraction else Fraction(number)
    return found.numerator if found.denominator == 1 else found


def below(estimate: Any) -> Any:
    """An estimate as an exact number, rounded down if it is a float that may have been rounded up."""
    if type(estimate) is not float or estimate == math.inf:
        return estimate
    return _of_float(estimate if estimate.is_integer() and estimate < EXACT_FLOATS else estimate * LOWERED)


def rounded(number: Any, towards: float) -> Any:
    """Round a fraction to a float in the direction of `towards`; other numbers, and too large ones, stay."""
    if isinstance(number, (int, float)):
        return number
    try:
        found = float(number)
    except OverflowError:
        return number
    off = number < found if towards < 0 else found < number
    return math.nextafter(found, towards) if off else found


def is_from_float(number: Any) -> bool:
    """Whether an exact number comes from a float, judged by the power of two in its denominator."""
    denominator = getattr(number, "denominator", 1)
    return denominator & -denominator > 1 << _FACTORS


def shown(number: Any, *, floats: bool = False, down: bool = False) -> Any:
    """An exact number for people to read: as the nearest float if it comes from one, or with `down` one not larger.

    With `floats` all fractions come from floats. Other numbers, and those too large for a float, stay as they are.
    """
    if type(number) in (int, float) or not (floats or is_from_float(number)):
        return number
    if down:
        return rounded(number, -math.inf)
    try:
        return float(number)
    except OverflowError:
        return number
