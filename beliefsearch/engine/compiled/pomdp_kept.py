"""What a checkpoint keeps of the trials under compiled kernels: the tables, as far as they are filled."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...running.checkpoint import Checkpoint
from .pomdp_branches import enter_all
from .pomdp_tables import (
    BELIEFS,
    BRANCHES,
    COUNTERS,
    ENTRIES,
    GROUPS,
    NO_BELIEFS,
    NO_BRANCHES,
    NO_ENTRIES,
    NO_POINTS,
    NO_VECTORS,
    POINTS,
    VECTORS,
    Points,
    Rows,
    Tree,
    Vectors,
)

COUNTED = {
    NO_BELIEFS: BELIEFS,
    NO_ENTRIES: ENTRIES,
    NO_BRANCHES: BRANCHES,
    NO_VECTORS: VECTORS,
    NO_POINTS: POINTS,
}
"""By what may be full: the counter of what is in it."""


def tables_to_keep(tree: Tree, vectors: Vectors, points: Points, counters: Any) -> dict[str, Any]:
    """The arrays that a checkpoint keeps."""
    found = {"counters": counters, "point-corners": points.corners}
    for full, names in GROUPS.items():
        table, word = _table_of(full, tree, vectors, points)
        for name in names:
            found[_file(word, name)] = getattr(table, name)[: counters[COUNTED[full]]]
    return found


def kept_tables(
    checkpoint: Checkpoint, tree: Tree, vectors: Vectors, points: Points, rows: Rows
) -> tuple[Tree, Vectors, Points, Any]:
    """The tables that were kept, and the counters, given tables as they are at the beginning.

    Raises `StoreError` if they are damaged: if a number in them leads out of a table.
    """
    demand = checkpoint.demand
    counters = checkpoint.array("counters", like=np.zeros(0, np.int64))
    demand(len(counters) == COUNTERS and (counters >= -1).all())
    demand(counters[BELIEFS] >= 1 and counters[VECTORS] >= 1)
    made: list[Any] = []
    for part in (tree, vectors, points):
        fields = {}
        for full, names in GROUPS.items():
            table, word = _table_of(full, tree, vectors, points)
            if table is not part:
                continue
            for name in names:
                array = np.ascontiguousarray(checkpoint.array(_file(word, name), like=getattr(table, name)))
                demand(len(array) == counters[COUNTED[full]] >= 0)
                demand(array.dtype.kind != "f" or not np.isnan(array).any())
                fields[name] = array
        made.append(part._replace(**fields))
    tree, vectors, points = made
    corners = checkpoint.array("point-corners", like=points.corners)
    demand(len(corners) == len(points.corners) and not np.isnan(corners).any())
    _check(checkpoint, tree, vectors, points, counters, rows)
    places = np.full(1 << (2 * len(tree.low)).bit_length(), -1, np.int64)
    tree = tree._replace(places=places)
    enter_all(tree, len(tree.low))
    return tree, vectors, points._replace(corners=corners), counters


def _check(checkpoint: Checkpoint, tree: Tree, vectors: Vectors, points: Points, counters: Any, rows: Rows) -> None:
    """Check that all numbers in the tables are numbers of something that is there."""
    actions, states = rows.rewards.shape
    beliefs, entries, branches = (int(counters[place]) for place in (BELIEFS, ENTRIES, BRANCHES))
    percepts = vectors.successors.shape[1]
    known = tree.first_branch >= 0
    ends = tree.branch_end[known]
    # By array: the least and the greatest number that there may be in it.
    ranges: tuple[tuple[Any, int, int], ...] = (
        (tree.vector, 0, len(vectors.actions) - 1),
        (tree.vectors_seen, 0, len(vectors.actions)),
        (tree.points_seen, 0, len(points.of)),
        (tree.begin, 0, entries),
        (tree.end, 0, entries),
        (tree.end - tree.begin, 1, states),
        (tree.states, 0, states - 1),
        (tree.first_branch, -1, branches),
        (ends, 0, branches),
        (np.diff(ends, axis=1, prepend=tree.first_branch[known, None]), 0, branches),
        (tree.percepts, 0, percepts - 1),
        (tree.next, 0, beliefs - 1),
        (vectors.actions, 0, actions - 1),
        (vectors.successors, 0, len(vectors.actions) - 1),
        (vectors.instead, 0, len(vectors.actions) - 1),
        (points.of, 0, beliefs - 1),
    )
    for array, least, most in ranges:
        checkpoint.demand(not array.size or (int(array.min()) >= least and int(array.max()) <= most))


def _table_of(full: int, tree: Tree, vectors: Vectors, points: Points) -> tuple[Any, str]:
    """The table that may be full, and what its arrays are called in a checkpoint."""
    if full == NO_VECTORS:
        return vectors, "vector"
    return (points, "point") if full == NO_POINTS else (tree, "tree")


def _file(table: str, name: str) -> str:
    return f"{table}-{name.replace('_', '-')}"
