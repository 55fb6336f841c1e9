"""The belief tree of the kernels for POMDPs, and the other tables that they work on, as named tuples of arrays.

The names of their fields stand for what they have by number: of a belief, a vector and so on. Where a table is full, a
kernel says so, and is called again when its arrays have been made longer. The kernels here work out what may become of
a belief, for each action and percept; equal beliefs get the same number.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...running.limits import Budget
from ...solvers.pomdp.arrays import PomdpArrays, with_room
from ...solvers.pomdp.joint import NEVER, RULED_OUT, JointRows
from ..compiled.jit import inner_kernel, kernel, lean_kernel

# As in `solvers/pomdp/plain_hsvi.py`.
_SAME = 1e-11
_LOGARITHM_UNIT = 1e-6

LEAST_CHANCE = 1e-290
"""A percept of a smaller probability is taken for rounding."""

# What the counters count, by place.
COUNTERS = 7
BELIEFS, ENTRIES, BRANCHES, VECTORS, POINTS, WORK, NAMES = range(COUNTERS)

# Why a kernel returns: all is done, or one of the tables is full.
DONE, NO_BELIEFS, NO_ENTRIES, NO_BRANCHES, NO_VECTORS = range(5)


class Rows(NamedTuple):
    """The model: sparse rows of `PomdpArrays`, rewards with `NEVER` where an action does not apply.

    `planes` are by state and action.
    """

    to_pointers: Any
    to_states: Any
    to_weights: Any
    percept_rows: Any
    percept_pointers: Any
    percept_numbers: Any
    percept_weights: Any
    rewards: Any
    planes: Any

    @classmethod
    def of(cls, arrays: PomdpArrays, rewards: Any, planes: Any) -> Rows:
        """The rows of a model, with these rewards and planes."""
        return cls._make((*(getattr(arrays, name) for name in cls._fields[:-2]), rewards, planes))


class Tree(NamedTuple):
    """Beliefs, and what may become of them.

    By belief: `low` and `high`, its bounds; `vector`, that of the lower one; its entries, `shares` from `begin` to
    `end`, and their `states`, which stand by `shift` behind them (here by 0); `worth`, by plane its mean, and `simple`,
    the greatest; `hashes`. Its branches stand from `first_branch`, -1 if they are not known, to `branch_end` of the
    last action; by branch: `percepts`, `chances`, and the `next` belief. `places` is a hash table of beliefs.
    """

    low: Any
    high: Any
    vector: Any
    begin: Any
    end: Any
    shift: Any
    worth: Any
    simple: Any
    hashes: Any
    first_branch: Any
    branch_end: Any
    states: Any
    shares: Any
    percepts: Any
    chances: Any
    next: Any
    places: Any


class Vectors(NamedTuple):
    """The lower bound, as in `solvers/pomdp/plain_hsvi.py`."""

    values: Any
    actions: Any
    successors: Any


class Work(NamedTuple):
    """Room to work in: by state zeros (`after`, `dense`), marks and numbers; by percept, by action."""

    after: Any
    dense: Any
    touched: Any
    stamps: Any
    follow: Any
    counts: Any
    totals: Any
    starts: Any
    filled: Any
    fresh: Any

    @classmethod
    def of(cls, arrays: PomdpArrays) -> Work:
        """The room for a model."""
        by_state, by_percept = np.zeros(arrays.S), np.zeros(arrays.O, np.int64)
        return cls(
            after=by_state,
            dense=by_state.copy(),
            touched=by_state.astype(np.int32),
            stamps=np.full(arrays.S, -1, np.int64),
            follow=by_state.copy(),
            counts=by_percept,
            totals=np.zeros(arrays.O),
            starts=by_percept.copy(),
            filled=by_percept.copy(),
            fresh=np.zeros(arrays.A, np.bool_),
        )


class Search(NamedTuple):
    """All that a search works on."""

    rows: Rows
    tree: Tree
    vectors: Vectors
    work: Work
    counters: Any


def new_search(
    arrays: PomdpArrays, joint: JointRows, planes: Any, vectors: Any, actions: Any, successors: Any
) -> Search:
    """Make the tables of a search in which no belief is met yet; `planes` and vectors as in `solvers/pomdp`."""
    counters = np.zeros(COUNTERS, np.int64)
    counters[VECTORS] = len(actions)
    empty: dict[str, Any] = {}
    for full in (NO_BELIEFS, NO_ENTRIES, NO_BRANCHES):
        empty |= GROUPS[full].zeros(0, {"action": arrays.A})
    return Search(
        rows=Rows.of(arrays, joint.rewards, np.ascontiguousarray(planes.T)),
        tree=Tree(**empty, places=np.full(64, -1, np.int64)),
        vectors=Vectors(vectors.copy(), actions.copy(), successors.copy()),
        work=Work.of(arrays),
        counters=counters,
    )


class Group(NamedTuple):
    """Arrays that are full together: the table that has them, the counter of their rows, their share of the room.

    `fields` have by name the type, and if there is more than one number in a row what it is by.
    """

    table: str
    counter: int
    share: float
    fields: Mapping[str, str]

    def zeros(self, count: int, widths: Mapping[str, int]) -> dict[str, Any]:
        """Return the arrays with so many rows of zeros, in one piece: memory used before would be written to for it."""
        kinds = {name: kind.partition(" by ")[::2] for name, kind in self.fields.items()}
        shapes = {name: (count, widths[by]) if by else (count,) for name, (_, by) in kinds.items()}
        sizes = [prod(shapes[name]) * np.dtype(kind).itemsize for name, (kind, _) in kinds.items()]
        begins = np.cumsum([0] + [-(-size // 64) * 64 for size in sizes])
        piece = np.zeros(begins[-1], np.uint8)
        places = zip(kinds.items(), begins.tolist(), sizes, strict=False)
        return {name: piece[at : at + size].view(kind).reshape(shapes[name]) for (name, (kind, _)), at, size in places}

    def longer(self, search: Any, needed: int, budget: Budget) -> Any:
        """Return a search in which these arrays have so many rows; raises `LimitReached` if memory is short."""
        table = getattr(search, self.table)
        arrays = {name: getattr(table, name) for name in self.fields}
        budget.require_room(2 * sum(int(array.nbytes) for array in arrays.values()), "what the search has met")
        grown = table._replace(**{name: with_room(array, needed) for name, array in arrays.items()})
        return search._replace(**{self.table: grown})


_OF_BELIEFS = {
    **dict.fromkeys(("low", "high", "simple"), "f8"),
    **dict.fromkeys(("vector", "begin", "end", "shift", "first_branch"), "i8"),
    "worth": "f8 by action",
    "branch_end": "i8 by action",
    "hashes": "u8",
}
GROUPS = {
    NO_BELIEFS: Group("tree", BELIEFS, 0, _OF_BELIEFS),
    NO_ENTRIES: Group("tree", ENTRIES, 0, {"states": "i4", "shares": "f8"}),
    NO_BRANCHES: Group("tree", BRANCHES, 0, {"percepts": "i4", "chances": "f8", "next": "i8"}),
    NO_VECTORS: Group("vectors", VECTORS, 0, dict.fromkeys(Vectors._fields, "")),
}
"""By what may be full: its arrays, which are made longer then."""


@inner_kernel
def branch(belief: int, rows: Rows, tree: Tree, work: Work, counters: Any) -> int:
    """Work out the branches of a belief; returns `DONE` if that is done, or which table is full."""
    actions, percepts = rows.rewards.shape[0], len(work.counts)
    first = counters[BRANCHES]
    if first + actions * percepts > len(tree.next):
        return NO_BRANCHES
    if counters[BELIEFS] + actions * percepts > len(tree.low):
        return NO_BELIEFS
    for action in range(actions):
        if tree.worth[belief, action] > RULED_OUT:
            if counters[ENTRIES] + part(belief, action, rows, tree, work, counters) > len(tree.states):
                counters[BRANCHES] = first
                return NO_ENTRIES
            for percept in range(percepts):
                if work.counts[percept] > 0 and work.totals[percept] > LEAST_CHANCE:
                    place = counters[BRANCHES]
                    tree.percepts[place], tree.chances[place] = percept, work.totals[percept]
                    tree.next[place] = number_of(work.starts[percept], work.counts[percept], rows, tree, counters)
                    counters[BRANCHES] += 1
        tree.branch_end[belief, action] = counters[BRANCHES]
    tree.first_branch[belief] = first
    return DONE


@lean_kernel
def part(belief: int, action: int, rows: Any, tree: Any, work: Work, counters: Any) -> int:
    """Write what may follow a belief, percept by percept, behind all entries, if there is room; return how many it is.

    `work` has by percept how many of these there are, where they start, and the probability of the percept.
    """
    size = len(work.after)
    found = _spread(belief, action, rows, tree, work, counters)
    work.counts[:] = 0
    work.totals[:] = 0.0
    for i in range(found):
        state = work.touched[i]
        row = rows.percept_rows[action * size + state]
        for place in range(rows.percept_pointers[row], rows.percept_pointers[row + 1]):
            chance = work.after[state] * rows.percept_weights[place]
            if chance > 0.0:
                work.counts[rows.percept_numbers[place]] += 1
                work.totals[rows.percept_numbers[place]] += chance
    total = 0
    for percept in range(len(work.counts)):
        work.starts[percept] = work.filled[percept] = counters[ENTRIES] + total
        total += work.counts[percept]
    shift = counters[NAMES] - counters[ENTRIES]
    has_room = counters[ENTRIES] + total <= len(tree.shares) and counters[NAMES] + total <= len(tree.states)
    for i in range(found):
        state = work.touched[i]
        row = rows.percept_rows[action * size + state]
        if has_room:
            for place in range(rows.percept_pointers[row], rows.percept_pointers[row + 1]):
                chance = work.after[state] * rows.percept_weights[place]
                if chance > 0.0:
                    percept = rows.percept_numbers[place]
                    tree.states[work.filled[percept] + shift] = state
                    tree.shares[work.filled[percept]] = chance / work.totals[percept]
                    work.filled[percept] += 1
        work.after[state] = 0.0
    return total


@lean_kernel
def _spread(belief: int, action: int, rows: Any, tree: Any, work: Work, counters: Any) -> int:
    """Write what follows a belief to `after`, and the states in ascending order to `touched`; return how many."""
    after, touched = work.after, work.touched
    found, lowest, highest = 0, len(after), -1
    in_order = True
    for entry in range(tree.begin[belief], tree.end[belief]):
        row = action * len(after) + tree.states[entry + tree.shift[belief]]
        counters[WORK] += 2 * (rows.to_pointers[row + 1] - rows.to_pointers[row])
        for place in range(rows.to_pointers[row], rows.to_pointers[row + 1]):
            state, chance = rows.to_states[place], tree.shares[entry] * rows.to_weights[place]
            if chance <= 0.0:  # too small for a float
                continue
            if after[state] == 0.0:
                touched[found] = state
                found += 1
                in_order &= state > highest
                lowest, highest = min(lowest, state), max(highest, state)
            after[state] += chance
    if in_order:
        return found
    if highest - lowest < 8 * found:
        found = 0
        for state in range(lowest, highest + 1):
            if after[state] > 0.0:
                touched[found] = state
                found += 1
    else:
        _sort(touched, found)
    return found


@lean_kernel
def _sort(numbers: Any, count: int) -> None:
    """Sort the first numbers: Shell's sort."""
    gap = count // 2
    while gap > 0:
        for i in range(gap, count):
            one, j = numbers[i], i
            while j >= gap and numbers[j - gap] > one:
                numbers[j] = numbers[j - gap]
                j -= gap
            numbers[j] = one
        gap //= 2


