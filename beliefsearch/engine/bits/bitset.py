"""Bit sets as plain Python ints: bit i is set when number i is a member. Tables of images and of values of states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import compress
from typing import Any, Generic, TypeVar

from ...model.base import Action, Cost, State
from ...model.checked import checked_cost, checked_estimate, checked_potential, combined_estimate
from ...model.hooks import PotentialHook
from ...model.problem import BeliefProblem

Thing = TypeVar("Thing")

# The set bits of every byte, so that a set is walked byte by byte: linear in its width, where
# taking off the lowest bit of a large int again and again would be quadratic.
_BITS_OF_BYTE = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))

_BYTE_WITH_BITS = re.compile(rb"[^\0]")


def bit_numbers(mask: int) -> Iterator[int]:
    """Yield the members of `mask` in ascending order. Linear in the width of the mask."""
    data = mask.to_bytes((mask.bit_length() + 7) >> 3, "little")
    if _is_sparse(mask):
        for found in _BYTE_WITH_BITS.finditer(data):
            position = found.start()
            for bit in _BITS_OF_BYTE[data[position]]:
                yield position << 3 | bit
        return
    for position, byte in enumerate(data):
        if byte:
            for bit in _BITS_OF_BYTE[byte]:
                yield position << 3 | bit


def _is_sparse(mask: int) -> bool:
    """Whether most bytes of a set have no bit."""
    return mask.bit_count() << 4 < mask.bit_length()


_FLAG_OF_DIGIT = bytes.maketrans(b"01", b"\0\1")


def chosen(things: Sequence[Thing], mask: int) -> list[Thing]:
    """Return the things at the places that are members of `mask`, in order. Linear in the width of the mask."""
    if _is_sparse(mask):
        return [things[number] for number in bit_numbers(mask)]
    return list(compress(things, bin(mask)[:1:-1].encode().translate(_FLAG_OF_DIGIT)))


def mask_of(numbers: Iterable[int]) -> int:
    """Return the bit set of these members. Linear in the width of the result."""
    members = list(numbers)
    data = bytearray((max(members, default=-1) >> 3) + 1)
    for number in members:
        data[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(data, "little")


# Stands for every group of eight states nobody has asked about; replaced before it is written to.
_UNTOUCHED: list[int] = [0] * 256


class TransitionTable:
    """The image of beliefs under one action.

    The image of a belief is the union of the images of its members. Members are taken eight at a
    time: `_tables[i][byte]` is the image of the states 8i .. 8i+7 whose bits are set in `byte`. Entries
    are made on first use, so a state's image is computed once and only if it is needed. No image is
    empty, which leaves 0 to mean "not made yet".
    """

    __slots__ = ("_image_of_state", "_tables")

    def __init__(self, image_of_state: Callable[[int], int]) -> None:
        self._image_of_state = image_of_state
        self._tables: list[list[int]] = []

    def image(self, belief: int) -> int:
        """Return the image of `belief`: one look-up and one union for every eight states."""
        tables = self._tables
        width = (belief.bit_length() + 7) >> 3
        if width > len(tables):
            tables.extend([_UNTOUCHED] * (width - len(tables)))
        image = 0
        for position, byte in enumerate(belief.to_bytes(width, "little")):
            if byte:
                image |= tables[position][byte] or self._make(position, byte)
        return image

    def _make(self, position: int, byte: int) -> int:
        table = self._tables[position]
        if table is _UNTOUCHED:
            table = self._tables[position] = [0] * 256
        lowest = byte & -byte
        image = table[lowest]
        if not image:
            image = table[lowest] = self._image_of_state(position << 3 | lowest.bit_length() - 1)
        rest = byte ^ lowest
        if rest:
            image |= table[rest] or self._make(position, rest)
            table[byte] = image
        return image


Value = TypeVar("Value", bound="Cost")


class StateValues(Generic[Value]):
    """Values of states, grouped by value, so that a belief is compared with a few masks instead of state by state.

    `ask` gives the value of the state of a number, and is called once for each.
    """

    __slots__ = ("_ask", "_by_value", "_known")

    def __init__(self, ask: Callable[[int], Value]) -> None:
        self._ask = ask
        self._known = 0
        self._by_value: dict[Value, int] = {}  # the states with this value, the largest first

    def largest(self, belief: int) -> Value:
        """Return the largest value of a member. O(width) for each value there is."""
        if belief & ~self._known:
            self._learn(belief & ~self._known)
        return next(value for value, states in self._by_value.items() if belief & states)

    def total(self, belief: int) -> Cost:
        """Return the sum of the members' values. O(width) for each value there is."""
        if belief & ~self._known:
            self._learn(belief & ~self._known)
        total: Cost = 0
        for value, states in self._by_value.items():
            count = (belief & states).bit_count()
            if count:  # not even an infinite value counts where it has no state
                total += value * count
        return total

    def _learn(self, unknown: int) -> None:
        numbers_of: dict[Value, list[int]] = {}
        for number in bit_numbers(unknown):
            numbers_of.setdefault(self._ask(number), []).append(number)
        for value, numbers in numbers_of.items():
            self._by_value[value] = self._by_value.get(value, 0) | mask_of(numbers)
        self._by_value = dict(sorted(self._by_value.items(), reverse=True))
        self._known |= unknown


def belief_estimate(
    problem: BeliefProblem[State, Any, Any], states: Sequence[State], tick: Callable[[], None]
) -> Callable[[int], Cost]:
    """Return the author's estimate of a belief, as `BeliefView.heuristic` defines it, with each state computed once."""

    def estimate(number: int) -> Cost:
        tick()
        return checked_estimate(problem, states[number])

    unit_costs = problem.has_unit_costs()
    estimates = StateValues(estimate)
    if not isinstance(problem, PotentialHook):
        return estimates.largest
    hook = problem

    def potential(number: int) -> Cost:
        tick()
        return checked_potential(hook, states[number])

    potentials = StateValues(potential)
    if not problem.has_heuristic():
        return lambda belief: combined_estimate(0, potentials.total(belief), unit_costs)
    return lambda belief: combined_estimate(estimates.largest(belief), potentials.total(belief), unit_costs)


def largest_cost(problem: BeliefProblem[State, Action, Any], states: Sequence[State]) -> Callable[[int, Action], Cost]:
    """Return the function to the most that an action costs in a belief; each state is asked once."""
    if problem.has_unit_costs():
        return lambda belief, action: 1

    @cache
    def costs_of(action: Action) -> StateValues[Cost]:
        return StateValues(lambda number: checked_cost(problem, states[number], action))

    return lambda belief, action: costs_of(action).largest(belief)
