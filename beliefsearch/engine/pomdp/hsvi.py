"""The trials of `solvers/pomdp/plain_hsvi.py` under compiled kernels; a checkpoint can save them between two."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...running.run import Run
from ...running.store.checkpoint import Checkpoint
from ...solvers.pomdp.arrays import PomdpArrays
from ...solvers.pomdp.joint import NEVER
from ...solvers.pomdp.trials import DEEPER, FIRST_DEPTH, FoundBounds, Trials
from .belief_tree import (
    BACKUPS,
    BELIEFS,
    COUNTERS,
    CUT_OFF,
    DEPTH,
    DOWN,
    GROUPS,
    NO_BELIEFS,
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
    Search,
    Vectors,
    enter_all,
    longer,
    new_tree,
    number_of,
)
from .hsvi_kernels import go_on, load_kernels

# So many elementary steps are taken at a time, some hundredths of a second; in between the limits are heard.
_PIECE = 10_000_000

# Rows for which a table of the lower or upper bound gets room when it is full.
_ROOM = {NO_VECTORS: 64, NO_POINTS: 1024}


class CompiledTrials(Trials):
    """As `TrialSearch`, with kernels; its memory grows with what it has met, as far as the limits allow."""

    def __init__(self, arrays: PomdpArrays, precision: float, run: Run, start_value: float = 0.0) -> None:
        super().__init__(arrays, precision, run, start_value)
        self._arrays = arrays
        planes, first = self._planes, self._first
        rows = Rows(
            np.ascontiguousarray(arrays.to_pointers, np.int64),
            np.ascontiguousarray(arrays.to_states, np.int64),
            np.ascontiguousarray(arrays.to_weights, np.float64),
            np.ascontiguousarray(arrays.percept_pointers, np.int64),
            np.ascontiguousarray(arrays.percept_numbers, np.int64),
            np.ascontiguousarray(arrays.percept_weights, np.float64),
            np.ascontiguousarray(self._joint.rewards),
            np.ascontiguousarray(planes),
            self._joint.discount,
        )
        counters = np.zeros(COUNTERS, np.int64)
        counters[VECTORS] = len(first.actions)
        numbers = np.arange(len(first.actions))
        self._search = Search(
            rows=rows,
            tree=new_tree(arrays.A),
            vectors=Vectors(first.vectors.copy(), first.actions.copy(), first.successors.copy(), numbers),
            points=Points(np.zeros(0, np.int64), np.zeros(0), planes.max(axis=0)),
            dense=np.zeros(arrays.S),
            counters=counters,
            path=np.zeros(FIRST_DEPTH, np.int64),
            targets=np.zeros(FIRST_DEPTH),
        )
        self._make_room(NO_BELIEFS, 1)
        worth = self._search.vectors.values @ self._start_belief
        tree = self._search.tree
        tree.vector[0], tree.low[0] = worth.argmax(), worth.max()
        tree.high[0] = max(float((planes @ self._start_belief).max()), NEVER)
        tree.point[0] = np.inf
        if run.checkpoint is not None and run.checkpoint.kept:
            self._go_on(run.checkpoint)

    def _start_bounds(self) -> tuple[float, float]:
        return float(self._search.tree.low[0]), float(self._search.tree.high[0])

    def _counts(self) -> list[int]:
        return [int(self._search.counters[what]) for what in (BACKUPS, VECTORS, POINTS, BELIEFS)]

    def run(self, most_backups: int | None = None) -> None:
        load_kernels(self._search, self._budget.tick)
        if not self.belief_count:
            self._enter_start()
        super().run(most_backups)

    def found(self) -> FoundBounds:
        """Return the bounds and the policy found so far."""
        tree, vectors, points = self._search.tree, self._search.vectors, self._search.points
        logged = np.flatnonzero(np.isfinite(tree.point[: self.belief_count]))
        found = []
        for number in logged.tolist():
            entries = slice(tree.begin[number], tree.end[number])
            states = tree.states[entries].astype(np.int64)
            found.append((states, tree.shares[entries].copy(), float(tree.point[number])))
        known = vectors.values, vectors.actions, vectors.successors, vectors.instead
        return self._found(int(tree.vector[0]), known, found, points.corners)

    def _save(self, checkpoint: Checkpoint) -> None:
        """Save everything, between two trials."""
        search = self._search
        arrays = {"counters": search.counters, "point-corners": search.points.corners}
        for group in GROUPS.values():
            table, filled = getattr(search, group.table), search.counters[group.counter]
            arrays.update({_file(group.table, name): getattr(table, name)[:filled] for name in group.names})
        state = {"model": self._arrays.digest, "trials": self.trials, "depth": self._depth}
        checkpoint.save(state, arrays)

    def _go_on(self, checkpoint: Checkpoint) -> None:
        """Take up what was saved."""
        state = checkpoint.kept or {}
        checkpoint.demand(state.get("model") == self._arrays.digest)
        with checkpoint.sound():
            self.trials, self._depth = state["trials"], state["depth"]
            tables: dict[str, Any] = {name: getattr(self._search, name) for name in ("tree", "vectors", "points")}
            for group in GROUPS.values():
                saved = {name: checkpoint.array(_file(group.table, name)) for name in group.names}
                tables[group.table] = tables[group.table]._replace(**saved)
            tables["points"] = tables["points"]._replace(corners=checkpoint.array("point-corners"))
            self._search = self._search._replace(counters=checkpoint.array("counters"), **tables)
        self._make_path()
        self._make_places()

    def _make_path(self) -> None:
        """Make room for a path as deep as a trial may go."""
        depth = int(self._depth)
        self._search = self._search._replace(path=np.zeros(depth, np.int64), targets=np.zeros(depth))

    def _make_places(self) -> None:
        """Make a hash table that the beliefs there is room for fill at most half."""
        tree = self._search.tree
        tree = tree._replace(places=np.full(1 << (2 * len(tree.low)).bit_length(), -1, np.int64))
        enter_all(tree, self.belief_count)
        self._search = self._search._replace(tree=tree)

    def _enter_start(self) -> None:
        """Enter the start, of which only the bounds are known so far."""
        states = np.flatnonzero(self._start_belief)
        self._make_room(NO_ENTRIES, len(states))
        tree, counters = self._search.tree, self._search.counters
        tree.states[: len(states)] = states
        tree.shares[: len(states)] = self._start_belief[states]
        low, vector = tree.low[0], tree.vector[0]
        number_of(0, len(states), self._search.rows, tree, counters)
        tree.low[0], tree.vector[0] = low, vector
        tree.vectors_seen[0] = counters[VECTORS]

    def _trial(self, target: float, gain: float) -> None:
        """Make one trial, in pieces."""
        arrays, counters = self._arrays, self._search.counters
        counters[DEPTH], counters[DOWN] = 0, 1
        self._search.path[0], self._search.targets[0] = 0, target
        cut_off = counters[CUT_OFF]
        why = USED_UP
        while why != OVER:
            self._budget.tick()
            why = go_on(self._search, gain, int(counters[WORK]) + _PIECE)
            if why in GROUPS:
                more = _ROOM.get(why, arrays.A * arrays.S * arrays.O)
                self._make_room(why, int(counters[GROUPS[why].counter]) + more)
        if counters[CUT_OFF] > cut_off:
            self._depth *= DEEPER
            self._make_path()

    def _make_room(self, full: int, needed: int) -> None:
        """Make a full table longer; raises `LimitReached` if the memory limit does not allow it."""
        group = GROUPS[full]
        table = getattr(self._search, group.table)
        self._budget.require_room(
            2 * sum(getattr(table, name).nbytes for name in group.names), "what the search has met"
        )
        self._search = self._search._replace(**{group.table: longer(table, full, needed)})
        del table  # frees the old arrays
        if len(self._search.tree.places) < 2 * len(self._search.tree.low):
            self._make_places()


def _file(table: str, name: str) -> str:
    """Return the name of a table's array in a checkpoint."""
    return f"{table.removesuffix('s')}-{name.replace('_', '-')}"
