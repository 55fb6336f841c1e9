"""The outcomes of one action in a belief: a bit set for each percept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from .bitset import bit_numbers, mask_of
from .transition_table import TransitionTable


class SplitTable:
    """The outcomes of beliefs under one action; `follows` gives the percepts and results of a state, by number.

    For each percept the table keeps the states from which it may be perceived, and the image of those states
    under that percept. Where the action only tells states apart and changes none, which is common, the image is
    the states themselves, and an outcome is one intersection. States are asked about on first use.
    """

    __slots__ = ("_asked", "_follows", "_images", "_may_give", "_tables")

    def __init__(self, follows: Callable[[int], Iterable[tuple[Any, int]]]) -> None:
        self._follows = follows
        self._asked = 0
        self._may_give: dict[Any, int] = {}  # by percept
        self._images: dict[Any, dict[int, int]] = {}  # by percept and state
        self._tables: dict[Any, TransitionTable] = {}  # of percepts under which some state changes

    def outcomes(self, belief: int) -> Iterator[tuple[Any, int, int]]:
        """By percept: the part of `belief` in which it may come, and the belief after it."""
        unknown = belief & ~self._asked
        if unknown:
            self._ask(unknown)
        for percept, states in self._may_give.items():
            part = belief & states
            if part:
                table = self._tables.get(percept)
                yield percept, part, part if table is None else table.image(part)

    def images(self) -> Iterable[Mapping[int, int]]:
        """By percept: by state that may give it, the states after it, among those asked so far."""
        return self._images.values()

    def moves(self, percept: Any) -> bool:
        """Whether some state may change when `percept` comes, among the states asked so far."""
        return percept in self._tables

    def _ask(self, unknown: int) -> None:
        gives: dict[Any, list[int]] = {}
        for number in bit_numbers(unknown):
            results: dict[Any, list[int]] = {}
            for percept, result in self._follows(number):
                results.setdefault(percept, []).append(result)
            for percept, numbers in results.items():
                gives.setdefault(percept, []).append(number)
                images = self._images.setdefault(percept, {})
                images[number] = mask_of(numbers) if len(numbers) > 1 else 1 << numbers[0]
                if percept not in self._tables and numbers != [number]:
                    # The table looks into `images`, which goes on growing.
                    self._tables[percept] = TransitionTable(partial(dict.__getitem__, images))
        for percept, numbers in gives.items():
            self._may_give[percept] = self._may_give.get(percept, 0) | mask_of(numbers)
        self._asked |= unknown
