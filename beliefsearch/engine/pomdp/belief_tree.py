"""The belief tree of the kernels for POMDPs, and the other tables that they work on, as named tuples of arrays.

The names of their fields stand for what they have by number: of a belief, a vector and so on. Where a table is full, a
kernel says so, and is called again when its arrays have been made longer. The kernels here work out what may become of
a belief, for each action and percept; equal beliefs get the same number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...solvers.pomdp.arrays import PomdpArrays, with_room
from ...solvers.pomdp.joint import NEVER, RULED_OUT, JointRows
from ..compiled.jit import inner_kernel, kernel

# As in `solvers/pomdp/plain_hsvi.py`.
_SAME = 1e-11
_LOGARITHM_UNIT = 1e-6
_LEAST = 1e-290

# What the counters count, by place.
COUNTERS = 4
BELIEFS, ENTRIES, BRANCHES, VECTORS = range(COUNTERS)

# Why a kernel returns: all is done, or one of the tables is full.
DONE, NO_BELIEFS, NO_ENTRIES, NO_BRANCHES, NO_VECTORS = range(5)


class Rows(NamedTuple):
    """The model: sparse rows of `PomdpArrays`, rewards with `NEVER` where an action does not apply, and the planes."""

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

    By belief: `low` and `high`, its bounds; `vector`, that of the lower one; its entries, `states` and `shares`, from
    `begin` to `end`; `worth`, by plane its mean, and `simple`, the greatest; `hashes`. Its branches stand from
    `first_branch`, -1 if they are not known, to `branch_end` of the last action; by branch: `percepts`, `chances`, and
    the `next` belief. `places` is a hash table of beliefs.
    """

    low: Any
    high: Any
    vector: Any
    begin: Any
    end: Any
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


class Search(NamedTuple):
    """All that a search works on; `dense` is room to work in: by state a zero."""

    rows: Rows
    tree: Tree
    vectors: Vectors
    dense: Any
    counters: Any


_NUMBERS = "vector", "begin", "end", "first_branch", "next"


def new_tree(actions: int) -> Tree:
    """Make an empty tree."""
    arrays: dict[str, Any] = dict.fromkeys(Tree._fields, np.zeros(0))
    arrays.update(dict.fromkeys(_NUMBERS, np.zeros(0, np.int64)))
    arrays.update(dict.fromkeys(("states", "percepts"), np.zeros(0, np.int32)))
    arrays.update(worth=np.zeros((0, actions)), branch_end=np.zeros((0, actions), np.int64))
    arrays.update(hashes=np.zeros(0, np.uint64), places=np.full(64, -1, np.int64))
    return Tree(**arrays)


def new_search(
    arrays: PomdpArrays, joint: JointRows, planes: Any, vectors: Any, actions: Any, successors: Any
) -> Search:
    """Make the tables of a search in which no belief is met yet; `planes` and vectors as in `solvers/pomdp`."""
    counters = np.zeros(COUNTERS, np.int64)
    counters[VECTORS] = len(actions)
    return Search(
        rows=Rows.of(arrays, joint.rewards, np.ascontiguousarray(planes)),
        tree=new_tree(arrays.A),
        vectors=Vectors(vectors.copy(), actions.copy(), successors.copy()),
        dense=np.zeros(arrays.S),
        counters=counters,
    )


class Group(NamedTuple):
    """Arrays that are full together: the table that has them, the counter of their rows, and their names."""

    table: str
    counter: int
    names: tuple[str, ...]


_BY_BELIEF = Tree._fields[: Tree._fields.index("states")]
GROUPS = {
    NO_BELIEFS: Group("tree", BELIEFS, _BY_BELIEF),
    NO_ENTRIES: Group("tree", ENTRIES, ("states", "shares")),
    NO_BRANCHES: Group("tree", BRANCHES, ("percepts", "chances", "next")),
    NO_VECTORS: Group("vectors", VECTORS, Vectors._fields),
}
"""By what may be full: its arrays, which are made longer then."""


def longer(table: Any, full: int, needed: int) -> Any:
    """Make those arrays of a table longer that are `full`, to `needed` rows at least."""
    return table._replace(**{name: with_room(getattr(table, name), needed) for name in GROUPS[full].names})


@inner_kernel
def branch(belief: int, rows: Rows, tree: Tree, dense: Any, percepts: int, counters: Any) -> int:
    """Work out the branches of a belief; returns `DONE` if that is done, or which table is full."""
    actions = rows.rewards.shape[0]
    first = counters[BRANCHES]
    if first + actions * percepts > len(tree.next):
        return NO_BRANCHES
    if counters[BELIEFS] + actions * percepts > len(tree.low):
        return NO_BELIEFS
    for action in range(actions):
        leads_on = tree.worth[belief, action] > RULED_OUT
        if leads_on and not _branch_by(belief, action, rows, tree, dense, percepts, counters):
            counters[BRANCHES] = first
            return NO_ENTRIES
        tree.branch_end[belief, action] = counters[BRANCHES]
    tree.first_branch[belief] = first
    return DONE


