"""Probabilities as options: kept as fractions, and written as decimals or as fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def as_fraction(value: Any) -> Any:
    """A number as a fraction, a float as the decimal number that it is written as; anything else as it is."""
    return Fraction(str(value)) if isinstance(value, (int, float)) else value
