"""Probabilities as options: kept as fractions, written as decimals or as fractions."""

from fractions import Fraction
from typing import Any

DISCOUNT = {"help": "what a reward of 1 is worth if it comes an action later"}
"""Of a field with a discount."""


def as_fraction(value: Any) -> Any:
    """A number as a fraction, a float by its decimal text; any other value unchanged."""
    return Fraction(str(value)) if isinstance(value, (int, float)) else value


def is_chance(_: object, attribute: Any, value: Fraction) -> None:
    """A validator: between 0 and 1."""
    if not 0 <= value <= 1:
        raise ValueError(f"{attribute.name}: a probability is between 0 and 1, not {value}")


def is_discount(_: object, attribute: Any, value: Fraction) -> None:
    """A validator: above 0 and at most 1."""
    if not 0 < value <= 1:
        raise ValueError(f"{attribute.name}: a discount is above 0 and at most 1, not {value}")
