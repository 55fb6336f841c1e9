"""The ways to divide a set of starts, on arrays: bounds of them by the sizes of the parts, and by one action more."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...solvers.contingent.divided import Divisions
from ..compiled.jit import kernel
from .outcome_table import Places, StartSets, bounds_by_size, count_parts
from .small_sets import MOST, SmallTotals


class TableDivisions(Divisions[bytes]):
    """The ways to divide a set, given by a table of the outcomes (columns) of the actions (rows) for its starts.

    It has a row for each way that the set, or a larger one, is divided by some action, with the number of the cheapest
    action that does. `way_of` has for each action its row, or -1. Outcomes from `won` on are won.

    Within a set less can be told apart than in all starts, so bounds by size are reckoned anew for each set that is
    divided: `most` starts of it can be won by so many actions, hence of any of its parts too. It is the argument of
    `heuristics/information_bound.py`.
    """

    def __init__(
        self,
        sets: StartSets,
        members: Places,
        table: NDArray[Any],
        actions: Places,
        way_of: Places,
        won: int,
        small: SmallTotals,
    ) -> None:
        sets.tick()
        self._sets = sets
        self._small = small
        self._members = members
        self._won = min(len(members), won)
        labels = np.empty_like(table)
        number_outcomes(table, won, self._won, labels)
        costs = sets.partitions.costs[actions]
        first: dict[bytes, int] = {}
        same_as = np.full(len(table), -1)  # by row of the table: the cheapest one that divides alike
        width, data = labels.shape[1] * labels.itemsize, labels.tobytes()
        by_cost = np.argsort(costs, kind="stable")
        tells = labels.any(axis=1) if self._won else np.ones(len(labels), dtype=np.bool_)
        for row in by_cost[np.asarray(tells)[by_cost]].tolist():
            same_as[row] = first.setdefault(data[row * width : (row + 1) * width], row)
        sets.tick()
        kept = np.array(sorted(first.values()), dtype=np.int64)
        sizes = np.zeros((len(kept), self._won + 1), dtype=np.int32)
        self._table = labels[kept]
        count_parts(self._table, np.arange(len(members)), sizes)
        parts = np.count_nonzero(sizes[:, : self._won], axis=1)
        order = np.argsort(-parts, kind="stable")  # what divides finely comes first
        kept, sizes, self._parts = kept[order], sizes[order], parts[order]
        self._table = self._table[order]
        self._actions = actions[kept]
        self._costs = costs[kept]
        self._sizes = sizes[:, : self._won]
        new_row = np.full(len(table) + 1, -1)
        new_row[kept] = np.arange(len(kept))
        same_as = np.append(same_as, -1)
        self._way_of = new_row[same_as[way_of]]
        self.by_size = bounds_by_size(sizes, len(members), sets.partitions.knowing_wins) * sets.least_cost
        self._growth = np.diff(self.by_size)
        self._totals = self._costs * len(members) + self.by_size[self._sizes].sum(axis=1)
        self._winners = np.full(len(members), -1)
        rows, places = np.nonzero(self._table >= self._won)
        self._winners[places[::-1]] = rows[::-1]
        self._floors: dict[int, NDArray[np.int64]] = {}

    @classmethod
    def of_all(cls, sets: StartSets) -> TableDivisions:
        """The ways to divide the set of all starts."""
        table = sets.partitions
        numbers = np.arange(len(table.actions))
        return cls(sets, np.arange(len(table.starts)), table.table, numbers, numbers, table.won, SmallTotals(sets))

    @cached_property
    def _tried(self) -> Places:
        """The ways, without those that are equivalent to others."""
        distinct = self._sets.distinct_actions(self._members)
        if distinct is None:
            return np.arange(len(self._table))
        tried = np.unique(self._way_of[distinct])
        return tried[tried >= 0]

    def promising(self, usual: Sequence[float], count: int) -> list[tuple[int, int]]:
        expected = np.array(usual)[: len(self.by_size)]
        obvious = self._sets.most_obvious + 1
        expected[:obvious] = self.by_size[: len(expected)][:obvious]
        tried = self._tried
        totals = self._costs[tried] * len(self._members) + expected[self._sizes[tried]].sum(axis=1)
        first: dict[tuple[int, bytes], int] = {}  # by price and sizes of the parts
        for way in tried[np.argsort(totals, kind="stable")].tolist():
            first.setdefault((int(self._costs[way]), np.sort(self._sizes[way]).tobytes()), way)
            if len(first) == count:
                break
        return [(int(self._totals[way]), way) for way in first.values()]

    def ways(self, enough: int) -> list[tuple[int, int]]:
        tried = self._tried
        totals = self._totals[tried]
        chosen = totals < enough
        found = list(zip(totals[chosen].tolist(), tried[chosen].tolist(), strict=True))
        if not chosen.all():
            best = int(np.argmin(np.where(chosen, _NEVER, totals)))
            found.append((int(totals[best]), int(tried[best])))
        return found

    def action(self, way: int) -> int:
        return int(self._actions[way])

    def parts(self, way: int) -> tuple[int, list[tuple[bytes, int]]]:
        labels = self._table[way]
        members = self._members[np.argsort(labels, kind="stable")]
        known = int(self._costs[way]) * len(members)
        found = []
        begin = 0
        for size in np.bincount(labels, minlength=self._won + 1)[: self._won].tolist():
            bound = int(self.by_size[size])
            if size > self._sets.most_obvious:
                found.append((self._sets.of(members[begin : begin + size]), bound))
            else:
                known += bound
            begin += size
        return known, found

    def look_ahead(self, part: bytes) -> tuple[int, int, bool]:
        sets, members = self._sets, self._within(part)
        total, row, is_total = least_total(
            self._table,
            members,
            self._costs,
            self._parts,
            self._floor(len(members)),
            self._growth,
            self._winners,
            self._won,
            sets.most_obvious,
            sets.most_won,
            self.by_size[len(members)],
        )
        return total, int(self._actions[row]), is_total

    def small_total(self, part: bytes, limit: int) -> tuple[int, list[tuple[bytes, int, int]]] | None:
        sets = self._sets
        if sets.size(part) > MOST:
            return None
        here = self._within(part)
        found = self._small.find(self._table, self._costs, here, self._won, limit)
        if found is None:
            return None
        total, plan = found
        return total, [(sets.of(self._members[here[of]]), least, int(self._actions[row])) for of, least, row in plan]

    def divide(self, part: bytes) -> TableDivisions:
        here = self._within(part)
        table = np.ascontiguousarray(self._table[:, here])
        return TableDivisions(
            self._sets, self._members[here], table, self._actions, self._way_of, self._won, self._small
        )

    def _within(self, part: bytes) -> Places:
        """The columns of a part."""
        return np.searchsorted(self._members, self._sets.places(part)).astype(np.int64, copy=False)

    def _floor(self, size: int) -> NDArray[np.int64]:
        """By number of parts: the least total of an action that makes so many parts of `size` starts."""
        floor = self._floors.get(size)
        if floor is None:
            floor = self._floors[size] = self._sets.floors(self.by_size, np.array([size]), self._won)[0]
        return floor


_NEVER = 1 << 60


@kernel
def number_outcomes(table: NDArray[Any], won: int, new_won: int, labels: NDArray[Any]) -> None:
    """Number the outcomes of each row in the order in which they come up in it; all that win become `new_won`."""
    number_of = np.full(won + 1, -1, dtype=np.int64)
    for row in range(table.shape[0]):
        number_of[:] = -1
        count = 0
        for place in range(table.shape[1]):
            outcome = table[row, place]
            if outcome >= won:
                labels[row, place] = new_won
                continue
            if number_of[outcome] < 0:
                number_of[outcome] = count
                count += 1
            labels[row, place] = number_of[outcome]


@kernel
def least_total(
    table: NDArray[Any],
    members: Places,
    costs: NDArray[np.int64],
    parts: NDArray[np.int64],
    floor: NDArray[np.int64],
    growth: NDArray[np.int64],
    winners: NDArray[np.int64],
    won: int,
    most_obvious: int,
    most_won: int,
    bound: int,
) -> tuple[int, int, bool]:
    """The least total, over the rows of `table`, that dividing `members` comes to by the sizes of their parts.

    `growth` is how much a part's bound grows with each further member; it also has the bound by size in steps. `floor`
    is what so many `parts` come to at the least, and the rows are in descending order of these. `bound` is what no row
    can be below. Also gives the row, and whether parts are so small that it is the total. Rows that win a member are
    looked at first, as they are often the best. What a row comes to is summed up from below, as if each further
    member were in a part of its own, so that most rows can be left soon.
    """
    size = members.size
    counts = np.zeros(won + 1, dtype=np.int64)
    least_growth = growth[:size].min()
    least = 1 << 60
    found = -1
    is_total = False
    for turn in range(-size, table.shape[0]):
        row = turn if turn >= 0 else winners[members[size + turn]]
        if row < 0:
            continue
        if turn >= 0 and (floor[parts[row]] > least or (is_total and floor[parts[row]] == least)):
            break
        total = costs[row] * size + least_growth * (size - most_won)
        wins = 0
        largest = 0
        done = 0
        for member in members:
            done += 1
            outcome = table[row, member]
            if outcome >= won:
                wins += 1
                continue
            before = counts[outcome]
            counts[outcome] = before + 1
            total += growth[before] - least_growth
            largest = max(largest, before + 1)
            if total > least or (is_total and total == least):
                break
        for place in range(done):
            counts[table[row, members[place]]] = 0
        if done < size or largest == size:  # left, or it tells nothing
            continue
        total += least_growth * (most_won - wins)
        obvious = largest <= most_obvious
        if total < least or (total == least and obvious and not is_total):
            least = total
            found = row
            is_total = obvious
            if is_total and least <= bound:
                break
    return least, found, is_total
