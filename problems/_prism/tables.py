"""Functions of many states at once: each is asked once for the values of those variables that it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .expressions import State
from .syntax import plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

Ranges: TypeAlias = Sequence[tuple[Any, Any]]
"""The least and the greatest value of each variable; twice None for a Boolean."""
_MOST_KEPT = 2**18
"""A table of more entries is not kept: it is asked for each layer anew."""
_MOST_ASKED = 2**12
_WORD = 2**62
_PAIR = 2**31


def size_of(bounds: tuple[Any, Any]) -> int:
    """The number of values of a variable."""
    low, high = bounds
    return 2 if low is None else int(high) - int(low) + 1


def bounds(*counts: Any) -> NDArray[Any]:
    """The places where stretches of so many begin, and where the last one ends."""
    return np.cumsum(np.concatenate([np.zeros(1, np.int64), *(np.asarray(some, np.int64) for some in counts)]))


def spread(begins: NDArray[Any], counts: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """For stretches of an array, one after the other: of which stretch each entry is, and where it stands."""
    owners = np.repeat(np.arange(len(counts)), counts)
    return owners, np.arange(len(owners)) + np.repeat(begins - np.cumsum(counts) + counts, counts)


class Code:
    """States as whole numbers: each variable a digit, in as many words as the digits need."""

    def __init__(self, ranges: Ranges) -> None:
        self.ranges = ranges
        self.places: list[tuple[int, int]] = []  # by variable: its word, and what 1 more of it adds there
        word, stride = 0, 1
        for bounds in ranges:
            if stride * size_of(bounds) >= _WORD:
                word, stride = word + 1, 1
            self.places.append((word, stride))
            stride *= size_of(bounds)
        self.words = word + 1

    def of(self, state: State) -> list[int]:
        """The words of a state."""
        words = [0] * self.words
        for value, (low, _), (word, stride) in zip(state, self.ranges, self.places, strict=True):
            words[word] += (value - (low or 0)) * stride
        return words

    def keys(self, codes: NDArray[Any]) -> list[Any]:
        """Something hashable for each row of words."""
        wide = codes[:, 0] if self.words == 1 else np.ascontiguousarray(codes).view(f"V{8 * self.words}").ravel()
        return list(wide.tolist())

    def columns(self, codes: NDArray[Any]) -> Columns:
        """The values of the variables."""

        def column(place: int) -> NDArray[Any]:
            word, stride = self.places[place]
            return codes[:, word] // stride % size_of(self.ranges[place])

        return Columns(self.ranges, len(codes), column)


class Columns:
    """The values of variables in some states, a column each, counted from the least value."""

    def __init__(self, ranges: Ranges, length: int, make: Callable[[int], NDArray[Any]]) -> None:
        self._ranges = ranges
        self._length = length
        self._make = make
        self._made: dict[int, NDArray[Any]] = {}

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> NDArray[Any]:
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]

    def among(self, rows: NDArray[Any]) -> Columns:
        """Those of some rows."""
        return Columns(self._ranges, len(rows), lambda place: self[place][rows])

    def states(self) -> list[State]:
        """The states themselves."""
        lists = [
            (self[place] != 0 if low is None else self[place] + low).tolist()
            for place, (low, _) in enumerate(self._ranges)
        ]
        return list(zip(*lists, strict=True)) if lists else [()] * len(self)


class Table:
    """A function from states to numbers, by the variables that it reads."""

    def __init__(self, reads: Iterable[int], ranges: Ranges, run: Callable[[State], int]) -> None:
        self._run = run
        self._strides: list[tuple[int, int]] = []
        self._size = 1
        for place in sorted(reads):
            self._strides.append((place, self._size))
            self._size *= size_of(ranges[place])
        # One more than the number; 0 where it was not asked yet.
        self._known = np.zeros(self._size if self._size <= _MOST_KEPT else 0, np.int64)

    def of(self, columns: Columns) -> NDArray[Any]:
        """The number in each of some states."""
        keys = np.zeros(len(columns), np.int64) if self._size < _WORD else np.arange(len(columns))
        for place, stride in self._strides if self._size < _WORD else ():
            keys += columns[place] * stride
        if not len(self._known):
            _, first, places = np.unique(keys, return_index=True, return_inverse=True)
            return self._asked(columns, first)[places]
        found: NDArray[Any] = self._known[keys]
        missing = np.flatnonzero(found == 0)
        if len(missing):
            new, first = np.unique(keys[missing], return_index=True)
            self._known[new] = self._asked(columns, missing[first]) + 1
            found = self._known[keys]
        return found - 1

    def _asked(self, columns: Columns, rows: NDArray[Any]) -> NDArray[Any]:
        """The values of the function for some rows, asked in order, so that the first mistake is told."""
        order = np.argsort(rows)
        found = np.zeros(len(rows), np.int64)
        for first in range(0, len(order), _MOST_ASKED):  # tuples take more room than numbers
            some = order[first : first + _MOST_ASKED]
            found[some] = [self._run(state) for state in columns.among(rows[some]).states()]
        return found


class Numbers:
    """Exact numbers, each once; arrays hold their places. The first is 1."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[tuple[bool, Any], int] = {}
        self.place(1)

    def place(self, value: Any) -> int:
        """The place of a number."""
        key = (type(value) is float, value)  # 0.5 and 1/2 are equal, and not the same
        place = self._places.setdefault(key, len(self.values))
        if place == len(self.values):
            self.values.append(value)
        return place

    def joined(self, operation: Callable[[Any, Any], Any], left: NDArray[Any], right: NDArray[Any]) -> NDArray[Any]:
        """The places of what an operation makes of two numbers each."""
        pairs, places = np.unique(left * _PAIR + right, return_inverse=True)
        found = [plain(operation(self.values[p // _PAIR], self.values[p % _PAIR])) for p in pairs.tolist()]
        return np.array([self.place(value) for value in found], np.int64)[places]


class Lists:
    """Lists of rows of numbers, each list once, one behind the other."""

    def __init__(self, width: int) -> None:
        self._places: dict[Any, int] = {}
        self._rows = np.zeros((64, width), np.int64)
        self._bounds = np.zeros(64, np.int64)

    def place(self, rows: tuple[tuple[int, ...], ...]) -> int:
        """The place of a list."""
        place = self._places.get(rows)
        if place is None:
            place = self._places[rows] = len(self._places)
            begin = int(self._bounds[place])
            while begin + len(rows) > len(self._rows):
                self._rows = np.concatenate([self._rows, self._rows])
            if place + 1 == len(self._bounds):
                self._bounds = np.concatenate([self._bounds, self._bounds])
            self._bounds[place + 1] = begin + len(rows)
            if rows:
                self._rows[begin : begin + len(rows)] = rows
        return place

    def items(self, places: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The rows of some lists, one list after the other: of which list each is, and the row."""
        begins = self._bounds[places]
        owners, at = spread(begins, self._bounds[places + 1] - begins)
        return owners, self._rows[at]
