"""Jobs of a search on disk: some nodes of a layer are expanded, and what follows them is written part by part.

The work of a layer is divided into few jobs of about the same size, and so that it stays within memory.
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
    """Rows of an array in a file: from each first of two `ends` up to the second. Their order is that of the file."""

    path: Path
    ends: tuple[int, ...]

    def __len__(self) -> int:
        return sum(self.ends[1::2]) - sum(self.ends[::2])

    def slices(self) -> Iterator[Rows]:
        """One by one what lies between two ends."""
        return map(Rows, repeat(self.path), zip(self.ends[::2], self.ends[1::2], strict=True))


Piece: TypeAlias = tuple[tuple[int, Rows], ...]
"""Nodes that are expanded at a time: the part that they belong to, and where they are; of several parts if few."""


@frozen
class Expand:
    """Job: the nodes to expand, piece by piece, and the file for their successors."""

    division: ByHash | ByRange
    pieces: tuple[Piece, ...]
    target: Path

    def __len__(self) -> int:
        return sum(len(some) for piece in self.pieces for _, some in piece)


def expand(space: Space, job: Expand) -> tuple[list[int], int]:
    """Write what follows the nodes, piece by piece and of each piece part by part; where each of these begins and ends.

    Also returns how many nodes follow, repetitions included. The file need not survive a power failure.
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
    """Return the rows that `expand` wrote of each part, from the ends of its pieces."""
    found = []
    for part in range(parts):
        some = zip(ends[part::parts], ends[part + 1 :: parts], strict=False)  # the last end begins nothing
        found.append(Rows(path, tuple(chain.from_iterable(both for both in some if both[0] < both[1]))))
    return found


def _nodes(space: Space, division: ByHash | ByRange, piece: Piece) -> Codes:
    nodes = np.concatenate([division.codes(part, read_rows(some.path, *some.ends)) for part, some in piece])
    if space.bound is not None and len(nodes) and int(nodes.max()) >= space.bound:
        raise StoreError(f"{str(piece[0][1].path)!r} is damaged: it holds codes that are too large")
    return nodes


# Each worker has so many jobs a layer, if there is enough to do.
_JOBS_EACH = 2

# What was found of several parts is handled in one job if it is not more codes than this.
_MOST_TOGETHER = 1 << 26


def in_pieces(parts: Sequence[tuple[Path, int] | None], most: int) -> list[Piece]:
    """A layer in pieces of `most` nodes, which may be of several parts; of each part its file and how many it has."""
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
    """The pieces by job, at most so many in one: each worker has a few jobs of about the same size."""
    jobs = max(min(_JOBS_EACH * workers, len(pieces)), -(-len(pieces) // most), 1)
    ends = [len(pieces) * job // jobs for job in range(jobs + 1)]
    return (pieces[begin:end] for begin, end in pairwise(ends))


def in_turn(lengths: Mapping[int, int], workers: int) -> list[list[int]]:
    """Parts by job, given how many codes were found of each: a job for each worker, or more where they are many."""
    total, before = sum(lengths.values()), 0
    jobs: list[list[int]] = [[] for _ in range(max(workers, -(-total // _MOST_TOGETHER)))]
    for part, length in lengths.items():
        jobs[(2 * before + length) * len(jobs) // (2 * total)].append(part)  # by where its middle lies
        before += length
    return list(filter(None, jobs))


# Half a second of work, more or less: between two jobs the limits and Ctrl-C are heard.
_MOST_SUCCESSORS = 1 << 20
_MOST_ROWS = 1 << 22
_MOST_SMALL = 1 << 18
_LARGEST_RANGE = 1 << 30  # codes
_HASH_PARTS = 16
_MOST_PARTS = 1 << 16
# What the machine is taken to have if it does not say, what a worker may take at the least, and the share of what is
# free that it is told of, in bytes: more than the arrays that are counted is taken by what is read and written.
_MEMORY = 1 << 32
_LEAST_MEMORY = 1 << 24
_SHARE = 2
# To hand a job to another process takes some milliseconds; limits are heard while it is waited for. And a layer that
# so many codes follow takes about as long as to hand it out.
_PIECES_SENT = 64
_ALONE = 1 << 22
# Each worker has so many ranges, or half as many, so that all have about as much to do.
_RANGES_EACH = 8


def memory_each(budget: Budget, engine: Engine) -> int:
    """Return the bytes of memory that each worker of an engine may take: they share the limit."""
    most = budget.most_memory()
    room, taken = _MEMORY if most is None else most, resident_memory()
    # Threads share what this process has taken already; other processes have taken about as much, each of them.
    free = room // engine.workers - taken if engine.far else (room - taken) // engine.workers
    return max(free // _SHARE, _LEAST_MEMORY)


@frozen
class Sizes:
    """Sizes of jobs: the amount of work done at a time."""

    piece: int  # nodes expanded at a time
    rows: int  # codes made unique at a time
    small: int  # up to so many nodes in all there is only one part, and one file a layer
    parts: int  # in how many parts codes are divided then
    bits_stay: bool = False  # whether each worker has the bits of all parts in memory, besides those in files
    pieces: int = 1  # how many pieces are expanded in one job at most
    alone: int = 0  # up to so many words of codes that follow a layer are found without anybody's help

    @classmethod
    def of(cls, space: Space, memory: int, engine: Engine) -> Sizes:
        """The sizes with which each worker of an engine takes no more than about `memory` bytes."""
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
            # A range is up to twice as long as it need be, and a worker keeps those of all parts.
            division = ByRange.of(space.bound, min(parts, _MOST_PARTS))
            stay = division.parts * division.size // 8 <= memory // 2
        small, parts = min(_MOST_SMALL, rows), min(parts, _MOST_PARTS)
        return cls(max(piece, 1), rows, small, parts, stay, _PIECES_SENT if far else 1, _ALONE if far else 0)
