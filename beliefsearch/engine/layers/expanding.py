"""A job of a search on disk: some nodes of a layer are expanded, and what follows them is written part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from ...errors import StoreError
from ...running.array_files import RowWriter, read_rows
from .division import ByHash, ByRange
from .space import Space

if TYPE_CHECKING:
    from .space import Codes


@frozen
class Slice:
    """Some rows of an array in a file."""

    path: Path
    begin: int
    end: int

    def __len__(self) -> int:
        return self.end - self.begin


@frozen
class Rows:
    """Rows of an array in a file: from each first of two `ends` up to the second. Their order is that of the file."""

    path: Path
    ends: tuple[int, ...]

    def __len__(self) -> int:
        return sum(self.ends[1::2]) - sum(self.ends[::2])

    def slices(self) -> Iterator[Slice]:
        """One by one what lies between two ends."""
        return map(Slice, repeat(self.path), self.ends[::2], self.ends[1::2])


@frozen
class Expand:
    """What a job needs: the nodes, and where to write what follows them.

    Attributes
    ----------
    pieces
        The nodes that are expanded at a time, and to which part they belong; of several parts if they are few.
    """

    division: ByHash | ByRange
    pieces: tuple[tuple[tuple[int, Slice], ...], ...]
    target: Path

    def __len__(self) -> int:
        return sum(len(some) for piece in self.pieces for _, some in piece)


def expand(space: Space, job: Expand) -> tuple[list[int], int]:
    """Write what follows the nodes, piece by piece and of each piece part by part; where each of these begins and ends.

    Also returns how many nodes follow, repetitions included. The file need not survive a power failure.
    """
    ends = [0]
    generated = 0
    with RowWriter(job.target, job.division.kind, job.division.width, lasting=False) as file:
        for piece in job.pieces:
            following = space.successors(_nodes(space, job.division, piece))
            generated += len(following)
            for part in job.division.divided(following):
                file.write(part)
                ends.append(file.rows)
    return ends, generated


def rows_by_part(path: Path, ends: Sequence[int], parts: int) -> list[Rows]:
    """What `expand` wrote of each part, from where each piece of it begins and ends."""
    found = []
    for part in range(parts):
        some = zip(ends[part::parts], ends[part + 1 :: parts], strict=False)  # the last end begins nothing
        found.append(Rows(path, tuple(chain.from_iterable(both for both in some if both[0] < both[1]))))
    return found


def _nodes(space: Space, division: ByHash | ByRange, piece: tuple[tuple[int, Slice], ...]) -> Codes:
    nodes = np.concatenate([division.codes(part, read_rows(some.path, some.begin, some.end)) for part, some in piece])
    if space.bound is not None and len(nodes) and int(nodes.max()) >= space.bound:
        raise StoreError(f"{str(piece[0][1].path)!r} is damaged: it holds codes that are too large")
    return nodes
