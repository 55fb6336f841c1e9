"""The trials of `solvers/pomdp/plain_hsvi.py` under compiled kernels; a checkpoint can save them between two.

What is known of beliefs, vectors and points is kept by block of states that are told apart by what is seen. There are
trials of three kinds, which take turns by what they are good for; see `turns.py`.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...model.belief import no_tick
from ...running.run import Run
from ...running.store.checkpoint import Checkpoint
from ...solvers.pomdp.arrays import PomdpArrays
from ...solvers.pomdp.blind_policies import policy_graph_from
from ...solvers.pomdp.joint import NEVER, RULED_OUT
from ...solvers.pomdp.trials import BY_CORNERS, BY_PLANES, DEEPER, FIRST_DEPTH, FoundBounds, Trials, Witnesses
from . import trial_kernels as kernels
from . import trial_tables as tables
from .first_bounds import are_large, swept_bounds
from .seen_blocks import seen_blocks
from .trial_beliefs import compare, number_of
from .turns import BY_LOT, SHARES_OF_GAP, Turns

if TYPE_CHECKING:
    from ...solvers.pomdp.arrays import Integers

# The version of what a store holds, and which arrays of beliefs earlier ones lack; those before 4 lack turns, too.
_VERSION, _LACKING = 5, {5: (), 4: ("shift",), 3: ("shift",), 2: ("shift", "witness")}
# So many elementary steps are taken at a time, some hundredths of a second; in between the limits are heard.
_PIECE = 10_000_000
# If a policy is known, a trial turns round after so many steps, or this part of all so far, whichever is more: one that
# goes deep where beliefs are large would take seconds.
_LEAST_TRIAL, _MOST_TRIAL = 100_000_000, 16


class CompiledTrials(Trials):
    """As `TrialSearch`, with kernels; its memory grows with what it has met, as far as the limits allow."""

    def __init__(self, arrays: PomdpArrays, precision: float, run: Run, start_value: float = 0.0) -> None:
        super().__init__(arrays, precision, run, start_value)
        self._tick = run.budget.tick if self._stop is None else no_tick
        self._blocks = seen_blocks(arrays, self._tick)
        self._renumbered = self._blocks.renumbered(arrays)
        planes = self.planes[:, self._blocks.members]
        self._search = tables.new_search(self._renumbered, self._blocks, planes, run.budget)
        self._search = self._search._replace(path=np.zeros(FIRST_DEPTH, np.int64), targets=np.zeros(FIRST_DEPTH))
        self._turns, self._kind = Turns(), 0
        self._has_witnesses = True
        self._enter_first()
        if run.checkpoint is not None and run.checkpoint.kept:
            self._go_on(run.checkpoint)

    def _begin(self, arrays: PomdpArrays) -> None:
        """Find the first bounds, of large models without tables that are as large as the groups of percepts."""
        self._stop: BaseException | None = None  # what stopped the search before it was ready
        if are_large(arrays):
            self.planes, self._first, self._stop = swept_bounds(arrays, self._budget.tick)
        else:
            super()._begin(arrays)

    def _enter_first(self) -> None:
        """Enter the first vectors, cut into blocks, and the start."""
        first, blocks = self._first, self._blocks
        count = len(blocks.bounds) - 1
        while self._full(tables.NO_VECTORS, len(first.actions) * count):
            self._make_room(tables.NO_VECTORS)
        while self._full(tables.NO_VALUES, len(first.actions) * len(blocks.members)):
            self._make_room(tables.NO_VALUES)
        vectors, counters = self._search.vectors, self._search.counters
        for node, action in enumerate(first.actions.tolist()):
            self._tick()
            begin = node * len(blocks.members)
            vectors.values[begin : begin + len(blocks.members)] = first.vectors[node, blocks.members]
            numbers = slice(node * count, (node + 1) * count)
            vectors.begin[numbers], vectors.actions[numbers] = begin + blocks.bounds[:-1], action
            for block in range(count):
                kernels.enter_vector(node * count + block, block, self._search)
        counters[tables.VECTORS], counters[tables.VALUES] = (
            count * len(first.actions),
            first.vectors[:, blocks.members].size,
        )
        kernels.link_first(first.successors.astype(np.int64), self._search)
        del self._first
        states = np.flatnonzero(self._renumbered.start)
        size = self._renumbered.S
        for full, needed in ((tables.NO_ENTRIES, len(states)), (tables.NO_NAMES, size + len(states))):
            while self._full(full, needed):
                self._make_room(full)
        beliefs = self._search.beliefs
        beliefs.states[: size + len(states)] = np.append(np.arange(size), states)
        beliefs.shares[: len(states)] = self._renumbered.start[states] / self._share
        self._search.counters[tables.NAMES] = size
        number_of(0, len(states), size, 0, self._search)
        compare(0, self._search)

    def _full(self, what: int, needed: int) -> bool:
        group = tables.GROUPS[what]
        return len(getattr(getattr(self._search, group.table), next(iter(group.fields)))) < needed

    def _make_room(self, full: int) -> None:
        """Make a full table longer; raises `LimitReached` if the memory limit does not allow it."""
        self._search = tables.longer(self._search, full, self._budget)

    def _start_bounds(self) -> tuple[float, float]:
        return float(self._search.beliefs.low[0]), max(float(self._search.beliefs.high[0]), NEVER)

    def counts(self) -> list[int]:
        counted = tables.BACKUPS, tables.VECTORS, tables.POINTS, tables.BELIEFS
        return [int(self._search.counters[what]) for what in counted]

    def run(self, most_backups: int | None = None) -> None:
        if self._stop is not None:
            raise self._stop
        kernels.load_kernels(self._search, self._budget.tick)
        super().run(most_backups)

    def found(self) -> FoundBounds:
        """Return the bounds and the policy found so far."""
        search, members = self._search, self._blocks.members
        beliefs, vectors = search.beliefs, search.vectors
        found = []
        logged = np.flatnonzero(np.isfinite(beliefs.point[: self.belief_count]))
        states_from = cache(lambda begin, end: members[beliefs.states[begin:end]])  # many beliefs have the same
        for number in logged.tolist():
            begin, end, shift = (int(array[number]) for array in (beliefs.begin, beliefs.end, beliefs.shift))
            shares = beliefs.shares[begin:end].copy()
            found.append((states_from(begin + shift, end + shift), shares, float(beliefs.point[number])))
        root = int(beliefs.vector[0])
        nodes, successors = policy_graph_from(root, self._arrays, vectors.actions, vectors.successors, vectors.instead)
        homes = vectors.block[nodes].astype(np.int64)
        columns, there = self._blocks.columns(homes)
        values = np.full(columns.shape, -np.inf)
        for place, node in enumerate(nodes):
            width = int(there[place].sum())
            values[place, :width] = vectors.values[vectors.begin[node] : vectors.begin[node] + width]
        corners = self._blocks.merged(search.points.corners, self._arrays.S)
        known = values, vectors.actions[nodes].astype(np.int64), successors
        blocks = None if len(self._blocks.bounds) == 2 else (self._blocks, homes)
        return self._found(known, found, corners, blocks, self._witnesses(logged))

    def _witnesses(self, logged: Integers) -> Witnesses | None:
        """Return what showed these beliefs, the points; None if a store did not know all of it."""
        if not self._has_witnesses:
            return None
        beliefs, nodes = self._search.beliefs, self._search.nodes
        place_of = np.append(np.full(self.belief_count, BY_PLANES), [BY_CORNERS, BY_PLANES])  # these by their own names
        place_of[logged] = np.arange(len(logged))
        first, end = nodes.first[beliefs.node[logged]], nodes.end[beliefs.node[logged]]
        counts = np.where(first >= 0, end - first, 0)
        branches = np.repeat((first - np.cumsum(counts).reshape(counts.shape) + counts).ravel(), counts.ravel())
        branches += np.arange(len(branches))
        actions = np.repeat(np.tile(np.arange(counts.shape[1]), len(logged)), counts.ravel())
        bounds = np.append(0, np.cumsum(counts.sum(axis=1)))
        keys = actions * self._arrays.O + nodes.percepts[branches]
        return Witnesses(bounds, keys, place_of[beliefs.witness[nodes.next[branches]]])

    def _save(self, checkpoint: Checkpoint) -> None:
        search = self._search
        arrays = {
            "counters": search.counters,
            "turns": self._turns.numbers,
            "vectors-of": search.vectors.of,
        }
        arrays.update({"points-ends": search.points.ends, "point-corners": search.points.corners})
        for group in tables.GROUPS.values():
            table, filled = getattr(search, group.table), search.counters[group.counter]
            arrays.update({_file(group.table, name): getattr(table, name)[:filled] for name in group.fields})
        state = {
            "version": _VERSION,
            "witnesses": self._has_witnesses,  # a store of version 2 had none
            "model": self._arrays.digest,
            "trials": self.trials,
            "depth": self._depth,
        }
        checkpoint.save(state, arrays)

    def _go_on(self, checkpoint: Checkpoint) -> None:
        """Take up what was saved."""
        state = checkpoint.kept or {}
        version: Any = state.get("version")
        checkpoint.demand_version(version in (*_LACKING,))
        checkpoint.demand(state.get("model") == self._arrays.digest)
        with checkpoint.sound():
            self.trials, self._depth = state["trials"], state["depth"]
            self._has_witnesses = state.get("witnesses", version > 2)
            search = self._search
            for what, group in tables.GROUPS.items():
                names = [name for name in group.fields if name not in _LACKING[version]]
                saved = {name: checkpoint.array(_file(group.table, name)) for name in names}
                count = len(next(iter(saved.values())))
                while self._full(what, count):
                    self._make_room(what)
                for name, array in saved.items():
                    getattr(getattr(self._search, group.table), name)[:count] = array
            search = self._search
            if version > 3:
                self._turns.numbers[:] = checkpoint.array("turns")
            counters = checkpoint.array("counters")
            if version < _VERSION:
                search.beliefs.shift[0] = 0
                counters = np.insert(counters, tables.NAMES, counters[tables.ENTRIES])
            search.counters[:] = counters
            search.vectors.of[:] = checkpoint.array("vectors-of")
            search.points.ends[:] = checkpoint.array("points-ends")
            search.points.corners[:] = checkpoint.array("point-corners")
            self._make_room(tables.NO_PLACES)
        self._make_path()

    def _make_path(self) -> None:
        """Make room for a path as deep as a trial may go."""
        depth = int(self._depth)
        self._search = self._search._replace(path=np.zeros(depth, np.int64), targets=np.zeros(depth))

    def _share_of_gap(self) -> float:
        self._kind = self._turns.next()
        return SHARES_OF_GAP[self._kind]

    def _trial(self, target: float, gain: float) -> None:
        work, before, counts = self._search.counters[tables.WORK], self._start_bounds(), self.counts()[1:]
        self._go(target, gain)
        after, work = self._start_bounds(), self._search.counters[tables.WORK] - work
        changed = (after, self.counts()[1:]) != (before, counts)
        self._turns.after(self._kind, int(work), (before[1] - before[0], after[1] - after[0]), changed)

    def _round_is_over(self) -> bool:
        return self._turns.round_is_over()

    def _go(self, target: float, gain: float) -> None:
        """Make one trial, in pieces."""
        counters = self._search.counters
        counters[tables.DEPTH], counters[tables.DOWN], counters[tables.BY_LOT] = 0, 1, BY_LOT[self._kind]
        self._search.path[0], self._search.targets[0] = 0, target
        cut_off, work = counters[tables.CUT_OFF], int(counters[tables.WORK])
        turns_round = work + max(_LEAST_TRIAL, work // _MOST_TRIAL) if self._start_bounds()[0] > RULED_OUT else math.inf
        why = tables.USED_UP
        while why != tables.OVER:
            self._budget.tick()
            work = int(counters[tables.WORK])
            if work >= turns_round:
                counters[tables.DOWN] = 0
            until = turns_round if work < turns_round < work + _PIECE else work + _PIECE
            why = kernels.go_on(self._search, gain, int(until))
            if why not in (tables.USED_UP, tables.OVER):
                self._make_room(why)
        if counters[tables.CUT_OFF] > cut_off:
            self._depth *= DEEPER
            self._make_path()


def _file(table: str, name: str) -> str:
    """Return the name of a table's array in a checkpoint."""
    return f"{table.removesuffix('s')}-{name.replace('_', '-')}"
