"""The tables that the kernels of the trials work on, as named tuples of arrays.

The names of their fields stand for what they have by number: of a belief, a vector and so on. There is a lot of room
from the beginning, which the system gives as it is written to; so hardly any table is ever copied to a longer one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...running.limits import Budget, resident_memory
from ...solvers.pomdp.arrays import NEVER as DOES_NOT_APPLY
from ...solvers.pomdp.arrays import PomdpArrays
from ...solvers.pomdp.blocks import Blocks
from ...solvers.pomdp.joint import NEVER
from . import belief_tree
from .belief_tree import Group

# What the counters count, by place: those of a belief tree, and more of them; and where a trial stands: its `DEPTH`,
# and whether it goes `DOWN`, and by lot. `SEED` is of the lots.
COUNTERS = 15
BELIEFS, ENTRIES, BRANCHES, VECTORS, POINTS, WORK, NAMES = range(belief_tree.COUNTERS)
BACKUPS, CUT_OFF, DEPTH, DOWN, NODES, VALUES, BY_LOT, SEED = range(belief_tree.COUNTERS, COUNTERS)

# Why a kernel returns: its work is used up, a trial is over, or one of the tables is full.
USED_UP, OVER, NO_BELIEFS, NO_ENTRIES, NO_NAMES, NO_NODES = range(6)
NO_BRANCHES, NO_VECTORS, NO_VALUES, NO_POINTS, NO_PLACES = range(6, 11)

# All tables have room for this share of the memory at first, or for so many times what the model takes, or as much of
# that as the system gives.
_SHARE, _TIMES = 0.4, 2000
_LEAST_ROOM = 2**22
# The memory of a machine that does not say.
_LIMIT = 2**32


class Rows(NamedTuple):
    """The model: rows of `PomdpArrays`; `bounds` of the blocks, and the `block` of a state; `rewards` and `planes`.

    The last two are by state and action; rewards are `NEVER` where an action does not apply. `has_to_end` is whether
    only policies count that end the game, without a discount.
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
    bounds: Any
    block: Any
    discount: float
    has_to_end: bool


class Beliefs(NamedTuple):
    """Beliefs: `low` and `high`, their bounds; `vector`, that of the lower one; the last vector and point seen, or -1.

    Then their entries, `shares` from `begin` to `end`, and their `states`, which stand by `shift` behind them, and may
    be another belief's, too; `worth`, by plane its mean, and `simple`, the greatest; `point`, the value it was logged
    with, or infinity; the `witness` of its upper bound: a belief that was logged, `BY_PLANES` or `BY_CORNERS`; the
    `node` of what was gone on from, or -1; `hashes`, by which `places` finds beliefs.
    """

    low: Any
    high: Any
    vector: Any
    vectors_seen: Any
    points_seen: Any
    begin: Any
    end: Any
    shift: Any
    worth: Any
    simple: Any
    point: Any
    witness: Any
    node: Any
    hashes: Any
    states: Any
    shares: Any
    places: Any


class Nodes(NamedTuple):
    """Beliefs that were gone on from, by `owner`.

    By action: its upper bound, `high`, what it earns at once, `paid`, and its branches, from `first`, -1 if they are
    not known, to `end`. By branch: `percepts`, `chances`, and the `next` belief.
    """

    owner: Any
    high: Any
    paid: Any
    first: Any
    end: Any
    percepts: Any
    chances: Any
    next: Any


class Vectors(NamedTuple):
    """The lower bound: vectors, each the value of a policy by state of a `block`, in `values` from `begin` on.

    `successors` is the vector that follows by percept, -1 where it cannot come; `instead` one that is nowhere below, or
    itself; `later` the next of the block, or -1; `total` the sum of the values. By block `of` has its first, its last,
    and the vector of the greatest total.
    """

    begin: Any
    actions: Any
    block: Any
    later: Any
    instead: Any
    total: Any
    successors: Any
    values: Any
    of: Any


class Points(NamedTuple):
    """The log of points: the beliefs they are `of`, their `values`, and the next of the block, `later`, or -1.

    By block `ends` has the first and the last; `corners` are by state.
    """

    of: Any
    values: Any
    later: Any
    ends: Any
    corners: Any


class Search(NamedTuple):
    """All that a trial works on, with its path of beliefs by depth, and the gaps that are narrow enough there."""

    rows: Rows
    beliefs: Beliefs
    nodes: Nodes
    vectors: Vectors
    points: Points
    work: belief_tree.Work
    counters: Any
    path: Any
    targets: Any


