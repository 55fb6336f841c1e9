"""The bounds of `check_planes` with shorter sums, in whole numbers as before.

Most results come with the same few percepts, by the same chances: weights of such results are summed up first. And the
numbers of all planes in a state stand side by side in one long number, so one product is one of each.
"""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from .checker import ChanceGame, Planes, parts_of

_Triples: TypeAlias = list[tuple[int, int, int]]
_MOST_ROWS, _MOST_SETS = 1 << 14, 1 << 11
# Side by side all numbers have the room of the longest: where that has more bits they are summed up one by one.
_MOST_BITS = 1 << 10


def bounds_by_sums(game: ChanceGame, table: Any, losses: bool) -> Planes:
    """Return the bounds of `check_planes` with the sums that are the shorter ones."""
    sums = PlaneSums(game, table, losses)
    return sums if sums.largest.bit_length() <= _MOST_BITS else Planes(game, table, losses)


class PlaneSums(Planes):
    """The bounds of `check_planes` with shorter sums.

    A kind of result is what may be seen with it: its percepts, by their weights. `kinds` are all of them.
    """

    def __init__(self, game: ChanceGame, table: Any, losses: bool) -> None:
        super().__init__(game, table, losses)
        self.kinds: list[dict[int, int]] = []
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._by_kind = lru_cache(_MOST_ROWS)(self._row_by_kind)
        # Many weights are of the same few sets of states: what is ahead of these, by action.
        self._by_states: Callable[[tuple[int, ...]], dict[int, Any]] = lru_cache(_MOST_SETS)(lambda states: {})
        self._last: Any = None
        self._ahead: dict[int, Any] = {}
        self._columns = lru_cache(8)(self._columns_of)
        self.largest = max((abs(v) for row in self.by_state for v in row if v is not None), default=0)
        barred = [{a for a, v in enumerate(row) if v is None} for row in self.by_state]
        self._barred = barred if any(barred) else []

    def steps(self, a: int, weights: dict[int, int]) -> tuple[Any, int, Iterable[tuple[int, Any]]]:
        """The same, by kinds in place of percepts."""
        if weights is not self._last:
            self._last, self._ahead = weights, self._by_states(tuple(weights))
        if a not in self._ahead:
            rows = [self.game.rows[a][s] for s in weights]
            scale = math.lcm(*(row[1] for row in rows))
            known = [row[0] for row in rows], [scale // row[1] for row in rows], [self._by_kind(a, s) for s in weights]
            self._ahead[a] = scale, *known
        scale, rewards, times, steps = self._ahead[a]
        shares = zip(map(operator.mul, weights.values(), times), steps, strict=True)
        return sum(map(operator.mul, weights.values(), rewards)), scale, shares

    def _row_by_kind(self, a: int, s: int) -> _Triples:
        """The triples of a row, with numbers of kinds in place of percepts."""
        found = []
        for t, seen in parts_of([(1, ((o, t, w) for t, o, w in self.game.rows[a][s][2]))]).items():
            times = math.gcd(*seen.values())
            kind = {o: w // times for o, w in seen.items()}
            number = self._numbers.setdefault((*kind.items(),), len(self.kinds))
            if number == len(self.kinds):
                self.kinds.append(kind)
            found.append((t, number, times))
        return found

    def _columns_of(self, size: int) -> tuple[list[int], int]:
        """The numbers of all planes side by side, by state, of so many bytes each; and what makes them all positive."""
        columns = [sum((v or 0) << 8 * size * a for a, v in enumerate(row)) for row in self.by_state]
        return columns, sum(1 << 8 * size * a + 8 * size - 1 for a in range(len(self.planes)))

    def after(
        self, shares: Iterable[tuple[int, Any]], mass: int, needed: Any
    ) -> Iterator[tuple[int, dict[int, int], dict[int, int]]]:
        """Percepts, the sums by plane of what follows, and its weights, if `needed` is None or has the percept."""
        size = 1 << ((mass * self.largest).bit_length() // 8).bit_length()  # with room for a sign
        columns, positive = self._columns(size)
        totals: dict[int, int] = defaultdict(lambda: positive)
        parts: dict[int, list[tuple[int, dict[int, int]]]] = defaultdict(list)
        for kind, part in parts_of(shares).items():
            total = sum(map(operator.mul, part.values(), map(columns.__getitem__, part)))
            for o, w in self.kinds[kind].items():
                totals[o] += w * total
                if needed is None or o in needed or self._barred:
                    parts[o].append((w, part))
        half, length = 1 << 8 * size - 1, size * len(self.planes)
        places = range(0, length, size)
        for o, total in totals.items():
            written, part = total.to_bytes(length, "little"), _sum_of(parts[o]) if o in parts else {}
            numbers = dict(enumerate([int.from_bytes(written[i : i + size], "little") - half for i in places]))
            for a in set().union(*(self._barred[t] for t in part)) if self._barred else ():
                del numbers[a]
            yield o, numbers, part


def _sum_of(parts: list[tuple[int, dict[int, int]]]) -> dict[int, int]:
    """The sum of weights, each list of which counts so often."""
    (times, found), *others = parts
    if times > 1 or others:
        found = defaultdict(int)
        for w, part in parts:
            for t, v in part.items():
                found[t] += w * v
    return found
