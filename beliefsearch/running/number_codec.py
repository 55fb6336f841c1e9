"""Lossless encoding of costs as arrays and as text: whole numbers, floats and fractions keep their types."""

from __future__ import annotations

from array import array
from collections.abc import Collection
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from ..errors import BeliefSearchError
from ..model.base import Cost

if TYPE_CHECKING:
    from numpy.typing import NDArray


def text_of(number: Cost) -> str:
    """A number as text; raises `BeliefSearchError` if it has another type."""
    if isinstance(number, Fraction):
        return f"{number.numerator}/{number.denominator}"
    if isinstance(number, (int, float)):
        return repr(number + 0)  # True is 1
    raise BeliefSearchError(f"a cost of the type {type(number).__name__} cannot be kept in a store")


def number_of(text: str) -> Any:
    """The number that a text stands for."""
    try:
        return Fraction(text) if "/" in text else int(text)
    except ValueError:
        return float(text)


def array_of(numbers: Collection[Cost]) -> NDArray[Any]:
    """Numbers as an array: of whole numbers, of floats, or of the bytes of their texts."""
    import numpy as np  # most searches do without

    try:
        return np.asarray(array("q", cast("Collection[int]", numbers)))  # raises TypeError for other numbers
    except (TypeError, OverflowError):
        if set(map(type, numbers)) == {float}:
            return np.array([*numbers], dtype=np.float64)
    return np.frombuffer("".join(f"{text_of(number)}\n" for number in numbers).encode(), dtype=np.uint8)


def numbers_in(array: NDArray[Any]) -> list[Any]:
    """The numbers in an array that `array_of` made."""
    if array.dtype.kind != "u":
        return [*array.tolist()]
    return [number_of(text) for text in array.tobytes().decode("ascii").splitlines()]
