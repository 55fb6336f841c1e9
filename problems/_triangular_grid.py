"""Shapes on a triangular grid, wherever they lie: their places, neighbours and turns."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

Spot: TypeAlias = tuple[int, int]
"""Row and place; each row lies half a place further to the right than the one above."""

Shape: TypeAlias = tuple[Spot, ...]
"""Spots in order, as far up and to the left as they can."""


def read(text: str) -> Shape:
    """A shape by its rows from the top, `o` for what belongs to it: `ooo/ooo`.

    Raises
    ------
    ValueError
        If that is none.
    """
    if set(text) - set("o./") or "o" not in text:
        raise ValueError(f"{text!r:.60} is no name and no rows of spots, such as 'ooo/ooo'")
    spots = [(row, place) for row, line in enumerate(text.split("/")) for place, mark in enumerate(line) if mark == "o"]
    return placed(spots)


def written(shape: Shape) -> str:
    """The rows of a shape, as `read` takes them."""
    rows, places = (range(max(numbers) + 1) for numbers in zip(*shape, strict=True))
    return "/".join("".join("o" if (row, place) in shape else "." for place in places) for row in rows)


@cache  # of a few dozen spots, millions of times
def around(spot: Spot) -> tuple[Spot, ...]:
    """The neighbours of a spot, in the order of a turn."""
    (row, place), turns = spot, ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
    return tuple((row + down, place + right) for down, right in turns)


def placed(spots: Iterable[Spot]) -> Shape:
    """A shape as far up and to the left as it can."""
    top, left = (min(numbers) for numbers in zip(*spots, strict=True))
    return tuple(sorted((row - top, place - left) for row, place in spots))


def turned(shape: Shape) -> list[Shape]:
    """A shape in all ways in which it can be turned."""
    found = [shape]
    for _ in range(5):
        found.append(placed([(row + place, -row) for row, place in found[-1]]))
    return found