@inner_kernel
def _branch_by(belief: int, action: int, rows: Rows, tree: Tree, after: Any, percepts: int, counters: Any) -> bool:
    """Work out the branches of an action; return whether there is room for them."""
    size = len(after)
    support = np.empty(size, np.int64)
    lowest, highest = size, np.int64(-1)
    for entry in range(tree.begin[belief], tree.end[belief]):
        row = action * size + tree.states[entry]
        for place in range(rows.to_pointers[row], rows.to_pointers[row + 1]):
            state = rows.to_states[place]
            lowest, highest = min(lowest, state), max(highest, state)
            after[state] += tree.shares[entry] * rows.to_weights[place]
    found = 0
    for state in range(lowest, highest + 1):
        if after[state] > 0:
            support[found] = state
            found += 1
    counts, totals = np.zeros(percepts, np.int64), np.zeros(percepts)
    starts, filled = np.empty(percepts, np.int64), np.empty(percepts, np.int64)
    for i in range(found):
        row = rows.percept_rows[action * size + support[i]]
        for place in range(rows.percept_pointers[row], rows.percept_pointers[row + 1]):
            if after[support[i]] * rows.percept_weights[place] > 0:
                counts[rows.percept_numbers[place]] += 1
                totals[rows.percept_numbers[place]] += after[support[i]] * rows.percept_weights[place]
    begin = counters[ENTRIES]
    total = 0
    for percept in range(percepts):
        starts[percept] = filled[percept] = begin + total
        total += counts[percept]
    enough = begin + total <= len(tree.states)
    for i in range(found):
        state = support[i]
        row = rows.percept_rows[action * size + state]
        if enough:
            for place in range(rows.percept_pointers[row], rows.percept_pointers[row + 1]):
                weight = after[state] * rows.percept_weights[place]
                if weight > 0:
                    percept = rows.percept_numbers[place]
                    tree.states[filled[percept]] = state
                    tree.shares[filled[percept]] = weight / totals[percept]
                    filled[percept] += 1
        after[state] = 0.0
    if not enough:
        return False
    for percept in range(percepts):
        if counts[percept] and totals[percept] > _LEAST:
            place = counters[BRANCHES]
            tree.percepts[place], tree.chances[place] = percept, totals[percept]
            tree.next[place] = number_of(starts[percept], counts[percept], rows, tree, counters)
            counters[BRANCHES] += 1
    return True


@inner_kernel
def found_at(start: int, count: int, tree: Any, counters: Any) -> tuple[Any, Any, Any]:
    """Return the number of the belief whose entries stand from `start` on, -1 if it is new; its place, its hash.

    Its entries are moved up to where the others end.
    """
    begin = counters[ENTRIES]
    code = np.uint64(14695981039346656037)
    for k in range(count):
        tree.states[begin + k], tree.shares[begin + k] = tree.states[start + k], tree.shares[start + k]
        rounded = np.int64(np.rint(np.log(tree.shares[begin + k]) / _LOGARITHM_UNIT))
        code = (code ^ np.uint64(rounded * 1000003 + tree.states[begin + k])) * np.uint64(1099511628211)
    mask = len(tree.places) - 1
    place = np.int64(code >> np.uint64(20)) & mask
    while tree.places[place] >= 0:
        other = tree.places[place]
        if tree.hashes[other] == code and tree.end[other] - tree.begin[other] == count:
            same = True
            for k in range(count):
                here, there = begin + k, tree.begin[other] + k
                if (
                    tree.states[here] != tree.states[there]
                    or abs(tree.shares[here] - tree.shares[there]) > _SAME * tree.shares[here]
                ):
                    same = False
                    break
            if same:
                return np.int64(other), place, code
        place = (place + 1) & mask
    return np.int64(-1), place, code


@kernel
def number_of(start: int, count: int, rows: Rows, tree: Tree, counters: Any) -> int:
    """Return the number of the belief whose entries stand from `start` on; a new one is kept, its entries moved up."""
    known: int
    known, place, code = found_at(start, count, tree, counters)
    if known >= 0:
        return known
    begin = counters[ENTRIES]
    number: int = counters[BELIEFS]
    counters[BELIEFS] += 1
    tree.places[place], tree.hashes[number] = number, code
    tree.begin[number], tree.end[number] = begin, begin + count
    counters[ENTRIES] += count
    tree.first_branch[number] = -1
    tree.vector[number], tree.low[number] = 0, NEVER
    simple = NEVER
    for plane in range(rows.planes.shape[0]):
        worth = 0.0
        for k in range(begin, begin + count):
            worth += tree.shares[k] * rows.planes[plane, tree.states[k]]
        tree.worth[number, plane] = worth
        simple = max(simple, worth)
    tree.simple[number] = tree.high[number] = simple
    return number


@kernel
def enter_all(tree: Any, count: int) -> None:
    """Enter the first beliefs in a new hash table."""
    mask = len(tree.places) - 1
    for number in range(count):
        place = np.int64(tree.hashes[number] >> np.uint64(20)) & mask
        while tree.places[place] >= 0:
            place = (place + 1) & mask
        tree.places[place] = number
