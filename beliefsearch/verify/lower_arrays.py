"""Long tables `lower` in arrays: as a file has them, packed (docs/certificate-format.md), and their check with NumPy.

In text a number takes four bytes. An array is written as all lowest bytes, then all second ones, and so on, compressed
by zlib, in base64: the high bytes, mostly 0, take no room. The text is a list of pieces, since readers of JSON take
long over a single one.

The theorem and its proof are those of `check_lower` in `checker`, of which every condition is tested here for many
entries at once, where nothing is perceived; costs are rounded down, so that they come to no more than they are. Sets
are lists of states one after the other, and marks in a matrix, a row for each entry of a piece. Arrays take as few
bytes for a number as the largest needs: a hundred million beliefs of thirty states are a few gigabytes.
"""

from __future__ import annotations

import math
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .checker import Claim, Game, costs_claim, fields, index, items, require, unreadable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

INFINITE = (1 << 32) - 1
"""Stands for an infinite value."""
NONE = (1 << 32) - 1
"""Stands for no entry."""
MOST_ENTRIES = 1 << 28
# What is packed takes this many times as much room at the most, besides some that does not matter.
_LARGEST_RATIO = 100
_FREE = 1 << 24
NAMES = "sizes members values reasons"
# Marks in a matrix that are looked at together.
_MARKS = 1 << 21
_LARGEST_COST = 1 << 31


class LowerArrays(NamedTuple):
    """A table `lower` of a game without percepts and with whole values."""

    sizes: NDArray[Any]
    """By entry how many states it has."""
    members: NDArray[Any]
    """The states of all entries, one entry after the other."""
    values: NDArray[Any]
    """By entry its value; `INFINITE` if it is that."""
    reasons: NDArray[Any]
    """By entry and action an entry; `NONE` if the cost is enough, or the action does not apply."""
    root: int


def unpacked(table: Any, actions: int) -> LowerArrays:
    """The arrays of a table in a game of so many actions; raises `UnreadableError` if it is none."""
    table = fields(dict(table), "the table", "kind root entries packed")
    texts = fields(table["packed"], "the packed table", NAMES)
    count = index(table["entries"], MOST_ENTRIES, "the number of entries")
    root = index(table["root"], count, "root")
    try:
        data = {name: b64decode("".join(items(lines, name)), validate=True) for name, lines in texts.items()}
    except (TypeError, ValueError):
        unreadable("the packed table is not in base64")
    most = _FREE + _LARGEST_RATIO * sum(map(len, data.values()))
    left = most - 4 * count * (2 + actions)
    require(left >= 0, f"the packed table is too short for {count:,} entries")
    sizes = _numbers(data["sizes"], count, "sizes")
    total = int(sizes.sum(dtype=np.int64))
    require(4 * total <= left, f"the packed table is too short for {total:,} states of entries")
    values, reasons = _numbers(data["values"], count, "values"), _numbers(data["reasons"], count * actions, "reasons")
    members = _numbers(data["members"], total, "members")
    return LowerArrays(sizes, members, values, reasons.reshape(count, actions), root)


def _numbers(data: bytes, count: int, name: str) -> NDArray[Any]:
    """The numbers of an array, in as few bytes as the largest needs."""
    planes = {}  # those of its bytes in which there is something
    for place, written in enumerate(_planes(data, count, name)):
        if (plane := np.frombuffer(written, np.uint8)).any():
            planes[place] = plane
    width = next(width for width in (1, 2, 4) if max(planes, default=0) < width)
    found = np.zeros((count, width), np.uint8)
    for place, plane in planes.items():
        found[:, place] = plane
    return found.view(f"<u{width}").reshape(count)


def _planes(data: bytes, count: int, name: str) -> Iterator[bytes]:
    """All lowest bytes of so many numbers, all second ones, and so on."""
    reader = zlib.decompressobj()
    try:
        for _ in range(4):
            plane = reader.decompress(data, max(1, count))
            data = reader.unconsumed_tail
            if len(plane) != count:
                unreadable(name, "do not have the length", count)
            yield plane
        if reader.decompress(data, 1) or not reader.eof or reader.unused_data:
            unreadable(name, "do not have the length", count)
    except zlib.error:
        unreadable(name, "cannot be unpacked")


