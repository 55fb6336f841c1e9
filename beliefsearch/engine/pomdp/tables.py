"""The tables that the kernels for POMDPs work on, as named tuples of arrays.

The names of their fields stand for what they have by number: of a belief, a vector and so on. Where a table is full, a
kernel says so, and is called again when its arrays have been made longer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...solvers.pomdp.arrays import with_room

# What the counters count, by place; and where a search stands: at what depth of its path, and whether it goes down.
BELIEFS, ENTRIES, BRANCHES, VECTORS, POINTS, WORK, BACKUPS, CUT_OFF, DEPTH, DOWN = range(10)
COUNTERS = 10

# Why a kernel returns: its work is used up, a trial is over, or one of the tables is full.
USED_UP, OVER, NO_BELIEFS, NO_ENTRIES, NO_BRANCHES, NO_VECTORS, NO_POINTS = range(7)


class Rows(NamedTuple):
    """The model: sparse rows of `PomdpArrays`, rewards with `NEVER` where an action does not apply, and the planes."""

    to_pointers: Any
    to_states: Any
    to_weights: Any
    percept_pointers: Any
    percept_numbers: Any
    percept_weights: Any
    rewards: Any
    planes: Any
    discount: float


class Tree(NamedTuple):
    """Beliefs, and what may become of them.

    By belief: `low` and `high`, its bounds; `vector`, that of the lower one; how many vectors and points it was
    compared with; its entries, `states` and `shares`, from `begin` to `end`; `worth`, by plane its mean, and `simple`,
    the greatest; `point`, the value it was logged with, or infinity; `hashes`. Its branches stand from `first_branch`,
    -1 if they are not known, to `branch_end` of the last action; by branch: `percepts`, `chances`, and the `next`
    belief. `places` is a hash table of beliefs.
    """

    low: Any
    high: Any
    vector: Any
    vectors_seen: Any
    points_seen: Any
    begin: Any
    end: Any
    worth: Any
    simple: Any
    point: Any
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
    instead: Any


class Points(NamedTuple):
    """The log of points: the beliefs they are `of`, and their `values`; `corners` by state."""

    of: Any
    values: Any
    corners: Any


class Scratch(NamedTuple):
    """Room to work in; by state zeros, by percept and action anything."""

    after: Any
    dense: Any
    following: Any
    support: Any
    counts: Any
    totals: Any
    starts: Any
    filled: Any
    high: Any
    fresh: Any


class Search(NamedTuple):
    """All that a trial works on: the tables, and by depth its path of beliefs and the gaps that are narrow enough."""

    rows: Rows
    tree: Tree
    vectors: Vectors
    points: Points
    scratch: Scratch
    counters: Any
    path: Any
    targets: Any


def new_tree(actions: int) -> Tree:
    """Make an empty tree."""
    whole, real = np.zeros(0, np.int64), np.zeros(0)
    return Tree(
        low=real,
        high=real,
        vector=whole,
        vectors_seen=whole,
        points_seen=whole,
        begin=whole,
        end=whole,
        worth=np.zeros((0, actions)),
        simple=real,
        point=real,
        hashes=np.zeros(0, np.uint64),
        first_branch=whole,
        branch_end=np.zeros((0, actions), np.int64),
        states=np.zeros(0, np.int32),
        shares=real,
        percepts=np.zeros(0, np.int32),
        chances=real,
        next=whole,
        places=np.full(64, -1, np.int64),
    )


def new_scratch(states: int, actions: int, percepts: int) -> Scratch:
    """Make room to work in for a model of this size."""
    return Scratch(
        after=np.zeros(states),
        dense=np.zeros(states),
        following=np.zeros(states),
        support=np.zeros(states, np.int64),
        counts=np.zeros(percepts, np.int64),
        totals=np.zeros(percepts),
        starts=np.zeros(percepts, np.int64),
        filled=np.zeros(percepts, np.int64),
        high=np.zeros(actions),
        fresh=np.zeros(actions, np.bool_),
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
    NO_POINTS: Group("points", POINTS, ("of", "values")),
}
"""By what may be full: its arrays, which are made longer then."""


def longer(table: Any, full: int, needed: int) -> Any:
    """Make those arrays of a table longer that are `full`, to `needed` rows at least."""
    return table._replace(**{name: with_room(getattr(table, name), needed) for name in GROUPS[full].names})
