"""Long lists of an exhaustion, checked with NumPy: sets in one sorted array, in which images are looked up as they are.

Part of the checker `proof.py`. A set takes as many bytes as it takes to give each state a bit, most significant first,
and four more for its number; so a list of a hundred million beliefs of up to 32 states takes 800 MB. That a listed
belief may stand for those that include it is made no use of: what an action leads to must be listed itself.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from ..errors import InvalidProofError
from ..model.base import Cost

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.uint8]
    """Sets, one a row, as bytes."""

_NUMBER = 4  # bytes
_LARGEST = 1 << 31
_AT_ONCE = 1 << 16
_MOMENT = 0.1  # seconds
# With no more sets behind than this each is compared with all listed beliefs at once.
_FEW = 64


class Step(NamedTuple):
    """Effect of an action on sets: the states in which it applies, and of each eight states the unions of images."""

    domain: int
    tables: Sequence[Sequence[int]]


class Behind(Protocol):
    """The sets behind, with their numbers."""

    entries: list[tuple[int, Fraction]]

    def covers(self, members: int, cost: Cost, *, strictly: bool = False) -> bool:
        """Whether one of at most this cost, or less, includes a set."""
        ...


class NotWholeError(InvalidProofError):
    """Raised where a number in a list does not fit in an array."""


class SortedSets:
    """Sets with whole numbers, in memory as few bytes each, of which `count` are read; raises if they are others."""

    def __init__(self, entries: Iterable[tuple[int, Fraction]], count: int, states: int) -> None:
        self.width = -(-states // 8)
        self._rows = np.empty(count, dtype=f"S{self.width + _NUMBER}")
        numbers: dict[Fraction, bytes] = {}
        waiting: list[bytes] = []
        place = 0
        for members, value in entries:
            written = numbers.get(value)
            if written is None:
                if value.denominator != 1 or not 0 <= value < _LARGEST:
                    raise NotWholeError(f"the numbers of a long list should be whole and below {_LARGEST:,}")
                written = numbers[value] = int(value).to_bytes(_NUMBER, "big")
            waiting.append(members.to_bytes(self.width, "big") + written)
            if len(waiting) == _AT_ONCE:
                place = self._fill(place, waiting)
                waiting.clear()
        if self._fill(place, waiting) != count:
            raise InvalidProofError("its list has changed while it was read")
        _sort(self._rows)
        self.largest = int(max(numbers, default=Fraction(0)))

    def _fill(self, place: int, written: Sequence[bytes]) -> int:
        end = place + len(written)
        if end > len(self._rows):
            raise InvalidProofError("its list has changed while it was read")
        self._rows[place:end] = np.frombuffer(b"".join(written), dtype=self._rows.dtype)
        return end

    def pieces(self) -> Iterator[tuple[Rows, NDArray[np.int64]]]:
        """All sets with their numbers, some at a time."""
        for begin in range(0, len(self._rows), _AT_ONCE):
            rows = self._bytes_of(self._rows[begin : begin + _AT_ONCE])
            numbers = np.ascontiguousarray(rows[:, self.width :]).view(">u4")[:, 0].astype(np.int64)
            yield rows[:, : self.width], numbers

    def lists(self, sets: Rows, most: NDArray[np.int64]) -> bool:
        """Whether every one of these sets is listed with a number that is at most the one in `most`."""
        if not len(sets):
            return True
        asked = np.empty((len(sets), self.width + _NUMBER), dtype=np.uint8)
        asked[:, : self.width] = sets
        asked[:, self.width :] = most.astype(">u4")[:, np.newaxis].view(np.uint8)
        # The last row that is not above: if it has the same set, then a number that is no larger.
        places = np.searchsorted(self._rows, asked.view(self._rows.dtype)[:, 0], side="right") - 1
        if (places < 0).any():
            return False
        return bool((self._bytes_of(self._rows[places])[:, : self.width] == sets).all())

    def _bytes_of(self, rows: NDArray[np.bytes_]) -> Rows:
        return rows.view(np.uint8).reshape(len(rows), self.width + _NUMBER)


def _sort(rows: NDArray[Any]) -> None:
    """Sort in place; meanwhile limits and Ctrl-C are heard, which is a minute for the longest lists."""
    aside = threading.Thread(target=rows.sort, daemon=True)
    try:
        aside.start()
    except RuntimeError:  # a limit leaves no room for its stack
        rows.sort()
        return
    while aside.is_alive():
        aside.join(_MOMENT)


def what_is_not_listed(
    listed: SortedSets, start: int, steps: Sequence[Step], behind: Behind, bound: Cost, reach: Cost, *, unit_costs: bool
) -> str:
    """Say in words what an exhaustion by this forward list lacks; empty if nothing.

    A belief that is lacking may be covered by another one all the same. Raises `InvalidProofError` if a listed belief
    lies in a set behind for less than the bound. Where costs are not 1 all numbers must be 0, and the bound infinite.
    Time O(sets times actions times states), with a binary search for each image.
    """
    if not unit_costs and (bound < math.inf or listed.largest):
        return "a long list is of beliefs whose actions cost 1, or all at 0"
    width = listed.width
    if not listed.lists(_row(start, width)[np.newaxis], np.zeros(1, dtype=np.int64)):
        return "the initial belief is not listed"
    price = int(unit_costs)
    most = _whole_above(bound)
    tables = [_tables(step, width) for step in steps]
    outside = [~_row(step.domain, width) for step in steps]
    for rows, numbers in listed.pieces():
        _refuse_won(rows, numbers, behind, bound)
        goes_on = (numbers < _whole_above(reach)) & (numbers + price < most)
        rows, numbers = rows[goes_on], numbers[goes_on]
        for table, beyond in zip(tables, outside, strict=True):
            applies = ~(rows & beyond).any(axis=1)
            if not listed.lists(_images(table, rows[applies]), numbers[applies] + price):
                return "a belief that an action leads to is not listed"
    return ""


def _refuse_won(rows: Rows, numbers: NDArray[np.int64], behind: Behind, bound: Cost) -> None:
    if len(behind.entries) <= _FEW:
        for members, value in behind.entries:
            outside = ~_row(members, rows.shape[1])
            left = bound if bound == math.inf else bound - value
            won = (numbers < _whole_above(left)) & ~(rows & outside).any(axis=1)
            if won.any():
                raise _won(int(numbers[won][0]), bound)
        return
    for row, number in zip(rows, numbers.tolist(), strict=True):
        left = bound if bound == math.inf else bound - number
        if behind.covers(int.from_bytes(row.tobytes(), "big"), left, strictly=True):
            raise _won(number, bound)


def _won(number: int, bound: Cost) -> InvalidProofError:
    return InvalidProofError(f"a belief reached at a cost of {number} may be won for less than {bound} in all")


def _whole_above(limit: Cost) -> int:
    """The least whole number that is not below a limit: whole numbers are below one if they are below the other."""
    return 2 * _LARGEST if limit >= 2 * _LARGEST else math.ceil(limit)


def _row(members: int, width: int) -> Rows:
    return np.frombuffer(members.to_bytes(width, "big"), dtype=np.uint8)


def _tables(step: Step, width: int) -> list[Rows]:
    """Return, by place of a byte of a set from its end, the image of each value of the byte, as a row."""
    return [
        np.frombuffer(b"".join(image.to_bytes(width, "big") for image in table), dtype=np.uint8).reshape(-1, width)
        for table in step.tables
    ]


def _images(tables: Sequence[Rows], sets: Rows) -> Rows:
    images = np.zeros(sets.shape, dtype=np.uint8)
    for place, table in enumerate(tables):
        images |= table[sets[:, sets.shape[1] - 1 - place]]
    return images
