"""Breadth-first layers on disk: the state is in files only, and every layer is committed.

A layer takes two rounds of jobs. *Expand* jobs write the successors of pieces of the layer, divided by parts. *Absorb*
jobs, one for each part, drop repetitions and reached nodes, and write the part's new run. Then one commit adds the
layer. Each job writes its own files, whole or not at all, and may be done twice. A small search has one part, with one
file for each layer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ...running.run import Run
from ...running.store.checkpoint import Checkpoint
from ...running.store.directory import Store
from ...running.store.npy_files import read_rows
from . import disk_runs
from .codes import Codes, Space, least, unique
from .disk_jobs import Expand, Rows, Sizes, expand, in_jobs, in_pieces, in_turn, rows_by_part
from .disk_state import ByHash, ByRange, DiskState, Part, StoredRun
from .executors import Engine, Serial, each

Job = TypeVar("Job")
Result = TypeVar("Result")

# The most counts of layers that each commit contains; older counts are in a file.
_COUNTS_SINCE = 4096


class DiskLayers:
    """A breadth-first search that keeps everything in a store, and can be killed at any moment.

    If the store has a search, it is resumed. All workers of the engine see the store's directory, and each may take
    `memory` bytes. With `keep_layers` all layers are kept, for `path_back`; otherwise only the reached nodes, which
    takes less space. `sizes` are the sizes of jobs; by default they follow from `memory`.

    `expanded` counts the expanded nodes, `generated` their successors, repetitions included. `seconds_before` is the
    time that earlier processes took for the layers in the store.

    Raises `StoreError` if the store is damaged, and `LimitReached` if a limit is reached or the disk is full. Then the
    store is as after the last layer.
    """

    def __init__(
        self,
        space: Space,
        store: Store | Checkpoint,
        engine: Engine,
        memory: int,
        run: Run | None = None,
        *,
        keep_layers: bool = False,
        sizes: Sizes | None = None,
    ) -> None:
        self.space = space
        self._store = store
        self._engine = engine
        self._sizes = sizes or Sizes.of(space, memory, engine)
        self._run = run or Run()
        self._search = os.urandom(8).hex()
        self._who: Engine = engine  # the engine that does the jobs of the next layer
        self._new = 0  # the nodes so far of the layer under construction
        if store.state is None:
            self._begin(keep_layers)
        else:
            self._state = DiskState.from_json(store.state, space.words, store.read)
        self.seconds_before = self._state.seconds
        self.counts = self._state.counts
        self._total = sum(self.counts)
        self.expanded, self.generated = self._total - self.counts[-1], self._state.generated
        if self.expanded:
            self._run.observer.resumed(self.expanded, len(self.counts) - 1)

    @property
    def reached(self) -> int:
        """Count the reached nodes, those of the unfinished layer included."""
        return self._total + self._new

    def advance(self) -> int:
        """Find the next layer and return the number of its nodes, which is added to `counts`; 0 if there is none."""
        found = 0 if self._state.complete else self._next_layer()
        if not found:
            disk_runs.forget(self._search)
        return found

    def _next_layer(self) -> int:
        self._new = 0
        # Set back, in case that an earlier attempt at this layer was interrupted.
        self.expanded, self.generated = self._total - self.counts[-1], self._state.generated
        state = self._state.next()
        self._who = Serial() if self._is_little(state) else self._engine
        with self._store.room():
            if not state.divided and self.reached > self._sizes.small:
                self._divide(state)
            if not state.divided and state.counts[-1] <= self._sizes.piece:
                new = [self._small_step(state)]
            else:
                new = self._absorb(state, self._expand(state))
            found = sum(run.nodes for run in new if run is not None)
            if not found:
                state = self._state.next()
                state.complete = True
            else:
                self._add(state, new, found)
            state.generated = self.generated
            state.seconds = self.seconds_before + self._run.budget.seconds()
        before = self._store.state
        try:
            self._store.commit(state.as_json(), state.names())
        finally:
            if self._store.state is not before:  # committed, perhaps interrupted later while old files were deleted
                self._state, self.counts, self._new = state, state.counts, 0
                self._total += found
        if found:
            self._run.observer.layer_finished(len(self.counts) - 1, found, self.reached)
        return found

    def _is_little(self, state: DiskState) -> bool:
        """Whether finding the next layer here takes less time than sending jobs to other processes."""
        following = state.counts[-1] * self.space.actions
        if following * self.space.words > self._sizes.alone or not isinstance(state.division, ByRange):
            return following * self.space.words <= self._sizes.alone
        if disk_runs.are_few(state.division):
            return True
        # The bits of all ranges would have to be read, unless the successors are so few that they are looked up.
        due = any(disk_runs.are_due([run.nodes for run in part.reached], state.division) for part in state.parts)
        return not due and following * disk_runs.SPARSE < state.division.size

    def last(self, most: int) -> Codes:
        """Return the nodes of the last layer with the least codes, at most `most`."""
        found: list[Codes] = [np.zeros((0, self.space.words), dtype=np.uint64)]
        for number, part in enumerate(self._state.parts):
            if part.frontier is not None:
                rows = read_rows(self._store.path(part.frontier.name), 0, min(most, part.frontier.nodes))
                found.append(self._state.division.codes(number, rows))
        return least(np.concatenate(found), most)

    def pieces(self, distance: int) -> Iterator[Codes]:
        """Yield all nodes at a distance, some at a time, if layers are kept."""
        if self._state.kept is None:
            raise ValueError("the layers were not kept")
        late, runs = self._state.kept[distance]
        division = self._state.division if late else ByHash(1, self.space.words)
        for part, run in runs.items():
            for begin in range(0, run.nodes, self._sizes.piece):
                self._run.tick()
                end = min(begin + self._sizes.piece, run.nodes)
                yield division.codes(part, read_rows(self._store.path(run.name), begin, end))

    def _begin(self, keep_layers: bool) -> None:
        starts = unique(self.space.starts())
        first = StoredRun(self._name("layers", 0, 0), len(starts))
        only = Part()
        if len(starts):
            self._store.write(first.name, starts)
            only = Part(first, [first])
        kept = [(False, {0: first} if len(starts) else {})] if keep_layers else None
        self._state = DiskState(ByHash(1, self.space.words), [len(starts)], [only], complete=not len(starts), kept=kept)
        self._store.commit(self._state.as_json(), self._state.names())

    def _name(self, folder: str, depth: int, *numbers: int) -> str:
        # Workers may still write files for a search that was killed; each search has file names of its own.
        return f"{folder}/{depth:06}" + "".join(f"-{number:05}" for number in numbers) + f"-{self._search}"

    def _carry_out(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield the results of jobs, in their order, and check the limits between two of them."""
        self._run.tick()
        for result in self._who.map(function, jobs):
            self._run.tick()
            yield result

    def _tell(self) -> None:
        self._run.observer.progressed(len(self.counts) - 1, self.expanded, self._new, self.reached)

    def _small_step(self, state: DiskState) -> StoredRun | None:
        """Return the next layer of a small search, found in one job without intermediate files."""
        part = state.parts[0]
        assert part.frontier is not None
        self._run.budget.check_expanded(self.expanded + part.frontier.nodes - 1)
        layer = self._store.read(part.frontier.name)
        name = self._name("layers", len(state.counts), 0)
        job = disk_runs.Absorb((), self._reached_of(part), self._sizes.rows, self._store.path(name))
        self._run.tick()
        following = self.space.successors(layer)
        self._new = disk_runs.absorb_small(job, following)
        self.expanded += len(layer)
        self.generated += len(following)
        self._tell()
        return StoredRun(name, self._new) if self._new else None

    def _expand(self, state: DiskState) -> list[list[Rows]]:
        """Return the successors of the layer, by part."""
        depth = len(state.counts)
        frontier = [part.frontier for part in state.parts]
        files = [None if run is None else (self._store.path(run.name), run.nodes) for run in frontier]
        cut = in_pieces(files, self._sizes.piece)
        jobs = [
            Expand(state.division, tuple(pieces), self._store.path(self._name("found", depth, number)))
            for number, pieces in enumerate(in_jobs(cut, self._engine.workers, self._sizes.pieces))
        ]

        def allowed() -> Iterator[Expand]:
            begun = self.expanded
            for job in jobs:
                begun += len(job)
                self._run.budget.check_expanded(begun - 1)
                yield job

        step = partial(expand, self.space)  # part of the function, which is sent once: the space may be large
        found: list[list[Rows]] = [[] for _ in state.parts]
        for job, (ends, generated) in zip(jobs, self._carry_out(step, allowed()), strict=True):
            for part, rows in enumerate(rows_by_part(job.target, ends, len(found))):
                if len(rows):
                    found[part].append(rows)
            self.expanded += len(job)
            self.generated += generated
            self._tell()
        return found

    def _absorb(self, state: DiskState, found: Sequence[Sequence[Rows]]) -> list[StoredRun | None]:
        """Return the new layer by part; `state` gets the names of bit files that are rewritten."""
        depth = len(state.counts)
        names = [self._name("layers", depth, part) for part in range(len(state.parts))]
        lengths = {part: sum(map(len, slices)) for part, slices in enumerate(found) if slices}
        division = state.division
        new: list[StoredRun | None] = [None] * len(state.parts)
        # Within this process each part is a job of its own; jobs for other processes contain several parts.
        together = in_turn(lengths, self._who.workers) if self._who.far else [[part] for part in lengths]
        function: Callable[[Any], int]
        jobs: list[list[Any]]
        if isinstance(division, ByRange):
            function = disk_runs.absorb_bits
            jobs = [[self._bits_job(state, division, n, found[n], names[n]) for n in numbers] for numbers in together]
        else:
            function = disk_runs.absorb
            jobs = [[self._runs_job(state.parts[n], found[n], names[n]) for n in numbers] for numbers in together]
        counts = self._carry_out(partial(each, function), jobs)
        for numbers, several in zip(together, counts, strict=True):
            for part, count in zip(numbers, several, strict=True):
                self._new += count
                new[part] = StoredRun(names[part], count) if count else None
            self._tell()
        return new

    def _runs_job(self, part: Part, found: Sequence[Rows], name: str) -> disk_runs.Absorb:
        return disk_runs.Absorb(tuple(found), self._reached_of(part), self._sizes.rows, self._store.path(name))

    def _bits_job(
        self, state: DiskState, division: ByRange, number: int, found: Sequence[Rows], name: str
    ) -> disk_runs.AbsorbBits:
        part, depth = state.parts[number], len(state.counts)
        anew = disk_runs.are_due([run.nodes for run in part.reached], division)
        base, reached = part.base, self._reached_of(part)
        if anew:
            part.base, part.reached = self._name("bits", depth, number), []
        return disk_runs.AbsorbBits(
            tuple(found),
            None if base is None else self._store.path(base),
            reached,
            division.size,
            self._store.path(name),
            self._store.path(part.base) if anew and part.base is not None else None,
            self._search,
            number,
            self._sizes.bits_stay and (self._who is self._engine or disk_runs.are_few(division)),
        )

    def _reached_of(self, part: Part) -> tuple[Path, ...]:
        return tuple(self._store.path(run.name) for run in part.reached)

    def _add(self, state: DiskState, new: Sequence[StoredRun | None], found: int) -> None:
        """Add a layer to a state."""
        depth = len(state.counts)
        merges = []
        for number, (part, run) in enumerate(zip(state.parts, new, strict=True)):
            part.frontier = run
            if run is None:
                continue
            if not isinstance(state.division, ByRange):
                part.reached.append(run)
                merges.extend(self._merge_runs(part, self._name("runs", depth, number)))
            elif part.base != self._name("bits", depth, number):  # else the new bits contain the run
                part.reached.append(run)
        for _ in self._carry_out(partial(disk_runs.merge, self._sizes.rows), merges):
            pass
        state.counts.append(found)
        late = 0 if state.earlier is None else state.earlier.nodes
        if len(state.counts) - late >= _COUNTS_SINCE:
            state.earlier = StoredRun(self._name("counts", depth), len(state.counts))
            self._store.write(state.earlier.name, np.array(state.counts, dtype=np.uint64))
        if state.kept is not None:
            state.kept.append((state.divided, {part: run for part, run in enumerate(new) if run is not None}))

    def _merge_runs(self, part: Part, name: str) -> list[tuple[list[Path], Path]]:
        """Replace the last runs of a part by one run if they have about the same length; return the job that merges.

        So a part has few runs, each more than twice as long as the next one.
        """
        first, nodes = len(part.reached) - 1, part.reached[-1].nodes
        while first and part.reached[first - 1].nodes <= 2 * nodes:
            first -= 1
            nodes += part.reached[first].nodes
        if first == len(part.reached) - 1:
            return []
        paths = [self._store.path(run.name) for run in part.reached[first:]]
        part.reached[first:] = [StoredRun(name, nodes)]
        return [(paths, self._store.path(name))]

    def _divide(self, state: DiskState) -> None:
        """Divide the single part of a search that is no longer small."""
        sizes, bound = self._sizes, self.space.bound
        division = ByHash(sizes.parts, self.space.words) if bound is None else ByRange.of(bound, sizes.parts)
        if division == state.division:
            return
        only = state.parts[0]
        assert only.frontier is not None
        depth = len(state.counts)
        runs = [*only.reached, *([] if only.frontier in only.reached else [only.frontier])]
        names = [
            [self._name("parts", depth, number, part) for part in range(division.parts)] for number in range(len(runs))
        ]
        path = self._store.path
        jobs = [(path(run.name), list(map(path, of))) for run, of in zip(runs, names, strict=True)]
        step = partial(disk_runs.divide, division, sizes.rows)
        divided = [
            [StoredRun(name, nodes) if nodes else None for name, nodes in zip(of, counts, strict=True)]
            for of, counts in zip(names, self._carry_out(step, jobs), strict=True)
        ]
        frontier = divided[runs.index(only.frontier)]
        state.division = division
        state.parts = [
            Part(frontier[part], [run for of in divided[: len(only.reached)] if (run := of[part]) is not None])
            for part in range(division.parts)
        ]
