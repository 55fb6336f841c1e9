"""What is known of a row of things when it may be one of several rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

Thing = TypeVar("Thing")


def agreed(rows: Iterable[Sequence[Thing]], unknown: Thing) -> list[Thing]:
    """By place: what all rows have there, or `unknown`; stops as soon as nothing is left to agree on."""
    others = iter(rows)
    first = next(others, ())
    known = list(range(len(first)))
    for row in others:
        if not known:
            break
        known = [place for place in known if row[place] == first[place]]
    found = [unknown] * len(first)
    for place in known:
        found[place] = first[place]
    return found


def fitted(count: int, width: float, height: float) -> tuple[int, float]:
    """In how many columns `count` squares fit best into a rectangle, and how large they may be."""
    best = (1, 0.0)
    for columns in range(1, count + 1):
        rows = -(-count // columns)
        size = min(width / columns, height / rows)
        if size > best[1]:
            best = (columns, size)
        elif width / columns < best[1]:  # more columns only make them smaller
            break
    return best if count else (1, min(width, height))
