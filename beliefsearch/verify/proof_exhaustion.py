"""Proofs by exhaustion: lists of beliefs that are too long for a table, in which one takes a hundred bytes of memory.

Here it takes a bit for each state, and four bytes. The price is that no entry names others: they are looked up.

`ahead` are beliefs with numbers: the start with 0, and of a belief whose number is below the `reach`, by each action,
the outcome with a number higher by at most 1. `behind` are sets with numbers: each goal set lies in one with 0, and of
a set whose number is below the `depth`, by each action, the states that lead into it for certain lie in one with a
number higher by at most 1. No belief with a number below the bound lies in a goal set, and none with the number of the
reach in a set with a number below the bound less the reach; and that is at most the depth.

*Then no plan takes fewer actions than the bound.* Let a plan of n actions win, n below the bound, and follow it along
beliefs that are listed, as long as their numbers are below the reach: each number is at most as large as that of
actions done. If it ends so, a listed belief lies in a goal set. Else it comes to a belief with the number of the reach,
and as many actions are done at least; so the plan wins from there in fewer than the bound less the reach, and, going
back from the goal set, that belief lies in a set behind with a number below that.

Every action costs 1. If there is no bound and all beliefs have the number 0, costs do not matter.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.problem import BeliefProblem
from .asked_game import AskedGame
from .checker import INFINITE, UnreadableError, WrongError, index, require, unreadable
from .numbered import UNLIMITED, list_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.uint8]
    """Sets, one a row, as bytes: bit i of byte k is for state 8 k + i."""

MOST_LISTED = 1 << 28
"""Beliefs ahead: an hour or two."""
MOST_BEHIND = 1 << 16
"""Sets behind: each may be compared with each."""
_NUMBER = 4  # bytes
_ENDLESS = 1 << 40  # above all numbers
_AT_ONCE = 1 << 16
_MOMENT = 0.1  # seconds


def check_exhaustion(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None]) -> Cost:
    """The bound that the lists in `proof` establish; raises `InvalidProofError` if they establish none."""
    try:
        return _bound(problem, proof, tick)
    except (WrongError, UnreadableError) as error:
        raise InvalidProofError(str(error)) from None


def _bound(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None]) -> Cost:
    require(problem.is_sensorless(), "its kind 'exhaustion' is about players who perceive nothing; here something is")
    for key, most in (("ahead", MOST_LISTED), ("behind", MOST_BEHIND)):
        count = len(_listed(proof, key))
        require(count <= most, f"its field {key!r} lists {count:,} sets, and this checker takes at most {most:,}")
    written = list_of(proof, "states")
    game = AskedGame(problem, {"states": written}, tick)
    game.walk(UNLIMITED, len(written))
    bound, reach, depth = (_limit(proof, key) for key in ("bound", "reach", "depth"))
    require(reach + depth >= bound, f"a reach of {reach} and a depth of {depth} do not make the bound {bound}")
    unit_costs = all(costs is None for costs in game.costs)
    require(unit_costs or not depth, "it lists sets behind, which is for problems whose costs are 1")
    goals = _rows_of([sum(1 << s for s in goal) for goal in game.goals if goal], game.states)
    steps = [_Step(game, action) for action in range(len(game.steps))]
    behind = _Sorted(proof, "behind", game.states, tick)
    sets, values = next(behind.pieces(MOST_BEHIND), (goals[:0], np.zeros(0, np.int64)))
    require(behind.include(goals, np.zeros(len(goals), np.int64)), "a goal set is in no set behind")
    for step in steps:
        tick()
        before, limits = step.before(sets[values < depth]), values[values < depth] + 1
        some = before.any(axis=1)
        covered = behind.include(before[some], limits[some])
        require(covered, "the states that lead into a set behind are in no set behind")
    ahead = _Sorted(proof, "ahead", game.states, tick)
    start = _rows_of([sum(1 << s for s in game.start)], game.states)
    require(ahead.lists(start, np.zeros(1, np.int64)).all(), "the initial belief is not listed with the number 0")
    near = sets[values < bound - reach]
    for rows, numbers in ahead.pieces():
        tick()
        free = bound == _ENDLESS and not numbers.any()
        require(unit_costs or free, "where costs are not 1, all numbers are 0, and there is no bound")
        require(not _some_inside(rows[numbers < bound], goals), "a belief with a number below the bound is won")
        met = _some_inside(rows[numbers == reach], near)
        require(not met, f"a belief with the number {reach} may be won for less than {bound} in all")
        after = numbers + int(unit_costs)
        for step in steps:
            asked = step.applies(rows) & (numbers < reach) & (after < bound)
            if not ahead.lists(step.images(rows[asked]), after[asked]).all():
                raise WrongError(f"a belief that {game.named(f'action {step.action}')} leads to is not listed")
    return INFINITE if bound == _ENDLESS else bound


class _Step:
    """Effect of an action: of each eight states all unions of images."""

    def __init__(self, game: AskedGame, action: int) -> None:
        self.action = action
        results = [game.steps[action].get(s) for s in range(game.states)]
        images = [sum(1 << t for t in row[0][1]) if row else 0 for row in results]
        self._domain = _rows_of([sum(1 << s for s, row in enumerate(results) if row)], game.states)[0]
        self._images = _rows_of(images + [0] * (-game.states % 8), game.states)
        self._tables = []
        for first in range(0, game.states, 8):
            table = np.zeros((1, self._images.shape[1]), np.uint8)
            for row in self._images[first : first + 8]:
                table = np.concatenate([table, table | row])
            self._tables.append(table)

    def applies(self, rows: Rows) -> NDArray[np.bool_]:
        """Tell of each set whether it applies in all of its states."""
        outside: NDArray[np.bool_] = (rows & ~self._domain).any(axis=1)
        return ~outside

    def images(self, rows: Rows) -> Rows:
        """The outcomes of sets."""
        found = np.zeros(rows.shape, np.uint8)
        for place, table in enumerate(self._tables):
            found |= table[rows[:, place]]
        return found

    def before(self, rows: Rows) -> Rows:
        """The states that lead into each set for certain."""
        found = [np.packbits(~(self._images & ~row).any(axis=1), bitorder="little") for row in rows]
        before: Rows = np.array(found, np.uint8).reshape(rows.shape) & self._domain
        return before


class _Sorted:
    """The sets of a list with their numbers, sorted."""

    def __init__(self, proof: Mapping[str, Any], key: str, states: int, tick: Callable[[], None]) -> None:
        count, place = len(_listed(proof, key)), 0
        self.width = -(-states // 8)
        self._rows = np.empty(count, dtype=f"S{self.width + _NUMBER}")
        entries, end = _entries(proof, key, states), cache(lambda number: number.to_bytes(_NUMBER, "big"))
        written = (mask.to_bytes(self.width, "little") + end(number) for mask, number in entries)
        while some := b"".join(islice(written, _AT_ONCE)):
            tick()
            rows = np.frombuffer(some, dtype=self._rows.dtype)
            if place + len(rows) <= count:
                self._rows[place : place + len(rows)] = rows
            place += len(rows)
        require(place == count, "its list has changed while it was read")
        _sort(self._rows)

    def pieces(self, most: int = _AT_ONCE) -> Iterator[tuple[Rows, NDArray[np.int64]]]:
        """All sets with their numbers, some at a time."""
        for begin in range(0, len(self._rows), most):
            rows = self._bytes_of(self._rows[begin : begin + most])
            numbers = np.ascontiguousarray(rows[:, self.width :]).view(">u4")[:, 0].astype(np.int64)
            yield rows[:, : self.width], numbers

    def lists(self, sets: Rows, most: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell of each of these sets whether it is listed with a number that is at most the one in `most`."""
        asked = np.empty((len(sets), self.width + _NUMBER), dtype=np.uint8)
        asked[:, : self.width] = sets
        asked[:, self.width :] = most.astype(">u4")[:, np.newaxis].view(np.uint8)
        # The last row that is not above: if it has the same set, then a number that is no larger.
        places = np.searchsorted(self._rows, asked.view(self._rows.dtype)[:, 0], side="right") - 1
        found = np.zeros(len(sets), np.bool_)
        found[places >= 0] = (
            self._bytes_of(self._rows[places[places >= 0]])[:, : self.width] == sets[places >= 0]
        ).all(axis=1)
        return found

    def include(self, sets: Rows, most: NDArray[np.int64]) -> bool:
        """Whether each of these sets lies in a listed one with a number that is at most the one in `most`."""
        others = ~self.lists(sets, most)
        return all(
            any((~(row & ~rows[numbers <= limit]).any(axis=1)).any() for rows, numbers in self.pieces())
            for row, limit in zip(sets[others], most[others].tolist(), strict=True)
        )

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


