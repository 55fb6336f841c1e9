"""State of a search on disk, which each commit of its store contains, and the division of codes into parts.

Each part has files and jobs of its own. Codes are divided by a hash or into ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from attrs import define, evolve, field, frozen
from numpy.typing import NDArray

from ...errors import ProblemError, StoreError
from ..compiled.jit import kernel
from .codes import Codes, parts, unique


@frozen
class ByHash:
    """Division of codes of any number of words by a hash, into parts of about the same size; files have whole codes."""

    parts: int
    words: int

    @property
    def kind(self) -> str:
        """The NumPy type of the files."""
        return "<u8"

    @property
    def width(self) -> tuple[int, ...]:
        """The shape of a row of the files."""
        return (self.words,)

    def divided(self, codes: Codes) -> list[NDArray[Any]]:
        """Return the rows of each part for these codes, without repetitions and in ascending order."""
        return list(parts(unique(codes), self.parts))

    def codes(self, part: int, written: NDArray[Any]) -> Codes:
        """Return the codes of rows of a file."""
        return written


@frozen
class ByRange:
    """Division of codes below a bound into ranges of the same size; files have the offsets of codes in their range."""

    parts: int
    size: int  # a power of 2 from 64 to 2**32

    @property
    def kind(self) -> str:
        """The NumPy type of the files, the smallest that holds all offsets."""
        return "<u4" if self.size > 1 << 16 else "<u2" if self.size > 1 << 8 else "|u1"

    @property
    def width(self) -> tuple[int, ...]:
        """The shape of a row of the files."""
        return ()

    @classmethod
    def of(cls, bound: int, most_parts: int) -> ByRange:
        """Return the division of codes below a bound into at most `most_parts` ranges, or into ranges of 2^32 codes."""
        size = 1 << max((-(-bound // most_parts) - 1).bit_length(), 6)
        size = min(size, 1 << 32)
        return cls(max(-(-bound // size), 1), size)

    def divided(self, codes: Codes) -> list[NDArray[Any]]:
        """Return the rows of each part for these codes, in their order and with repetitions.

        Raises `ProblemError` if a code lies in no part.
        """
        offsets, ends = divided_by_range(codes[:, 0], self.size.bit_length() - 1, self.parts)
        if ends[-1] != len(codes):
            raise ProblemError(f"there is a code of {int(codes.max())}, beyond the bound that the problem gives")
        return [offsets[begin:end].astype(self.kind, copy=False) for begin, end in pairwise(ends.tolist())]

    def codes(self, part: int, written: NDArray[Any]) -> Codes:
        """Return the codes of rows of a file."""
        found: Codes = written.astype(np.uint64)[:, np.newaxis]
        found += np.uint64(part * self.size)
        return found


@kernel
def divided_by_range(codes: NDArray[np.uint64], shift: int, parts: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return the lowest `shift` bits of codes, part by part, and the places where each part begins and the last ends.

    The higher bits are the number of the part; a code whose part is not below `parts` is left out. Within a part codes
    keep their order.
    """
    by = np.uint64(shift)
    below = (np.uint64(1) << by) - np.uint64(1)
    ends = np.zeros(parts + 1, dtype=np.int64)
    for code in codes:
        part = code >> by
        if part < np.uint64(parts):
            ends[part + np.uint64(1)] += 1
    for part in range(parts):
        ends[part + 1] += ends[part]
    places = np.empty(parts, dtype=np.int64)
    for part in range(parts):
        places[part] = ends[part]
    offsets = np.empty(ends[-1], dtype=np.uint32)
    for code in codes:
        part = code >> by
        if part < np.uint64(parts):
            offsets[places[part]] = np.uint32(code & below)
            places[part] += 1
    return offsets, ends


class StoredRun(NamedTuple):
    """A file with nodes of one part: its name in the store, and the number of nodes."""

    name: str
    nodes: int


@define
class Part:
    """The files of one part of the codes."""

    frontier: StoredRun | None = None  # the nodes of the last layer; None if there are none
    reached: list[StoredRun] = field(factory=list)  # disjoint runs of all reached nodes that are not in `base`
    base: str | None = None  # the name of the bits of the nodes reached first; only with a division into ranges


@define
class DiskState:
    """State of a search after a layer."""

    division: ByHash | ByRange
    counts: list[int]  # the number of nodes at each distance
    parts: list[Part]
    generated: int = 0  # the successors of the expanded nodes, repetitions included
    complete: bool = False  # whether there are no more layers
    # If layers are kept, the files of each layer by part, and whether they were written after the search was divided.
    kept: list[tuple[bool, dict[int, StoredRun]]] | None = None
    seconds: float = 0.0  # the time of the search so far, in all its processes
    # The file with the first counts and the number of these, if there are many; each commit contains the other counts.
    earlier: StoredRun | None = None

    @property
    def divided(self) -> bool:
        """Whether the search has grown out of its single part with whole codes."""
        return isinstance(self.division, ByRange) or self.division.parts > 1

    def next(self) -> DiskState:
        """Return a copy that may be changed."""
        parts = [evolve(part, reached=list(part.reached)) for part in self.parts]
        kept = None if self.kept is None else list(self.kept)
        return evolve(self, counts=list(self.counts), parts=parts, kept=kept)

    def names(self) -> Iterator[str]:
        """Yield the names of all files that are needed."""
        for part in self.parts:
            if part.frontier is not None:
                yield part.frontier.name
            if part.base is not None:
                yield part.base
            yield from (run.name for run in part.reached)
        for _, runs in self.kept or ():
            yield from (run.name for run in runs.values())
        if self.earlier is not None:
            yield self.earlier.name

    def as_json(self) -> dict[str, Any]:
        """Return the state as JSON, in which runs are lists."""
        return {
            "counts": self.counts if self.earlier is None else self.counts[self.earlier.nodes :],
            "earlier": self.earlier,
            "generated": self.generated,
            "complete": self.complete,
            "seconds": self.seconds,
            "range": self.division.size if isinstance(self.division, ByRange) else None,
            "parts": [[part.frontier, part.reached, part.base] for part in self.parts],
            "kept": self.kept,
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any], words: int, read: Callable[[str], NDArray[Any]]) -> DiskState:
        """Return the state of a JSON value; `read` returns the array of a file.

        Raises `StoreError` if it is no state.
        """
        try:
            parts = [
                Part(_run(frontier), [StoredRun(*run) for run in reached], base)
                for frontier, reached, base in said["parts"]
            ]
            size = said["range"]
            division = ByHash(len(parts), words) if size is None else ByRange(len(parts), size)
            earlier = _run(said.get("earlier"))  # stores of the first versions lack it
            counts = [*([] if earlier is None else read(earlier.name).tolist()), *said["counts"]]
            kept = said["kept"]
            if kept is not None:
                kept = [(late, {int(part): StoredRun(*run) for part, run in runs.items()}) for late, runs in kept]
            return cls(division, counts, parts, said["generated"], said["complete"], kept, said["seconds"], earlier)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError("the store is damaged: it does not say where the search stands") from error


def _run(said: Any) -> StoredRun | None:
    return None if said is None else StoredRun(*said)
