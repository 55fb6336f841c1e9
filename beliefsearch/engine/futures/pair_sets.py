"""Sets of pairs of futures that prove how long a word is at least, or that there is none.

A word must settle each pair: tell it apart, or where futures may merge make it one. Few of the pairs say how long it
is: they come, by each action, to few that say how long what is left takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...running.limits import EffortExceeded
from ...solvers.trampoline import Calls, without_recursion
from .bounded import BoundedSearch
from .kernels import NEVER
from .partitions import NEVER_APART

Pairs = NDArray[np.int32]
"""A row for each pair, with the lesser number first."""

_LOOKED_UP = 5_000  # pairs of which known sets may be a part


class PairSets:
    """Sets of pairs with bounds: what an action leaves of one includes another with a bound of 1 less.

    Those with bounds below `least` are not listed, nor is what they rest on. Raises `EffortExceeded` if there are more
    than `most` pairs in all, or are found by more than so many `steps` of a pair by an action.
    """

    def __init__(self, search: BoundedSearch, least: int, most: int, steps: int) -> None:
        self._search, self._tables, self._least, self._most, self._steps = search, search.tables, least, most, steps
        self.found: list[tuple[Pairs, float]] = []
        self._keys: list[frozenset[int]] = []
        self._filed: dict[int, list[int]] = {}
        self._waiting: list[tuple[Pairs, float]] = []

    def show(self, pairs: Pairs, bound: float) -> bool:
        """Find sets that show a bound of some pairs, the first of them; return whether that could be done."""
        rows = without_recursion(self._core(pairs, bound))
        for some, value in self._waiting if rows else ():  # grows while it is walked
            if self._known(some, value) is None:
                self._enter(some, value)
                for action in range(len(self._tables.percepts)) if value > self._least else ():
                    lost, _, left = self._after(some, action)
                    if not lost.any() and not without_recursion(self._core(left, value - 1)):
                        return False
        root = self._known(pairs[rows], bound) if rows else None
        if root is not None:
            self.found.insert(0, self.found.pop(root))
        return root is not None

    def _core(self, pairs: Pairs, bound: float) -> Calls[list[int]]:
        """Rows of pairs that no fewer actions settle; none if that is not known of all of them."""
        self._search.tick()
        known = self._known(pairs, bound) if len(pairs) < _LOOKED_UP else None
        if known is not None:
            return np.flatnonzero(np.isin(self._codes(pairs), [*self._keys[known]])).tolist()
        costs = self._costs(pairs)
        if costs.max(initial=0) >= bound or bound == np.inf:
            rows = [int(costs.argmax())] if costs.max(initial=0) >= bound else self._few(pairs, costs, bound)
            self._waiting += [(pairs[rows], bound)] if rows else []
            return rows
        chosen: dict[int, None] = dict.fromkeys(self._few(pairs, costs, bound) if bound <= self._least else ())
        for action in range(len(self._tables.percepts)) if bound > self._least else ():
            lost, at, left = self._after(pairs, action)
            if np.array_equal(left, pairs):
                continue  # after an action in vain no fewer suffice
            if not lost.any():
                rows = yield self._core(left, bound - 1)
                if not rows:
                    return []
                chosen.update(dict.fromkeys(at[rows].tolist()))
            elif not lost[[*chosen]].any():
                chosen[int(lost.argmax())] = None
        if chosen:
            self._enter(pairs[[*chosen]], bound)
        return [*chosen]

    def _few(self, pairs: Pairs, costs: NDArray[Any], bound: float) -> list[int]:
        """Rows found by examples: a word that settles the pairs that are chosen leaves another open."""
        order = np.argsort(-costs, kind="stable")
        chosen = [int(row) for row in order[:1]]
        while chosen:
            groups = pairs[chosen].ravel(), np.arange(0, 2 * len(chosen) + 1, 2)
            if bound == np.inf:
                word, is_none = self._search.ended_word(groups, 2, patience=self._search.patience)
                if word is None and not is_none:
                    return []
            else:
                word = self._search.word_within(groups, int(bound) - 1, 2)
            if word is None:
                break
            at, left = order, pairs[order]
            for action in word:
                lost, still, after = self._after(left, action)
                at, left = (at[lost], left[lost]) if lost.any() else (at[still], after)
                if lost.any():
                    break
            chosen = [*chosen, int(at[0])] if len(at) else []
        return chosen

    def _after(self, pairs: Pairs, action: int) -> tuple[NDArray[np.bool_], NDArray[np.intp], Pairs]:
        """Mark pairs that an action loses; of the others give the rows of those that it leaves open, and what comes."""
        self._steps -= len(pairs)
        if self._steps < 0:
            raise EffortExceeded
        tables = self._tables
        (one, other), (first, second) = tables.percepts[action][pairs.T], tables.pairs[action][pairs.T]
        lost = (one < 0) | (other < 0) | ((first == second) & (not tables.merging))
        rows = np.flatnonzero((one == other) & (first != second) & ~lost)
        after = np.sort(tables.after[action][pairs[rows]], axis=1)
        unique = np.unique(self._codes(after), return_index=True)[1] if len(rows) else rows
        unique.sort()
        return lost, rows[unique], after[unique]

    def _costs(self, pairs: Pairs) -> NDArray[Any]:
        """Return what each pair costs at least, infinite if nothing settles it."""
        search, table = self._search, self._search.futures.costs
        if self._tables.merging:
            costs, never = table[tuple(pairs.T)] if table.size else np.ones(len(pairs)), NEVER
        else:
            costs, never = search.apart.rounds_of(*pairs.T), NEVER_APART
        return np.where(costs == never, np.inf, costs)

    def _known(self, pairs: Pairs, bound: float) -> int | None:
        """The place of a set with this bound that is a part of some pairs, if one is found already."""
        codes = {*self._codes(pairs).tolist()}
        near = (k for code in codes for k in self._filed.get(code, ()))
        return next((k for k in near if self.found[k][1] >= bound and self._keys[k] <= codes), None)

    def _enter(self, pairs: Pairs, bound: float) -> None:
        self._most -= len(pairs)
        if self._most < 0:
            raise EffortExceeded
        self._keys.append(frozenset(self._codes(pairs).tolist()))
        self._filed.setdefault(min(self._keys[-1]), []).append(len(self.found))
        self.found.append((pairs, bound))

    def _codes(self, pairs: Pairs) -> NDArray[np.int64]:
        codes: NDArray[np.int64] = pairs[:, 0].astype(np.int64) * len(self._tables.futures) + pairs[:, 1]
        return codes
