"""The trials of `solvers/pomdp/plain_hsvi.py` under compiled kernels.

What a checkpoint keeps of the trials under compiled kernels: the tables, as far as they are filled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...running.limits import Budget
from ...running.observer import Observer
from ...running.store.checkpoint import Checkpoint
from ...solvers.pomdp.blind_policies import first_policies, policy_graph_from
from ...solvers.pomdp.fast_informed_bound import fast_informed_bound
from ...solvers.pomdp.joint import NEVER, JointRows
from ...solvers.pomdp.trials import DEEPER, FIRST_DEPTH, Aim, FoundBounds, is_narrow
from .belief_tree import enter_all, number_of
from .hsvi_kernels import go_on, load_kernels
from .tables import (
    BACKUPS,
    BELIEFS,
    BRANCHES,
    COUNTERS,
    CUT_OFF,
    DEPTH,
    DOWN,
    ENTRIES,
    GROUPS,
    NO_BELIEFS,
    NO_BRANCHES,
    NO_ENTRIES,
    NO_POINTS,
    NO_VECTORS,
    OVER,
    POINTS,
    USED_UP,
    VECTORS,
    WORK,
    Points,
    Rows,
    Tree,
    Vectors,
    bytes_of,
    longer,
    new_scratch,
    new_tree,
)

if TYPE_CHECKING:
    from ...solvers.pomdp.arrays import PomdpArrays

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


# So many elementary steps are taken at a time, some hundredths of a second; in between the limits are heard.
_PIECE = 10_000_000

# No trial goes deeper.
_DEEPEST = 1e9


class CompiledTrials:
    """As `TrialSearch`, with kernels; its memory grows with what it has met, as far as the limits allow."""

    def __init__(
        self,
        arrays: PomdpArrays,
        precision: float,
        budget: Budget,
        start_value: float = 0.0,
        observer: Observer | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self._arrays = arrays
        self._checkpoint = checkpoint
        self._joint = joint = JointRows.of(arrays)
        self._precision = precision
        self._aim = Aim(precision)
        self._budget = budget
        self._start_value = start_value
        self._observer = observer or Observer()
        planes = fast_informed_bound(arrays, joint, budget.tick)
        first = first_policies(arrays, joint, budget.tick)
        self._rows = Rows(
            np.ascontiguousarray(arrays.to_pointers, np.int64),
            np.ascontiguousarray(arrays.to_states, np.int64),
            np.ascontiguousarray(arrays.to_weights, np.float64),
            np.ascontiguousarray(arrays.percept_pointers, np.int64),
            np.ascontiguousarray(arrays.percept_numbers, np.int64),
            np.ascontiguousarray(arrays.percept_weights, np.float64),
            np.ascontiguousarray(joint.rewards),
            np.ascontiguousarray(planes),
            joint.discount,
        )
        self._counters = np.zeros(COUNTERS, np.int64)
        self._counters[VECTORS] = len(first.actions)
        numbers = np.arange(len(first.actions))
        self._vectors = Vectors(first.vectors.copy(), first.actions.copy(), first.successors.copy(), numbers)
        self._points = Points(np.zeros(0, np.int64), np.zeros(0), planes.max(axis=0))
        self._scratch = new_scratch(arrays.S, arrays.A, arrays.O)
        self._tree = new_tree(arrays.A)
        self._depth = float(FIRST_DEPTH)
        self._path = np.zeros(FIRST_DEPTH, np.int64)
        self._targets = np.zeros(FIRST_DEPTH)
        self.trials = 0
        self._share = float(arrays.start.sum())
        self._start = arrays.start / self._share
        self._make_room(NO_BELIEFS, 1)
        worth = self._vectors.values @ self._start
        self._tree.vector[0], self._tree.low[0] = worth.argmax(), worth.max()
        self._tree.high[0] = max(float((planes @ self._start).max()), NEVER)
        self._tree.point[0] = np.inf
        if checkpoint is not None and checkpoint.kept:
            self._go_on(checkpoint)

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds on the value of the start, with what is won before the first action."""
        return (
            self._share * float(self._tree.low[0]) + self._start_value,
            self._share * float(self._tree.high[0]) + self._start_value,
        )

    @property
    def belief_count(self) -> int:
        """Count the beliefs that were met."""
        return int(self._counters[BELIEFS])

    @property
    def backups(self) -> int:
        """Count the beliefs that were backed up."""
        return int(self._counters[BACKUPS])

    def run(self) -> None:
        """Search until the bounds are as narrow as they should be."""
        if self.belief_count:
            self._load_kernels()
        else:
            self._enter_start()
        checkpoint = self._checkpoint
        while not is_narrow(*self.bounds, self._precision):
            self._budget.check_expanded(self.backups)
            self._trial()
            self.trials += 1
            found = self._counters[[VECTORS, POINTS, BELIEFS]].tolist()
            self._aim.after((self.bounds, found), self._depth)
            self._observer.narrowed(*self.bounds, self.belief_count)
            if checkpoint is not None and checkpoint.due():
                self._save(checkpoint)
        if checkpoint is not None:
            self._save(checkpoint)

    def found(self) -> FoundBounds:
        """Return the bounds and the policy found so far."""
        tree, vectors, points = self._tree, self._vectors, self._points
        graph = policy_graph_from(
            int(tree.vector[0]), self._joint, vectors.values, vectors.actions, vectors.successors, vectors.instead
        )
        logged = np.flatnonzero(np.isfinite(tree.point[: self.belief_count]))
        found = []
        for number in logged.tolist():
            entries = slice(tree.begin[number], tree.end[number])
            states = tree.states[entries].astype(np.int64)
            found.append((states, tree.shares[entries].copy(), float(tree.point[number])))
        low, high = self._share * float(graph[0][0] @ self._start), self._share * float(tree.high[0])
        return FoundBounds.of(graph, self._rows.planes, found, points.corners.copy(), low, high)

    def _load_kernels(self) -> None:
        load_kernels(
            self._rows,
            self._tree,
            self._vectors,
            self._points,
            self._scratch,
            self._counters,
            self._path,
            self._targets,
            self._budget.tick,
        )

    def _save(self, checkpoint: Checkpoint) -> None:
        """Keep everything, between two trials."""
        state = {"model": self._arrays.digest, "trials": self.trials, "depth": self._depth}
        checkpoint.save(state, tables_to_keep(self._tree, self._vectors, self._points, self._counters))

    def _go_on(self, checkpoint: Checkpoint) -> None:
        """Take up what was kept."""
        depth = (checkpoint.kept or {}).get("depth")
        if (checkpoint.kept or {}).get("model") != self._arrays.digest or not isinstance(depth, float):
            raise checkpoint.damaged()
        checkpoint.demand(FIRST_DEPTH <= depth < _DEEPEST)
        self._tree, self._vectors, self._points, self._counters = kept_tables(
            checkpoint, self._tree, self._vectors, self._points, self._rows
        )
        self._depth = depth
        self._path, self._targets = np.zeros(int(depth), np.int64), np.zeros(int(depth))
        self.trials = checkpoint.number("trials")

    def _enter_start(self) -> None:
        """Load the kernels, and enter the start, of which only the bounds are known so far."""
        self._load_kernels()
        states = np.flatnonzero(self._start)
        self._make_room(NO_ENTRIES, len(states))
        self._tree.states[: len(states)] = states
        self._tree.shares[: len(states)] = self._start[states]
        low, vector = self._tree.low[0], self._tree.vector[0]
        number_of(0, len(states), self._rows, self._tree, self._counters)
        self._tree.low[0], self._tree.vector[0] = low, vector
        self._tree.vectors_seen[0] = self._counters[VECTORS]

    def _trial(self) -> None:
        """One trial, in pieces."""
        target, gain = (number / self._share for number in self._aim.next(*self.bounds))
        counters = self._counters
        counters[DEPTH], counters[DOWN] = 0, 1
        self._path[0], self._targets[0] = 0, target
        cut_off = counters[CUT_OFF]
        while True:
            self._budget.tick()
            why = go_on(
                self._rows,
                self._tree,
                self._vectors,
                self._points,
                self._scratch,
                counters,
                self._path,
                self._targets,
                len(self._path),
                gain,
                int(counters[WORK]) + _PIECE,
            )
            if why == OVER:
                break
            if why != USED_UP:
                self._make_room(why, int(counters[COUNTED[why]]) + self._rows.planes.size * len(self._scratch.counts))
        if counters[CUT_OFF] > cut_off:
            self._depth *= DEEPER
            self._path, self._targets = np.zeros(int(self._depth), np.int64), np.zeros(int(self._depth))

    def _make_room(self, full: int, needed: int) -> None:
        """Make a full table longer; raises `LimitReached` if the memory limit does not allow it."""
        if full == NO_VECTORS:
            self._reserve(self._vectors, full)
            self._vectors = longer(self._vectors, full, int(self._counters[VECTORS]) + 64)
        elif full == NO_POINTS:
            self._reserve(self._points, full)
            self._points = longer(self._points, full, int(self._counters[POINTS]) + 1024)
        else:
            self._reserve(self._tree, full)
            self._tree = longer(self._tree, full, needed)
        if full == NO_BELIEFS and len(self._tree.places) < 2 * len(self._tree.low):
            size = 1 << (2 * len(self._tree.low)).bit_length()
            self._tree = self._tree._replace(places=np.full(size, -1, np.int64))
            enter_all(self._tree, self.belief_count)

    def _reserve(self, table: Any, full: int) -> None:
        self._budget.require_room(2 * bytes_of(table, full), "what the search has met")
