"""Partitions of futures into those that words tell apart, each finer than the one before, in memory for one alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from .tables import FutureTables

NEVER_APART = np.iinfo(np.int32).max
"""The round in which those are told apart that no round does."""


@frozen(eq=False)
class Partitions:
    """Classes of futures after 0, 1, 2, ... rounds, in an order in which each class of each round stands together.

    By place in that order: `order`, the future, and `apart`, the round in which it is told from the one before it. By
    future: `place`. There are rounds 0 to `rounds`.
    """

    order: NDArray[np.int64]
    apart: NDArray[np.int32]
    place: NDArray[np.int64]
    rounds: int

    def classes(self, rounds: int | None = None) -> NDArray[np.int32]:
        """The class of each future after so many rounds, or after all."""
        most = self.rounds if rounds is None else min(rounds, self.rounds)
        return (np.cumsum(self.apart <= most, dtype=np.int32) - np.int32(1))[self.place]

    def count(self) -> int:
        """Count the classes after all rounds."""
        return int((self.apart <= self.rounds).sum())

    def first_apart(self, members: NDArray[Any]) -> int:
        """The first round in which not all of some futures are in one class; `NEVER_APART` if there is none."""
        places = self.place[members]
        return int(self.apart[places.min() + 1 : places.max() + 1].min(initial=NEVER_APART))

    def last_apart(self, members: NDArray[Any]) -> tuple[NDArray[np.int32], int]:
        """Two of some futures that are told apart last, and in which round; `NEVER_APART` if in none, 0 of one."""
        if len(members) < 2:
            return members, 0
        places = np.sort(self.place[members])
        rounds = np.minimum.reduceat(self.apart[: places[-1] + 1], places[:-1] + 1)
        latest = int(rounds.argmax())
        return np.sort(self.order[places[latest : latest + 2]]).astype(np.int32), int(rounds[latest])

    def rounds_of(self, ones: NDArray[Any] | int, others: NDArray[Any]) -> NDArray[np.int32]:
        """The round in which each of some futures is told from the other of its pair; `NEVER_APART` if in none."""
        low, high = np.sort(np.broadcast_arrays(self.place[ones], self.place[others]), axis=0)
        found, least, width = np.zeros(len(low), np.int32), self.apart, 1
        while (able := high - low >= width).any():  # `least` of so many places from each on; two such ranges cover all
            found[able] = np.minimum(least[low[able] + 1], least[high[able] - width + 1])
            least, width = np.minimum(least[:-width], least[width:]), 2 * width
        return found


def partitions(tables: FutureTables[Any], tick: Callable[[], None], *, valid: bool) -> Partitions:
    """Divide futures in rounds, by every action: those whose percepts, or the classes of whose next futures, differ.

    With `valid` a class is divided only by actions that merge none of it, and apply in all: D. Lee and M. Yannakakis,
    "Testing finite-state machines: state identification and verification" (1994), without the tree. Else they are those
    that no word of so many actions tells apart.
    """
    count = len(tables.futures)
    old: NDArray[np.int64] = np.zeros(count, np.int64)
    apart, rounds = np.zeros(1, np.int32), 0  # by class, the round in which it was told from the one before it
    while len(apart) < count:
        new, size = old, len(apart)
        for action, percepts in enumerate(tables.percepts):
            tick()
            after, pairs = tables.after[action], tables.pairs[action]
            values = np.where(percepts < 0, -1, percepts.astype(np.int64) * size + old[after])
            if valid:
                values[_lost(old, pairs, percepts < 0, size)[old]] = -1
            keys = new * (int(values.max(initial=0)) + 2) + values + 1
            new = np.unique(keys, return_inverse=True)[1]
            if new.max() == count - 1:
                break
        # Classes are numbered in the order of those before, so that each lies within one of these.
        was = np.zeros(int(new.max()) + 1, np.int64)
        was[new] = old
        if len(was) == size:
            break
        rounds += 1
        fresh = np.concatenate([[False], was[1:] == was[:-1]])
        apart, old = np.where(fresh, rounds, apart[was]).astype(np.int32), new
    order = np.argsort(old, kind="stable")
    place = np.empty(count, np.int64)
    place[order] = np.arange(count)
    begins = np.concatenate([[True], old[order][1:] != old[order][:-1]])
    return Partitions(order, np.where(begins, apart[old[order]], NEVER_APART).astype(np.int32), place, rounds)


def _lost(classes: NDArray[Any], pairs: NDArray[Any], missing: NDArray[np.bool_], size: int) -> NDArray[np.bool_]:
    """Mark the classes in which an action does not apply to all, or merges two."""
    keys = classes * (len(classes) + 1) + pairs + 1
    order = np.argsort(keys, kind="stable")
    found = np.zeros(size, np.bool_)
    found[classes[order[1:][keys[order[1:]] == keys[order[:-1]]]]] = True
    found[classes[missing]] = True
    return found


def dividing_word(
    tables: FutureTables[Any], known: Partitions, members: NDArray[np.int32], *, valid: bool
) -> list[int]:
    """A word after which the percepts in a set differ, by `partitions`; none if no word is known."""
    level = known.first_apart(members)
    found: list[int] = []
    while 0 < level < NEVER_APART:
        lost = tables.is_lost(members) if valid else (tables.percepts[:, members] < 0).any(axis=1)
        for a in np.flatnonzero(~lost).tolist():
            percepts = tables.percepts[a][members]
            if (percepts != percepts[0]).any():
                return [*found, a]
            after = tables.after[a][members]
            if known.first_apart(after) < level:
                break
        else:
            return []  # where not every action applies
        found.append(a)
        members = np.unique(after)
        level = known.first_apart(members)
    return found
