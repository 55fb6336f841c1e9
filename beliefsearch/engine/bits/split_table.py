"""The outcomes of one action in a belief: a bit set for each percept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from .bitset import TransitionTable, bit_numbers, mask_of

# So many states are asked about together.
_MANY = 500


def _image(results: Callable[[int], tuple[int, ...]], number: int) -> int:
    """The states after a state; `results` looks into what goes on growing."""
    return mask_of(results(number))


class SplitTable:
    """The outcomes of beliefs under one action; `follows` gives the percepts and results of a state, by number.

    For each percept the table keeps the states from which it may be perceived, and the image of those states
    under that percept. Where the action only tells states apart and changes none, which is common, the image is
    the states themselves, and an outcome is one intersection. States are asked about on first use: one by one, or where
    they are many by `stay`, which gives by percept all that stay as they are, whether or not they are asked for.
    """

    __slots__ = ("_asked", "_changed", "_follows", "_may_give", "_stay", "_tables")

    def __init__(
        self,
        follows: Callable[[int], Sequence[tuple[Any, int]]],
        stay: Callable[[], Iterable[tuple[Any, int]]] | None = None,
    ) -> None:
        self._follows = follows
        self._stay = stay
        self._asked = 0
        self._may_give: dict[Any, int] = {}  # by percept
        self._changed: dict[Any, dict[int, tuple[int, ...]]] = {}  # by percept: states that may change, and to which
        self._tables: dict[Any, TransitionTable] = {}  # of percepts under which some state changes

    def outcomes(self, belief: int) -> Iterator[tuple[Any, int]]:
        """The percepts that may come in `belief`, each with the belief after it."""
        for percept, part in self._parts(belief):
            if percept not in self._changed:
                yield percept, part
                continue
            table = self._tables.get(percept)
            if table is None:
                table = self._tables[percept] = TransitionTable(partial(_image, self.results(percept)))
            yield percept, table.image(part)

    def parts(self, belief: int) -> Iterator[tuple[Any, int, int]]:
        """Return, by percept, the part of `belief` in which it may come, and the belief after it.

        It builds no table, which would be large and pays only if there are many beliefs.
        """
        for percept, part in self._parts(belief):
            results = self.results(percept)
            image = part
            if percept in self._changed:
                image = mask_of(result for state in bit_numbers(part) for result in results(state))
            yield percept, part, image

    def results(self, percept: Any) -> Callable[[int], tuple[int, ...]]:
        """The function from a state that may give `percept`, among those asked so far, to the states after it."""
        changed = self._changed.get(percept, {})
        return lambda number: changed.get(number) or (number,)

    def certain(self) -> dict[int, tuple[tuple[Any, int], ...]]:
        """Return `follows`, by state asked so far that has a single outcome."""
        found: dict[int, tuple[tuple[Any, int], ...]] = {}
        several = 0
        met = 0
        for percept, states in self._may_give.items():
            changed = self._changed.get(percept, {})
            several |= states & met
            met |= states
            for number in bit_numbers(states & ~several):
                after = changed.get(number, (number,))
                if len(after) == 1:
                    found[number] = ((percept, after[0]),)
        for number in bit_numbers(several):
            found.pop(number, None)
        return found

    def moves(self, percept: Any) -> bool:
        """Whether some state may change when `percept` comes, among the states asked so far."""
        return percept in self._changed

    def _parts(self, belief: int) -> Iterator[tuple[Any, int]]:
        unknown = belief & ~self._asked
        if unknown:
            self._ask(unknown)
        for percept, states in self._may_give.items():
            part = belief & states
            if part:
                yield percept, part

    def _ask(self, unknown: int) -> None:
        if self._stay is not None and unknown.bit_count() >= _MANY:
            for percept, states in self._stay():
                self._may_give[percept] = self._may_give.get(percept, 0) | states
                self._asked |= states
            self._stay = None
            unknown &= ~self._asked
        gives: dict[Any, list[int]] = {}
        for number in bit_numbers(unknown):
            follow = self._follows(number)
            if len(follow) == 1 and follow[0][1] == number:  # as so often
                gives.setdefault(follow[0][0], []).append(number)
                continue
            results: dict[Any, list[int]] = {}
            for percept, result in follow:
                results.setdefault(percept, []).append(result)
            for percept, numbers in results.items():
                gives.setdefault(percept, []).append(number)
                if numbers != [number]:
                    self._changed.setdefault(percept, {})[number] = tuple(numbers)
        for percept, numbers in gives.items():
            self._may_give[percept] = self._may_give.get(percept, 0) | mask_of(numbers)
        self._asked |= unknown
