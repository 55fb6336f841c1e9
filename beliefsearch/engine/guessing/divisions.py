"""The ways to split a set of starts, on arrays: bounds of them by the sizes of the blocks, and by one action more."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import ceil, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled.jit import kernel
from .outcome_table import OutcomeTable, Places
from .small_sets import MOST, SmallTotals
from .ways import Ways, lightest_of, ways_of


class Divisions:
    """The distinct ways to split a set, by number; totals are whole numbers.

    It is given by a table of the outcomes (columns) of the actions (rows) for its starts, with a row for each way that
    the set, or a larger one, is split, and with the number of the cheapest action that does. `way_of` has for each
    action its row, or -1. Outcomes from `won` on are won.

    Within a set less can be distinguished than in all starts, so bounds by size are computed anew for each set that is
    split; they hold for any of its blocks, too.
    """

    def __init__(
        self,
        outcomes: OutcomeTable[Any],
        members: Places,
        table: NDArray[Any],
        actions: Places,
        way_of: Places,
        won: int,
        small: SmallTotals,
    ) -> None:
        outcomes.tick()
        self._outcomes = outcomes
        self._small = small
        self._members = members
        self._won = min(len(members), won)
        costs = outcomes.costs[actions]
        here, weights = np.arange(len(members)), outcomes.weights[members]
        self._weight, self._lightest = int(weights.sum()), lightest_of(weights)
        self._ways, rows, sizes, same_as = ways_of(
            outcomes, table, costs, here, weights, won, table.dtype, self._won, by_row=True
        )
        outcomes.tick()
        self._actions = actions[rows]
        self._sizes = sizes[:, : self._won]
        new_row = np.full(len(table) + 1, -1)
        new_row[rows] = np.arange(len(rows))
        self._way_of = new_row[same_as[way_of]]
        self.by_size = self._ways.by_size
        self._totals = self._ways.costs * self._weight + self.by_size[self._sizes].sum(axis=1)
        self._nat = outcomes.least_cost / log(max(2, int(self._ways.parts.max(initial=0))))
        # Where starts weigh the same, what is counted by size says more as a rule.
        self._by_weight = outcomes.knowing_wins and len(members) > 0 and bool(weights.min() < weights.max())
        if self._by_weight:
            labels = self._ways.labels
            parts = [np.bincount(row, weights=weights, minlength=self._won + 1)[: self._won] for row in labels]
            left = [self._least(self._entropy(weights) - self._entropy(part)) for part in parts]
            self._totals = np.maximum(self._totals, self._ways.costs * self._weight + np.array(left, dtype=int))
        self._floors: dict[int, NDArray[np.int64]] = {}

    @classmethod
    def of_all(cls, outcomes: OutcomeTable[Any]) -> Divisions:
        """Return the ways to split the set of all starts."""
        numbers = np.arange(len(outcomes.actions))
        members = np.arange(len(outcomes.starts))
        return cls(outcomes, members, outcomes.table, numbers, numbers, outcomes.won, SmallTotals(outcomes))

    @staticmethod
    def _entropy(weights: NDArray[Any]) -> float:
        """Return the entropy of starts or blocks with these weights, in nats, times their total weight."""
        some = weights[weights > 0].astype(float)
        return float(some.sum() * log(some.sum()) - (some * np.log(some)).sum())

    def _least(self, entropy: float) -> int:
        """Return the least total cost of so much entropy: an action tells no more than how many blocks it makes."""
        return ceil(entropy * self._nat * (1 - 1e-9) - 1e-6)

    def least(self, members: Places | None = None) -> int:
        """Return the least total of some starts, by default of all here, by what actions can tell, and by weights."""
        return self._least(self._entropy(self._outcomes.weights[self._members if members is None else members]))

    @cached_property
    def _tried(self) -> Places:
        """The ways, without those that are equivalent to others."""
        distinct = self._outcomes.distinct_actions(self._members)
        if distinct is None:
            return np.arange(len(self._totals))
        tried = np.unique(self._way_of[distinct])
        return tried[tried >= 0]

    def promising(self, usual: Sequence[float], count: int) -> list[tuple[int, int]]:
        """Return a few of `ways`, those that come to least if a block of each size has its `usual` total; best first.

        Of ways of the same cost with blocks of the same sizes there is only one: many are the same up to symmetries
        that nobody has looked for, and would take the place of others.
        """
        expected = np.array(usual)[: len(self.by_size)]
        obvious = self._outcomes.most_obvious + 1
        expected[:obvious] = self.by_size[: len(expected)][:obvious]
        tried = self._tried
        totals = self._ways.costs[tried] * self._weight + expected[self._sizes[tried]].sum(axis=1)
        first: dict[tuple[int, bytes], int] = {}  # by cost and sizes of the blocks
        for way in tried[np.argsort(totals, kind="stable")].tolist():
            first.setdefault((int(self._ways.costs[way]), np.sort(self._sizes[way]).tobytes()), way)
            if len(first) == count:
                break
        return [(int(self._totals[way]), way) for way in first.values()]

    def ways(self, enough: int) -> list[tuple[int, int]]:
        """Return pairs of a lower bound of the total and the way: those below `enough`, and the next one."""
        tried = self._tried
        totals = self._totals[tried]
        chosen = totals < enough
        found = list(zip(totals[chosen].tolist(), tried[chosen].tolist(), strict=True))
        if not chosen.all():
            best = int(np.argmin(np.where(chosen, _NEVER, totals)))
            found.append((int(totals[best]), int(tried[best])))
        return found

    def action(self, way: int) -> int:
        """Return the number of the action that splits the set in this way."""
        return int(self._actions[way])

    def parts(self, way: int) -> tuple[int, list[tuple[bytes, int]]]:
        """Return the known part of the total of a way; and the blocks that are no base cases, with lower bounds."""
        labels = self._ways.labels[way]
        members = self._members[np.argsort(labels, kind="stable")]
        known = int(self._ways.costs[way]) * self._weight
        found = []
        begin = 0
        for size in np.bincount(labels, minlength=self._won + 1)[: self._won].tolist():
            bound = int(self.by_size[size])
            if self._by_weight and size > self._outcomes.most_obvious:
                bound = max(bound, self.least(members[begin : begin + size]))
            if size > self._outcomes.most_obvious:
                found.append((self._outcomes.node(members[begin : begin + size]), bound))
            else:
                known += bound
            begin += size
        return known, found

    def look_ahead(self, part: bytes) -> tuple[int, int, bool]:
        """Return a lower bound of the total of a block by one action more, the action, and whether it is the total.

        It is the least, over the actions, of a bound by the sizes of the blocks that the action makes of the block.
        """
        members = self._within(part)
        floor, bound = self._floor(len(members)), self.by_size[len(members)]
        total, row, is_total = least_total(self._ways, members, floor, bound)
        return total, int(self._actions[row]), is_total

    def small_total(self, part: bytes, limit: int) -> tuple[int, list[tuple[bytes, int, int]]] | None:
        """Return the total of a block, or a lower bound of it above `limit`, if it is small and soon found; else None.

        With the total, for the block and all blocks that its best plan makes of it, but for base cases: the total, and
        the best action.
        """
        outcomes = self._outcomes
        if outcomes.size(part) > MOST:
            return None
        here = self._within(part)
        found = self._small.find(self._ways, here, limit)
        if found is None:
            return None
        total, plan = found
        return total, [
            (outcomes.node(self._members[here[of]]), least, int(self._actions[row])) for of, least, row in plan
        ]

    def divide(self, part: bytes) -> Divisions:
        """Return the ways to split a block."""
        here = self._within(part)
        table = np.ascontiguousarray(self._ways.labels[:, here])
        return Divisions(
            self._outcomes, self._members[here], table, self._actions, self._way_of, self._won, self._small
        )

    def _within(self, part: bytes) -> Places:
        """Return the columns of a block."""
        return np.searchsorted(self._members, self._outcomes.places(part)).astype(np.int64, copy=False)

    def _floor(self, size: int) -> NDArray[np.int64]:
        """Return, by number of blocks, the least total of an action that makes so many of `size` starts."""
        floor = self._floors.get(size)
        if floor is None:
            floor = self._floors[size] = self._outcomes.floors(
                self.by_size, np.array([size]), self._won, self._lightest
            )[0]
        return floor


_NEVER = 1 << 60


@kernel
def least_total(ways: Ways, members: Places, floor: NDArray[np.int64], bound: int) -> tuple[int, int, bool]:
    """Return the least total, over all ways, of splitting `members`, by the sizes of their blocks.

    `floor` is the least total of so many blocks, of which the ways are in descending order. None can be below `bound`.
    Also returns the row, and whether blocks are so small that it is the total. Rows that win a member are looked at
    first, as they are often the best. The total of a row is summed up from below, as if each further member were in a
    block of its own, so that most rows can be left soon.
    """
    labels, won, costs, parts, _, growth, winners, weights, most_obvious, most_won = ways
    weight = weights[members].sum()
    size = members.size
    counts = np.zeros(won + 1, dtype=np.int64)
    least_growth = growth[:size].min()
    least = 1 << 60
    found = -1
    is_total = False
    for turn in range(-size, labels.shape[0]):
        row = turn if turn >= 0 else winners[members[size + turn]]
        if row < 0:
            continue
        enough = least if is_total else least + 1
        if turn >= 0 and floor[parts[row]] >= enough:
            break
        total = costs[row] * weight + least_growth * (size - most_won)
        wins = 0
        largest = 0
        done = 0
        for member in members:
            done += 1
            label = labels[row, member]
            if label == won:
                wins += 1
                continue
            before = counts[label]
            counts[label] = before + 1
            total += growth[before] - least_growth
            largest = max(largest, before + 1)
            if total >= enough:
                break
        for place in range(done):
            counts[labels[row, members[place]]] = 0
        total += least_growth * (most_won - wins)
        if done < size or largest == size or total >= enough:  # left, or it tells nothing
            continue
        obvious = largest <= most_obvious
        if total < least or obvious:
            least = total
            found = row
            is_total = obvious
            if is_total and least <= bound:
                break
    return least, found, is_total
