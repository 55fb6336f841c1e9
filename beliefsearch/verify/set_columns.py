"""Finding whether one of many sets includes a query, by columns, without comparing it with each.

For each state a column: a number with a bit for each set, which says whether the state is a member. Which sets include
a query is then the AND of the columns of its members, for all sets at once. It is mostly zero after the few rarest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import compress

# For so many queries with the same rarest member it pays to look only among the sets that have it.
_MANY = 50
# After how many columns one of the sets that are left is compared in full: often it is one that is looked for.
_ATTEMPTS = (3, 6, 12, 24)
_AS_FLAGS = bytes.maketrans(b"01", b"\0\1")


class SetColumns:
    """Sets of numbered states as bit sets; a bit for each set and state. O(sets x states) to make."""

    def __init__(self, sets: Sequence[int], states: int) -> None:
        self._sets = sets
        self._states = states
        table = "".join(format(members, f"0{states}b") for members in reversed(sets))
        # The digits of the sets lie one after the other; every so many-th is a column, the last set first.
        columns = [int(table[states - 1 - state :: states] or "0", 2) for state in range(states)]
        rarest_first = sorted(range(states), key=lambda state: columns[state].bit_count())
        self._columns = [(1 << state, columns[state]) for state in rarest_first]

    def includes(self, query: int, first: int) -> bool:
        """Whether one of the `first` so many sets includes `query`."""
        left = (1 << first) - 1
        taken = 0
        for bit, column in self._columns:
            if left and query & bit:
                left &= column
                taken += 1
                if left and taken in _ATTEMPTS:
                    some = (left & -left).bit_length() - 1
                    if not query & ~self._sets[some]:
                        return True
            elif not left:
                return False
        return left > 0

    def include_some(self, queries: Iterable[int]) -> bool:
        """Whether one of the sets includes one of the queries, none of them empty."""
        by_rarest: defaultdict[int, list[int]] = defaultdict(list)
        for query in queries:
            for bit, _ in self._columns:
                if query & bit:
                    by_rarest[bit].append(query)
                    break
        columns = dict(self._columns)
        for bit, group in by_rarest.items():
            index = self
            if len(group) > _MANY:
                digits = format(columns[bit], "b")[::-1].encode().translate(_AS_FLAGS)  # of the first set first
                index = SetColumns([*compress(self._sets, digits)], self._states)
            if any(index.includes(query, len(index._sets)) for query in group):
                return True
        return False
