"""Costs as arrays and as text, without rounding: whole numbers, floats and fractions come back as what they were."""

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
    """A number as text; raises `BeliefSearchError` if it is of a kind that cannot be kept."""
    if isinstance(number, int):
        return str(int(number))  # True is one
    if isinstance(number, float):
        return repr(float(number))
    if isinstance(number, Fraction):
        return f"{number.numerator}/{number.denominator}"
    raise BeliefSearchError(f"a cost of the type {type(number).__name__} cannot be kept in a store")


def number_of(text: Any) -> Any:
    """The number that a text stands for; raises ValueError if it is none."""
    if not isinstance(text, str):
        raise ValueError("no text")
    if "/" in text:
        above, below = map(int, text.split("/"))
        if below <= 0:
            raise ValueError("no fraction")
        return Fraction(above, below)
    try:
        return int(text)
    except ValueError:
        number = float(text)
    if number != number:
        raise ValueError("no number")
    return number


def array_of(numbers: Collection[Cost]) -> NDArray[Any]:
    """Numbers as an array: of whole numbers, of floats, or of the bytes of their texts."""
    import numpy as np  # most searches do without

    try:
        return np.asarray(array("q", cast("Collection[int]", numbers)))  # which says itself if one is none
    except (TypeError, OverflowError):
        if set(map(type, numbers)) == {float}:
            return np.array([*numbers], dtype=np.float64)
    return np.frombuffer("".join(f"{text_of(number)}\n" for number in numbers).encode(), dtype=np.uint8)


def numbers_in(array: NDArray[Any]) -> list[Any]:
    """The numbers in an array that `array_of` made; raises ValueError if it is none."""
    if array.ndim != 1 or array.dtype.kind not in "ifu":
        raise ValueError("no numbers")
    if array.dtype.kind != "u":
        if array.dtype.kind == "f" and bool((array != array).any()):
            raise ValueError("no numbers")
        found: list[Any] = array.tolist()
        return found
    return [number_of(text) for text in array.astype("u1").tobytes().decode("ascii").splitlines()]
