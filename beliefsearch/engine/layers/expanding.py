"""A job of a search on disk: some nodes of a layer are expanded, and what follows them is written part by part."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from attrs import frozen

from ...errors import StoreError
from ...running.array_files import RowWriter, read_rows
from .division import ByHash, ByRange
from .space import Space


@frozen
class Slice:
    """Some rows of an array in a file."""

    path: Path
    begin: int
    end: int

    def __len__(self) -> int:
        return self.end - self.begin


@frozen
class Expand:
    """What a job needs: the nodes, to which part they belong, and where to write what follows them.

    Attributes
    ----------
    source
        Of one part; of several parts if they are few nodes.
    """

    division: ByHash | ByRange
    source: tuple[tuple[int, Slice], ...]
    target: Path


def expand(space: Space, job: Expand) -> tuple[list[int], int]:
    """Write what follows the nodes, part by part; where each part begins in the file, and where the last ends.

    Also returns how many nodes follow, repetitions included. The file need not survive a power failure.
    """
    division = job.division
    layer = np.concatenate(
        [division.codes(part, read_rows(some.path, some.begin, some.end)) for part, some in job.source]
    )
    bound = space.bound
    if bound is not None and len(layer) and int(layer.max()) >= bound:
        raise StoreError(f"{str(job.source[0][1].path)!r} is damaged: it holds codes that are too large")
    following = space.successors(layer)
    found = division.divided(following)
    with RowWriter(job.target, division.kind, division.width, lasting=False) as file:
        for part in found:
            file.write(part)
    return [0, *np.cumsum([len(part) for part in found]).tolist()], len(following)
