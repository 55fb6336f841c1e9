"""How the work of a layer on disk is divided into jobs: few, and of about the same size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from .expanding import Slice

# Each worker has so many jobs a layer, if there is enough to do.
_JOBS_EACH = 2
# What was found of several parts is handled in one job if it is not more codes than this.
_MOST_TOGETHER = 1 << 26

Piece: TypeAlias = tuple[tuple[int, Slice], ...]
"""Nodes that are expanded at a time: the part that they belong to, and where they are."""


def in_pieces(parts: Sequence[tuple[Path, int] | None], most: int) -> list[Piece]:
    """A layer in pieces of `most` nodes, which may be of several parts; of each part its file and how many it has."""
    found: list[list[tuple[int, Slice]]] = [[]]
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
            found[-1].append((number, Slice(path, begin, begin + taken)))
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
