"""The trials of `solvers/pomdp/plain_hsvi.py` under compiled kernels; a checkpoint can save them between two."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...running.run import Run
from ...running.store.checkpoint import Checkpoint
from ...solvers.pomdp.arrays import PomdpArrays
from ...solvers.pomdp.joint import NEVER
from ...solvers.pomdp.trials import DEEPER, FIRST_DEPTH, FoundBounds, Trials
from . import belief_tree as tables
from .hsvi_kernels import go_on, load_kernels
from .search_tables import SearchTables

# So many elementary steps are taken at a time, some hundredths of a second; in between the limits are heard.
_PIECE = 10_000_000

# Rows for which a table of the lower or upper bound gets room when it is full.
_ROOM = {tables.NO_VECTORS: 64, tables.NO_POINTS: 1024}


class CompiledTrials(SearchTables, Trials):
    """As `TrialSearch`, with kernels; its memory grows with what it has met, as far as the limits allow."""

    def __init__(self, arrays: PomdpArrays, precision: float, run: Run, start_value: float = 0.0) -> None:
        super().__init__(arrays, precision, run, start_value)
        self._arrays = arrays
        first = self._first
        self._search = tables.new_search(
            arrays, self._joint, self.planes, first.vectors, first.actions, first.successors
        )
        self._search = self._search._replace(path=np.zeros(FIRST_DEPTH, np.int64), targets=np.zeros(FIRST_DEPTH))
        self._make_room(tables.NO_BELIEFS, 1)
        worth = self._search.vectors.values @ self._start_belief
        tree = self._search.tree
        tree.vector[0], tree.low[0] = worth.argmax(), worth.max()
        tree.high[0] = max(float((self.planes @ self._start_belief).max()), NEVER)
        tree.point[0] = np.inf
        if run.checkpoint is not None and run.checkpoint.kept:
            self._go_on(run.checkpoint)

    def _start_bounds(self) -> tuple[float, float]:
        return float(self._search.tree.low[0]), float(self._search.tree.high[0])

    def counts(self) -> list[int]:
        counted = tables.BACKUPS, tables.VECTORS, tables.POINTS, tables.BELIEFS
        return [int(self._search.counters[what]) for what in counted]

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
        for group in tables.GROUPS.values():
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
            found: dict[str, Any] = {name: getattr(self._search, name) for name in ("tree", "vectors", "points")}
            for group in tables.GROUPS.values():
                saved = {name: checkpoint.array(_file(group.table, name)) for name in group.names}
                found[group.table] = found[group.table]._replace(**saved)
            found["points"] = found["points"]._replace(corners=checkpoint.array("point-corners"))
            self._search = self._search._replace(counters=checkpoint.array("counters"), **found)
        self._make_path()
        self._make_places()

    def _make_path(self) -> None:
        """Make room for a path as deep as a trial may go."""
        depth = int(self._depth)
        self._search = self._search._replace(path=np.zeros(depth, np.int64), targets=np.zeros(depth))

    def _trial(self, target: float, gain: float) -> None:
        """Make one trial, in pieces."""
        arrays, counters = self._arrays, self._search.counters
        counters[tables.DEPTH], counters[tables.DOWN] = 0, 1
        self._search.path[0], self._search.targets[0] = 0, target
        cut_off = counters[tables.CUT_OFF]
        why = tables.USED_UP
        while why != tables.OVER:
            self._budget.tick()
            why = go_on(self._search, gain, int(counters[tables.WORK]) + _PIECE)
            if why in tables.GROUPS:
                more = _ROOM.get(why, arrays.A * arrays.S * arrays.O)
                self._make_room(why, int(counters[tables.GROUPS[why].counter]) + more)
        if counters[tables.CUT_OFF] > cut_off:
            self._depth *= DEEPER
            self._make_path()


def _file(table: str, name: str) -> str:
    """Return the name of a table's array in a checkpoint."""
    return f"{table.removesuffix('s')}-{name.replace('_', '-')}"
