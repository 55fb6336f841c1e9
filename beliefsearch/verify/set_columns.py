"""Finding whether one of many sets includes a query, by columns, without comparing it with each.

For each state a column: a number with a bit for each set, which says whether the state is a member. Which sets include
a query is then the AND of the columns of its members, for all sets at once. It is mostly zero after the few rarest.
The sets are in blocks, each with columns of its own: short numbers are quick, and most blocks are done with sooner.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress

# For so many queries with the same rarest member it pays to look only among the sets that have it.
_MANY = 50
# Sets in a block: columns of 2 KiB.
_BLOCK = 1 << 14
# After so many columns few sets are left, most of which include the query. If there are no more, they are compared.
_FIRST_COLUMNS = 16
_FEW_SETS = 16
_AS_FLAGS = bytes.maketrans(b"01", b"\0\1")


class SetColumns:
    """Sets of numbered states as bit sets; a bit for each set and state. O(sets x states) to make."""

    def __init__(self, sets: Sequence[int], states: int) -> None:
        self._sets = sets
        self._states = states
        blocks = [_columns(sets[first : first + _BLOCK], states) for first in range(0, len(sets), _BLOCK)]
        counts = [sum(columns[state].bit_count() for columns in blocks) for state in range(states)]
        rarest_first = sorted(range(states), key=counts.__getitem__)
        self._bits = [1 << state for state in rarest_first]
        self._blocks = [[columns[state] for state in rarest_first] for columns in blocks]

    def includes(self, query: int, first: int) -> bool:
        """Whether one of the `first` so many sets includes `query`."""
        members = self._members(query)
        rarest: list[int] = []  # of them; the first block finds them
        for begin, columns in zip(range(0, first, _BLOCK), self._blocks, strict=False):
            left = (1 << min(first - begin, _BLOCK)) - 1
            for place in rarest:
                left &= columns[place]
                if not left:
                    break
            if left and len(rarest) < _FIRST_COLUMNS:
                for place in members:
                    rarest.append(place)
                    left &= columns[place]
                    if not left or len(rarest) == _FIRST_COLUMNS:
                        break
            if left.bit_count() > _FEW_SETS:
                for place in self._members(query):
                    left &= columns[place]
            while left:
                last = left.bit_length() - 1
                if not query & ~self._sets[begin + last]:
                    return True
                left ^= 1 << last
        return False

    def include_some(self, queries: Iterable[int]) -> bool:
        """Whether one of the sets includes one of the queries, none of them empty."""
        by_rarest: defaultdict[int, list[int]] = defaultdict(list)
        for query in queries:
            by_rarest[next(self._members(query))].append(query)
        for place, group in by_rarest.items():
            index = self
            if len(group) > _MANY:
                index = SetColumns([*self._sets_with(place)], self._states)
            if any(index.includes(query, len(index._sets)) for query in group):
                return True
        return False

    def _members(self, query: int) -> Iterator[int]:
        """The places of the columns of its members, the rarest first."""
        return (place for place, bit in enumerate(self._bits) if query & bit)

    def _sets_with(self, place: int) -> Iterator[int]:
        """The sets that have the state of a column."""
        for number, columns in enumerate(self._blocks):
            digits = format(columns[place], "b")[::-1].encode().translate(_AS_FLAGS)  # of the first set first
            yield from compress(self._sets[number * _BLOCK : (number + 1) * _BLOCK], digits)


def _columns(sets: Sequence[int], states: int) -> list[int]:
    """The columns of some sets, by state."""
    table = "".join(format(members, f"0{states}b") for members in reversed(sets))
    # The digits of the sets lie one after the other; every so many-th is a column, the last set first.
    return [int(table[states - 1 - state :: states] or "0", 2) for state in range(states)]
