"""The check of a long table `lower` with NumPy, where nothing is perceived and costs are whole numbers.

The theorem and its proof are those of `check_lower` in `checker`, of which every condition is tested here for many
entries at once. Sets are lists of states one after the other, and marks in a matrix, a row for each entry of a piece.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from .checker import INFINITE as ENDLESS
from .checker import Claim, Game, Number, costs_claim, require, unreadable
from .packed_lower import INFINITE, NONE, LowerArrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Marks = NDArray[np.bool_]

# Marks in a matrix, and states of entries, that are looked at together.
_MARKS = 1 << 22
_AT_ONCE = 1 << 19
_LARGEST_COST = 1 << 31


class _Action:
    """Effect of an action on listed states: where it applies, what it costs, and the results one after the other."""

    def __init__(self, game: Game, number: int, used: list[int], states: int) -> None:
        rows = game.steps[number]
        results: list[tuple[int, ...]] = [()] * states
        self.applies = np.zeros(states, np.bool_)
        costs = [0] * states
        for s in used:
            row = rows[s]
            if row is None:
                continue
            # A result that no entry has, since it is not listed, justifies nothing.
            results[s] = tuple(t for _, after in row for t in after if t < states)
            self.applies[s] = True
            costs[s] = _whole(game.cost(number, [s]))
        self.everywhere = all(rows[s] is not None for s in used)
        self.costs = np.array(costs, np.int64)
        same = {costs[s] for s in used}
        self.cost = same.pop() if len(same) == 1 else -1  # -1: it differs
        self.counts = np.array([len(after) for after in results], np.int64)
        self.first = np.cumsum(self.counts) - self.counts
        self.results = np.array([*chain.from_iterable(results)], np.int64)


def _whole(cost: Number) -> int:
    if type(cost) is not int or cost >= _LARGEST_COST:
        unreadable("a packed table is for whole costs, and one is", cost)
    return cost


def check_lower_arrays(game: Game, table: LowerArrays, states: int, tick: Callable[[], None] = lambda: None) -> Claim:
    """The claim of `check_lower` for a table about so many states; every action has a column of reasons.

    An action that does not apply in all states of an entry needs no reason, and has none.
    """
    sizes, members = table.sizes.astype(np.int64), table.members
    if len(members) and int(members.max()) >= states:
        unreadable("a state of an entry is no number below", states)
    if (empty := np.flatnonzero(sizes == 0)).size:
        unreadable("entry", int(empty[0]), "has no states")
    used = np.flatnonzero(np.bincount(members, minlength=states)).tolist()
    actions = table.reasons.shape[1]
    effects = []
    for s in used:
        tick()
        require(all(a < actions for a in game.applicable([s])), f"an action of state {s} is not listed")
    for a in range(actions):
        tick()
        effects.append(_Action(game, a, used, states))
    require(game.percepts == 1, "a packed table is for games in which nothing is perceived")
    goals = _Goals(game, used, states)
    starts = np.cumsum(sizes) - sizes
    begin, most = 0, max(1, _MARKS // max(1, states))
    while begin < len(sizes):
        tick()
        end = int(np.searchsorted(starts, starts[begin] + _AT_ONCE))
        end = max(begin + 1, min(end, begin + most, len(sizes)))
        _check_piece(table, sizes, starts, effects, goals, begin, end)
        begin = end
    first = int(starts[table.root])
    root = members[first : first + int(sizes[table.root])].tolist()
    require(game.start.issuperset(root), "the root is not inside the start")
    value = int(table.values[table.root])
    return costs_claim("lower", ENDLESS if value == INFINITE else value)


class _Goals:
    """The goal sets, as marks of states, and which of them are around a state: as many for each, -1 for none."""

    def __init__(self, game: Game, used: list[int], states: int) -> None:
        around = {s: [*game.goals_around(s)] for s in used}
        number = {goal: place for place, goal in enumerate(dict.fromkeys(chain.from_iterable(around.values())))}
        self.most = max((len(goals) for goals in around.values()), default=0)
        self.around = np.full((states, self.most), -1, np.int64)
        self.marks = np.zeros((len(number), states), np.bool_)
        for s, goals in around.items():
            places = [number[goal] for goal in goals]
            self.around[s, : len(places)] = places
            self.marks[places, s] = True


def _check_piece(
    table: LowerArrays,
    sizes: Numbers,
    starts: Numbers,
    effects: list[_Action],
    goals: _Goals,
    begin: int,
    end: int,
) -> None:
    """Check the entries from `begin` to before `end`."""
    number = np.flatnonzero(table.values[begin:end] > 0) + begin
    if not number.size:
        return
    values = table.values[number].astype(np.int64)
    count, first = sizes[number], starts[number]
    row = np.repeat(np.arange(len(number)), count)
    state = table.members[_places(first, count)].astype(np.int64)
    ends = np.cumsum(count) - count
    for place in range(goals.most):
        goal = goals.around[state[ends], place]
        inside = goals.marks[goal[row], state] & (goal[row] >= 0)
        won = np.logical_and.reduceat(inside, ends)
        if won.any():
            j = int(number[won.argmax()])
            require(False, f"entry {j}: it is won, and has the value {_shown(int(table.values[j]))}")
    for a, effect in enumerate(effects):
        named = table.reasons[number, a].astype(np.int64)
        applies = effect.everywhere or np.logical_and.reduceat(effect.applies[state], ends)
        has = named != NONE
        wrong = has & np.logical_not(applies)
        require(not wrong.any(), f"entry {number[wrong.argmax()]}: it has more reasons than actions")
        bad = has & (named >= len(sizes))
        if bad.any():
            unreadable(f"entry {number[bad.argmax()]}, action {a}: the entry is no number below {len(sizes)}")
        named[~has] = 0
        after = table.values[named].astype(np.int64)
        cost = effect.cost if effect.cost >= 0 else np.maximum.reduceat(effect.costs[state], ends)
        paid = cost + np.where(has, after, 0)
        # Only what is infinite comes to infinity, which has the largest number.
        paid = np.where(has & (after == INFINITE), INFINITE, np.minimum(paid, INFINITE - 1))
        low = applies & (paid < values)
        if low.any():
            i = int(low.argmax())
            comes = f"{int(paid[i])} which is less than {_shown(int(values[i]))}"
            require(False, f"entry {number[i]}, action {a}: it comes to {comes}")
        asked = np.flatnonzero(has)
        at = np.full(len(number), -1)
        at[asked] = np.arange(len(asked))
        marks = np.zeros((len(asked), len(effect.applies)), np.bool_)
        kept = at[row] >= 0
        source, target = state[kept], at[row[kept]]
        results = effect.results[_places(effect.first[source], effect.counts[source])]
        marks[np.repeat(target, effect.counts[source]), results] = True
        entry = named[asked]
        needed = table.members[_places(starts[entry], sizes[entry])]
        within = marks[np.repeat(np.arange(len(asked)), sizes[entry]), needed]
        if not within.all():
            i = int(np.repeat(asked, sizes[entry])[within.argmin()])
            require(False, f"entry {number[i]}, action {a}: entry {named[i]} is not inside the outcome")


def _shown(value: int) -> object:
    return ENDLESS if value == INFINITE else value


def _places(first: Numbers, count: Numbers) -> Numbers:
    """The numbers from each first one on, so many of each, one after the other."""
    before = np.cumsum(count) - count
    found: Numbers = np.arange(int(count.sum())) + np.repeat(first - before, count)
    return found
