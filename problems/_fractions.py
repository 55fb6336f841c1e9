"""Probabilities as options: kept as fractions, written as decimals or as fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def as_fraction(value: Any) -> Any:
    """A number as a fraction, a float by its decimal text; any other value unchanged."""
    return Fraction(str(value)) if isinstance(value, (int, float)) else value