class _Lists:
    """Lists of numbers, one after the other."""

    def __init__(self, numbers: NDArray[Any], counts: NDArray[Any]) -> None:
        self.numbers, self.counts = numbers, counts
        first: NDArray[Any] = np.cumsum(counts, dtype=np.uint32 if len(numbers) < 1 << 32 else np.int64)
        first -= counts
        self._first = first

    def of(self, places: NDArray[Any]) -> tuple[Numbers, Numbers]:
        """The numbers in the lists at these places, with the number of the place that each comes from."""
        counts = self.counts[places].astype(np.int64)
        origin = np.repeat(np.arange(len(places)), counts)
        within = np.arange(len(origin)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.numbers[self._first[places][origin] + within].astype(np.int64), origin


class _Action:
    """Effect of an action on listed states: where it applies, what it costs, and the results."""

    def __init__(self, game: Game, number: int, states: int) -> None:
        rows = game.steps[number]
        able = [s for s in range(states) if rows[s] is not None]
        self.applies = np.zeros(states, np.bool_)
        self.applies[able] = True
        self.everywhere = len(able) == states
        self._costs = np.zeros(states, np.int64)
        results: list[tuple[int, ...]] = [()] * states
        paid = set()
        for s in able:
            cost = min(math.floor(game.cost(number, [s])), _LARGEST_COST)
            self._costs[s] = cost
            paid.add(cost)
            # A result that no entry has, since it is not listed, justifies nothing.
            results[s] = tuple(t for _, after in rows[s] or () for t in after if t < states)
        self._cost = paid.pop() if len(paid) == 1 else None  # None: it differs
        counts = np.array([len(after) for after in results], np.uint32)
        self.results = _Lists(np.array([*chain.from_iterable(results)], np.int64), counts)

    def costs(self, state: Numbers, ends: Numbers) -> Any:
        """The costs in beliefs whose states begin at the places `ends` of `state`, where it applies."""
        return np.maximum.reduceat(self._costs[state], ends) if self._cost is None else self._cost


def check_lower_arrays(game: Game, table: LowerArrays, states: int, tick: Callable[[], None] = lambda: None) -> Claim:
    """The claim of `check_lower` for a table about so many states; every action has a column of reasons.

    An action that does not apply in all states of an entry needs no reason, and has none.
    """
    sizes, members = table.sizes, table.members
    if len(members) and int(members.max()) >= states:
        unreadable("a state of an entry is no number below", states)
    if (empty := np.flatnonzero(sizes == 0)).size:
        unreadable("entry", int(empty[0]), "has no states")
    actions = table.reasons.shape[1]
    effects = []
    for s in range(states):
        tick()
        require(all(a < actions for a in game.applicable([s])), f"an action of state {s} is not listed")
    for a in range(actions):
        tick()
        effects.append(_Action(game, a, states))
    require(game.percepts == 1, "a packed table is for games in which nothing is perceived")
    goals, beliefs, most = _Goals(game, states), _Lists(members, sizes), max(1, _MARKS // max(1, states))
    for begin in range(0, len(sizes), most):
        tick()
        _check_piece(table, beliefs, effects, goals, np.flatnonzero(table.values[begin : begin + most] > 0) + begin)
    root, _ = beliefs.of(np.array([table.root]))
    require(game.start.issuperset(root.tolist()), "the root is not inside the start")
    return costs_claim("lower", _shown(table.values[table.root]))


class _Goals:
    """The goal sets, as marks of states, and which of them are around a state: as many for each, -1 for none."""

    def __init__(self, game: Game, states: int) -> None:
        around = {s: [*game.goals_around(s)] for s in range(states)}
        number = {goal: place for place, goal in enumerate(dict.fromkeys(chain.from_iterable(around.values())))}
        self.around = np.full((states, max(map(len, around.values()), default=0)), -1, np.int64)
        self.marks = np.zeros((len(number), states), np.bool_)
        for s, goals in around.items():
            places = [number[goal] for goal in goals]
            self.around[s, : len(places)] = places
            self.marks[places, s] = True


def _check_piece(table: LowerArrays, beliefs: _Lists, effects: list[_Action], goals: _Goals, number: Numbers) -> None:
    """Check the entries of these numbers, whose values are above 0."""
    if not number.size:
        return
    values, count = table.values[number].astype(np.int64), len(beliefs.counts)
    state, row = beliefs.of(number)
    ends = np.flatnonzero(np.diff(row, prepend=-1))
    for goal in goals.around[state[ends]].T:
        won = np.logical_and.reduceat(goals.marks[goal[row], state] & (goal[row] >= 0), ends)
        if won.any():
            i = int(won.argmax())
            require(False, f"entry {number[i]}: it is won, and has the value {_shown(values[i])}")
    for a, effect in enumerate(effects):
        named = table.reasons[number, a].astype(np.int64)
        applies = effect.everywhere or np.logical_and.reduceat(effect.applies[state], ends)
        has = named != NONE
        wrong = has & np.logical_not(applies)
        require(not wrong.any(), f"entry {number[wrong.argmax()]}: it has more reasons than actions")
        bad = has & (named >= count)
        if bad.any():
            unreadable(f"entry {number[bad.argmax()]}, action {a}: the entry is no number below {count}")
        named[~has] = 0
        after = table.values[named].astype(np.int64)
        # Only what is infinite comes to infinity, which has the largest number.
        paid = np.minimum(effect.costs(state, ends) + np.where(has, after, 0), INFINITE - 1)
        paid = np.where(has & (after == INFINITE), INFINITE, paid)
        low = applies & (paid < values)
        if low.any():
            i = int(low.argmax())
            comes = f"{int(paid[i])} which is less than {_shown(values[i])}"
            require(False, f"entry {number[i]}, action {a}: it comes to {comes}")
        asked = np.flatnonzero(has)
        marks = np.zeros((len(number), len(effect.applies)), np.bool_)
        results, origin = effect.results.of(state)
        marks[row[origin], results] = True
        needed, reason = beliefs.of(named[asked])
        within = marks[asked[reason], needed]
        if not within.all():
            i = int(asked[reason[within.argmin()]])
            require(False, f"entry {number[i]}, action {a}: entry {named[i]} is not inside the outcome")


def _shown(value: Any) -> int | float:
    return math.inf if value == INFINITE else int(value)