@inner_kernel
def entered(start: int, count: int, shift: int, planes: Any, tree: Any, counters: Any) -> int:
    """Return the number of the belief whose entries stand from `start` on; a new one is kept, its entries moved up.

    Of a new one the bounds are known then, but neither a vector nor what may become of it.
    """
    begin, names = counters[ENTRIES], counters[NAMES]
    states = tree.states[names : names + count]
    code = np.uint64(14695981039346656037)
    for k in range(count):
        states[k], tree.shares[begin + k] = tree.states[start + shift + k], tree.shares[start + k]
        rounded = np.int64(np.rint(np.log(tree.shares[begin + k]) / _LOGARITHM_UNIT))
        code = (code ^ np.uint64(rounded * 1000003 + states[k])) * np.uint64(1099511628211)
    mask = len(tree.places) - 1
    place = np.int64(code >> np.uint64(20)) & mask
    while tree.places[place] >= 0:
        known: Any = np.int64(tree.places[place])
        if tree.hashes[known] == code and tree.end[known] - tree.begin[known] == count:
            same = True
            for k in range(count):
                here, there = begin + k, tree.begin[known] + k
                if (
                    states[k] != tree.states[there + tree.shift[known]]
                    or abs(tree.shares[here] - tree.shares[there]) > _SAME * tree.shares[here]
                ):
                    same = False
                    break
            if same:
                return int(known)
        place = (place + 1) & mask
    number: int = counters[BELIEFS]
    counters[BELIEFS] += 1
    counters[ENTRIES] += count
    tree.places[place], tree.hashes[number] = number, code
    counters[NAMES] += count
    tree.begin[number], tree.end[number], tree.shift[number] = begin, begin + count, names - begin
    worth = tree.worth[number]
    worth[:] = 0.0
    for k in range(count):
        for plane in range(len(worth)):
            worth[plane] += tree.shares[begin + k] * planes[states[k], plane]
    tree.low[number] = simple = NEVER
    for plane in range(len(worth)):
        simple = max(simple, worth[plane])
    tree.simple[number] = tree.high[number] = simple
    return number


@kernel
def number_of(start: int, count: int, rows: Rows, tree: Tree, counters: Any) -> int:
    """As `entered`; a new belief has the first vector."""
    before = counters[BELIEFS]
    number = entered(start, count, 0, rows.planes, tree, counters)
    if number == before:
        tree.first_branch[number], tree.vector[number] = -1, 0
    return number


def with_places(tree: Any, count: int, size: int) -> Any:
    """Return the tree with a hash table of this size, in which the first beliefs are entered."""
    tree = tree._replace(places=np.full(size, -1, np.int64))
    _enter_all(tree, count)
    return tree


@kernel
def _enter_all(tree: Any, count: int) -> None:
    mask = len(tree.places) - 1
    for number in range(count):
        place = np.int64(tree.hashes[number] >> np.uint64(20)) & mask
        while tree.places[place] >= 0:
            place = (place + 1) & mask
        tree.places[place] = number
