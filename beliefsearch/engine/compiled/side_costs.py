"""What searching from both ends costs, estimated: which side to advance, and when to look for the rest at once.

All costs are in nanoseconds, as measured on one machine; only their ratios matter. They are computed from counts, so
that the same call makes the same choices everywhere.
"""

from __future__ import annotations

from math import inf, log

from attrs import frozen

from .model import RelationTables
from .set_index import PAIR

# To handle a set besides its image, and to have it in an index; by pairs, to mark in a layer, and to find among known
# sets.
_SET = 100.0
_INDEXED = 300.0
_MARK = 0.042
_FIND = 0.02
# Sets behind that the last look may be made with, and the queries that it makes at a time.
MOST_BEHIND = 1 << 19
QUERIES_AT_ONCE = 1 << 21


@frozen
class SideCosts:
    """The costs for a model with so many `actions`, where an image takes so many nanoseconds.

    `every_length`: the last look must look for plans of each length, and not for the longest only.
    """

    actions: int
    image: float
    every_length: bool

    def advance_ahead(self, sets: int, known: int) -> float:
        """To make the next layer ahead."""
        new = self.actions * sets
        older = _look(known, new, _MARK) if self.every_length else 0
        return new * (4 * self.image + _SET) + _look(new / 2, new, _MARK) + older

    def advance_behind(self, sets: int, known: int) -> float:
        """To make the next layer behind."""
        new = self.actions * sets
        return new * (4 * self.image + _SET) + _look(new, known + new / 2, _FIND)

    def last_look(self, ahead: float, behind: float, rest: int) -> tuple[float, int]:
        """To look for the `rest` of the actions at once, and how many of them are best done behind."""
        best = inf, 0
        sets = behind
        for steps in range(rest + 1):
            queries = ahead * self._power(rest - steps)
            pieces = 1 + queries // QUERIES_AT_ONCE if queries < inf else inf
            cost = queries * (self.image + _SET) + sets * (self.image + _INDEXED)
            if cost < best[0]:
                cost += pieces * _look(queries / pieces, sets, PAIR)
            if self.every_length:
                cost *= self.actions / (self.actions - 1) if self.actions > 1 else max(rest, 1)
            best = min(best, (cost, steps))
            sets *= self.actions
            if sets > MOST_BEHIND:
                break
        return best

    def _power(self, exponent: int) -> float:
        return inf if exponent * log(self.actions) > 600 else pow(float(self.actions), float(exponent))


def image_cost(tables: RelationTables, states: int) -> float:
    """The nanoseconds that an image takes."""
    if len(tables.tables):
        _, places, _, words = tables.tables.shape
        return float(places * (1 + words)) / 2
    return 2 * len(tables.targets) / len(tables.offsets) + states / 4


def _look(queries: float, sets: float, pair: float) -> float:
    """To look up queries among sets, by comparing the pairs or by splitting the sets first."""
    return min(queries * sets * pair, 200 * queries + 1200 * sets + queries * sets * pair / 10)
