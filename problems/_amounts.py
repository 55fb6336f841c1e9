"""All ways to choose how many of each, without listing them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import product
from typing import TypeAlias

from attrs import frozen

Chosen: TypeAlias = tuple[int, ...]


@frozen
class Amounts(Container[Chosen], Iterable[Chosen]):
    """Numbers from 0 to `most`, so many as there are `kinds`; there may be far too many to list them."""

    kinds: int
    most: int

    def __iter__(self) -> Iterator[Chosen]:
        return product(range(self.most + 1), repeat=self.kinds)

    def __contains__(self, chosen: object) -> bool:
        if not isinstance(chosen, tuple) or len(chosen) != self.kinds:
            return False
        return all(type(number) is int and 0 <= number <= self.most for number in chosen)
