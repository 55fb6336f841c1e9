"""Jobs of a search on disk: a job expands some nodes of a layer and writes their successors part by part.

The work of a layer is divided into few jobs of about the same size that stay within memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise, repeat
from pathlib import Path
from typing import TypeAlias

import numpy as np
from attrs import frozen

from ...errors import StoreError
from ...running.limits import Budget, resident_memory
from ...running.store.npy_files import read_rows, write_rows
from .codes import Codes, Space
from .disk_state import ByHash, ByRange
from .executors import Engine


@frozen
class Rows:
    """Rows of an array in a file: slices in ascending order, each given by two of the `ends`."""

    path: Path
    ends: tuple[int, ...]

    def __len__(self) -> int:
        return sum(self.ends[1::2]) - sum(self.ends[::2])

    def slices(self) -> Iterator[Rows]:
        """Return the slices one by one."""
        return map(Rows, repeat(self.path), zip(self.ends[::2], self.ends[1::2], strict=True))


Piece: TypeAlias = tuple[tuple[int, Rows], ...]
"""Nodes that are expanded at a time: parts with the rows of their nodes; several parts if these have few nodes."""


@frozen
class Expand:
    """Job: the nodes to expand, piece by piece, and the file for their successors."""

    division: ByHash | ByRange
    pieces: tuple[Piece, ...]
    target: Path

    def __len__(self) -> int:
        return sum(len(some) for piece in self.pieces for _, some in piece)


def expand(space: Space, job: Expand) -> tuple[list[int], int]:
    """Write the successors of the nodes, piece by piece and within a piece part by part; return where these end.

    Also returns the number of successors, repetitions included. The file need not survive a power failure.
    """
    ends = [0]
    generated = 0
    with write_rows(job.target, job.division.kind, job.division.width, lasting=False) as file:
        for piece in job.pieces:
            following = space.successors(_nodes(space, job.division, piece))
            generated += len(following)
            for part in job.division.divided(following):
                file.write(part)
                ends.append(file.rows)
    return ends, generated


def rows_by_part(path: Path, ends: Sequence[int], parts: int) -> list[Rows]:
    """Return the rows of each part in a file of `expand`, from the ends that it returned."""
    found = []
    for part in range(parts):
        some = zip(ends[part::parts], ends[part + 1 :: parts], strict=False)  # no row begins at the last end
        found.append(Rows(path, tuple(chain.from_iterable(both for both in some if both[0] < both[1]))))
    return found


def _nodes(space: Space, division: ByHash | ByRange, piece: Piece) -> Codes:
    nodes = np.concatenate([division.codes(part, read_rows(some.path, *some.ends)) for part, some in piece])
    if space.bound is not None and len(nodes) and int(nodes.max()) >= space.bound:
        raise StoreError(f"{str(piece[0][1].path)!r} is damaged: it holds codes that are too large")
    return nodes


# The jobs of each worker in a layer, if there is enough to do.
_JOBS_EACH = 2

# The most successors of several parts that one job handles.
_MOST_TOGETHER = 1 << 26


def in_pieces(parts: Sequence[tuple[Path, int] | None], most: int) -> list[Piece]:
    """Divide a layer into pieces of `most` nodes, which may be of several parts.

    `parts` has the file of each part and the number of its nodes.
    """
    found: list[list[tuple[int, Rows]]] = [[]]
    room = most
    for number, part in enumerate(parts):
        if part is None:
            continue
        path, nodes = part
        begin = 0
        while begin < nodes:
            if not room:
                found.append([])
                room = most
            taken = min(room, nodes - begin)
            found[-1].append((number, Rows(path, (begin, begin + taken))))
            begin, room = begin + taken, room - taken
    return [tuple(piece) for piece in found]


def in_jobs(pieces: Sequence[Piece], workers: int, most: int) -> Iterator[Sequence[Piece]]:
    """Divide pieces into jobs of at most `most`, so that each worker has a few jobs of about the same size."""
    jobs = max(min(_JOBS_EACH * workers, len(pieces)), -(-len(pieces) // most), 1)
    ends = [len(pieces) * job // jobs for job in range(jobs + 1)]
    return (pieces[begin:end] for begin, end in pairwise(ends))


def in_turn(lengths: Mapping[int, int], workers: int) -> list[list[int]]:
    """Divide parts into jobs of about the same number of codes: a job for each worker, or more if they are large.

    `lengths` has the number of codes of each part.
    """
    total, before = sum(lengths.values()), 0
    jobs: list[list[int]] = [[] for _ in range(max(workers, -(-total // _MOST_TOGETHER)))]
    for part, length in lengths.items():
        jobs[(2 * before + length) * len(jobs) // (2 * total)].append(part)  # the job of the part's middle
        before += length
    return list(filter(None, jobs))


# About half a second of work, because the limits and Ctrl-C are noticed between two jobs.
_MOST_SUCCESSORS = 1 << 20
_MOST_ROWS = 1 << 22
_MOST_SMALL = 1 << 18
_LARGEST_RANGE = 1 << 30  # codes
_HASH_PARTS = 16
_MOST_PARTS = 1 << 16
# The memory that is assumed if the limit is unknown, and the least memory of a worker, in bytes.
_MEMORY = 1 << 32
_LEAST_MEMORY = 1 << 24
# A worker plans its arrays for half of the free memory, because reading and writing files takes memory, too.
_SHARE = 2
# Sending a job to another process takes some milliseconds, so it contains up to so many pieces.
_PIECES_SENT = 64
# Finding so many words of successors takes about as long as sending the work to other processes.
_ALONE = 1 << 22
# Each worker has at most so many ranges, and at least half as many, so that all have about as much to do.
_RANGES_EACH = 8


def memory_each(budget: Budget, engine: Engine) -> int:
    """Return the bytes of memory that each worker of an engine may take; together they stay within the limit."""
    most = budget.most_memory()
    room, taken = _MEMORY if most is None else most, resident_memory()
    # Threads share the memory that this process has taken already; each other process has taken about as much itself.
    free = room // engine.workers - taken if engine.far else (room - taken) // engine.workers
    return max(free // _SHARE, _LEAST_MEMORY)


@frozen
class Sizes:
    """Sizes of jobs: the amount of work done at a time."""

    piece: int  # nodes expanded at a time
    rows: int  # codes made unique at a time
    small: int  # the most nodes in all for which there is only one part, with one file for each layer
    parts: int  # the number of parts of a larger search
    bits_stay: bool = False  # whether each worker keeps the bits of all parts in memory, besides those in files
    pieces: int = 1  # the most pieces of one job
    alone: int = 0  # a layer with at most so many words of successors is expanded by this process alone

    @classmethod
    def of(cls, space: Space, memory: int, engine: Engine) -> Sizes:
        """Return the sizes with which each worker of an engine takes about `memory` bytes or less."""
        workers, far = engine.workers, engine.far
        # A code is held in up to eight copies while codes are sorted and divided.
        copies = 8 * 8 * space.words
        piece = min(memory // copies, _MOST_SUCCESSORS) // max(space.actions, 1)
        rows = max(min(memory // copies, _MOST_ROWS), 1 << 10)
        stay = False
        if space.bound is None:
            parts = max(_HASH_PARTS, 2 * workers)
        else:
            longest = min(_LARGEST_RANGE, max(memory // 2, 1 << 16))  # its bits, twice, take an eighth of the memory
            parts = max(-(-space.bound // longest), _RANGES_EACH * workers if workers > 1 else 1)
            # A range is up to twice as long as it need be; if bits stay, a worker has the bits of all ranges.
            division = ByRange.of(space.bound, min(parts, _MOST_PARTS))
            stay = division.parts * division.size // 8 <= memory // 2
        small, parts = min(_MOST_SMALL, rows), min(parts, _MOST_PARTS)
        return cls(max(piece, 1), rows, small, parts, stay, _PIECES_SENT if far else 1, _ALONE if far else 0)