def _some_inside(rows: Rows, sets: Rows) -> bool:
    """Whether one of these beliefs lies in one of the sets: only those are compared that are no larger."""
    sizes = np.bitwise_count(rows).sum(axis=1, dtype=np.int64)
    order = np.argsort(sizes)
    rows, sizes = rows[order], sizes[order]
    for row, size in zip(sets, np.bitwise_count(sets).sum(axis=1, dtype=np.int64), strict=True):
        small = rows[: np.searchsorted(sizes, size, side="right")]
        if len(small) and not (small & ~row).any(axis=1).all():
            return True
    return False


def _rows_of(masks: list[int], states: int) -> Rows:
    width = -(-states // 8)
    return np.frombuffer(b"".join(mask.to_bytes(width, "little") for mask in masks), np.uint8).reshape(-1, width)


def _listed(proof: Mapping[str, Any], key: str) -> Any:
    return list_of(proof, key) if key in proof else ()


def _entries(proof: Mapping[str, Any], key: str, states: int) -> Iterator[tuple[int, int]]:
    """Sets of states as bit sets, each with its number, one after the other."""
    limit = 1 << states
    for entry in _listed(proof, key):
        members, number = entry if type(entry) is list and len(entry) == 2 else (None, None)
        mask = 0
        if type(members) is str and members and not members.strip("0123456789abcdef"):
            mask = int(members, 16)
        elif type(members) is list and all(type(s) is int and 0 <= s < states for s in members):
            mask = sum(1 << s for s in {*members})
        if not 0 < mask < limit or type(number) is not int or not 0 <= number < 1 << 31:
            unreadable(f"an entry of {key!r} should be states and a whole number below 2^31, not {entry!r:.60}")
        yield mask, number


def _limit(proof: Mapping[str, Any], key: str) -> int:
    """A whole number; null stands for infinity, which JSON lacks."""
    return _ENDLESS if proof.get(key) is None else index(proof[key], 1 << 31, f"its field {key!r}")