_OF_BELIEFS = {
    **dict.fromkeys(("low", "high", "simple", "point"), "f8"),
    **dict.fromkeys(("vector", "vectors_seen", "points_seen", "witness", "node"), "i4"),
    **dict.fromkeys(("begin", "end", "shift"), "i8"),
    "hashes": "u8",
    "worth": "f8 by action",
}
_OF_NODES = {
    "owner": "i4",
    **dict.fromkeys(("high", "paid"), "f8 by action"),
    **dict.fromkeys(("first", "end"), "i8 by action"),
}
_OF_VECTORS = {
    **dict.fromkeys(("actions", "block", "later", "instead"), "i4"),
    "begin": "i8",
    "total": "f8",
    "successors": "i4 by percept",
}
GROUPS = {
    NO_BELIEFS: Group("beliefs", BELIEFS, 0.16, _OF_BELIEFS),
    NO_ENTRIES: Group("beliefs", ENTRIES, 0.28, {"shares": "f8"}),
    NO_NAMES: Group("beliefs", NAMES, 0.14, {"states": "i4"}),
    NO_NODES: Group("nodes", NODES, 0.08, _OF_NODES),
    NO_BRANCHES: Group("nodes", BRANCHES, 0.04, {"percepts": "i4", "chances": "f8", "next": "i4"}),
    NO_VECTORS: Group("vectors", VECTORS, 0.06, _OF_VECTORS),
    NO_VALUES: Group("vectors", VALUES, 0.22, {"values": "f8"}),
    NO_POINTS: Group("points", POINTS, 0.02, {"of": "i4", "values": "f8", "later": "i4"}),
}
"""By what may be full: its arrays, which are made longer then."""


def new_search(arrays: PomdpArrays, blocks: Blocks, planes: Any, budget: Budget) -> Search:
    """Make the tables of a search in which nothing is known yet, in the numbers of these blocks; planes by action."""
    wanted = _LEAST_ROOM + _TIMES * (arrays.rewards.nbytes + arrays.to_weights.nbytes)
    found = _empty({"action": arrays.A, "percept": arrays.O}, wanted, budget)
    sparse = (getattr(arrays, name) for name in Rows._fields[:7])
    planes = np.ascontiguousarray(planes.T)
    rewards = np.ascontiguousarray(np.where(arrays.rewards > DOES_NOT_APPLY, arrays.rewards, NEVER).T)
    none = np.full((len(blocks.bounds) - 1, 3), -1, np.int32)
    lasts = float(arrays.discount), bool(arrays.discount == 1 and not arrays.improper)
    return Search(
        rows=Rows._make((*sparse, rewards, planes, blocks.bounds, blocks.of.astype(np.int32), *lasts)),
        beliefs=Beliefs(**found["beliefs"], places=np.full(1 << 10, -1, np.int64)),
        nodes=Nodes(**found["nodes"]),
        vectors=Vectors(**found["vectors"], of=none),
        points=Points(**found["points"], ends=none[:, :2].copy(), corners=planes.max(axis=1)),
        work=belief_tree.Work.of(arrays),
        counters=np.zeros(COUNTERS, np.int64),
        path=np.zeros(1, np.int64),
        targets=np.zeros(1),
    )


def _empty(widths: Mapping[str, int], wanted: int, budget: Budget) -> dict[str, dict[str, Any]]:
    """Return by table its arrays, all zeros."""
    limit = budget.most_memory()
    room = min(wanted, int(_SHARE * max(0, (limit or _LIMIT) - resident_memory())))
    while True:
        found: dict[str, dict[str, Any]] = {}
        try:
            for group in GROUPS.values():
                row = sum(array.nbytes for array in group.zeros(1, widths).values())
                arrays = group.zeros(int(group.share * room) // row + 1, widths)
                found.setdefault(group.table, {}).update(arrays)
        except MemoryError:
            if room < _LEAST_ROOM:
                raise
            room //= 2
        else:
            return found


def longer(search: Search, full: int, budget: Budget) -> Search:
    """The same with a longer table in place of one that is full; raises `LimitReached` if there is no memory for it."""
    if full != NO_PLACES:
        group = GROUPS[full]
        rows = len(getattr(getattr(search, group.table), next(iter(group.fields))))
        longer: Search = group.longer(search, rows + 1, budget)
        return longer
    size = 4 * len(search.beliefs.places)
    while size < 2 * int(search.counters[BELIEFS]):  # of a store: a place is looked for until one is free
        size *= 4
    budget.require_room(4 * int(search.beliefs.places.nbytes), "what the search has met")
    return search._replace(beliefs=belief_tree.with_places(search.beliefs, int(search.counters[BELIEFS]), size))
