"""State of a search on disk, as a commit of its store says it, and the files that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import define, evolve, field, frozen

from ...errors import StoreError
from ...running.store.npy_files import read_rows
from .code_ranges import ByHash, ByRange

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .codes import Codes


class StoredRun(NamedTuple):
    """Nodes of one part in a file: its name in the store, and how many they are."""

    name: str
    nodes: int


@define
class Part:
    """Part of all codes."""

    frontier: StoredRun | None = None  # the nodes of the last layer; None if there are none
    # All nodes in runs that have none in common, the last layer's among them; with `base` those since then.
    reached: list[StoredRun] = field(factory=list)
    base: str | None = None  # the name of the bits that say what was reached first, if codes are divided by ranges


@define
class DiskState:
    """State of a search after a layer."""

    division: ByHash | ByRange
    counts: list[int]  # how many nodes lie at each distance
    parts: list[Part]
    generated: int = 0  # how many nodes followed those that were expanded, repetitions included
    complete: bool = False  # whether there are no other layers
    # The files of all layers if they are kept, each by part; and whether they were written by `division`, or before.
    kept: list[tuple[bool, dict[int, StoredRun]]] | None = None
    seconds: float = 0.0  # how long it took to come here, in all processes that took part
    # The file of the first counts and how many these are, if there are many: the others are written at each commit.
    earlier: StoredRun | None = None

    @property
    def divided(self) -> bool:
        """Whether the search has grown out of its first single file a layer."""
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
        """Return the state of which this is the JSON; `read` gives the array of a file.

        Raises `StoreError` if it is not.
        """
        try:
            parts = [
                Part(_run(frontier), [StoredRun(*run) for run in reached], base)
                for frontier, reached, base in said["parts"]
            ]
            size = said["range"]
            division = ByHash(len(parts), words) if size is None else ByRange(len(parts), size)
            earlier = _run(said.get("earlier"))  # which stores of the first versions do not have
            counts = [*([] if earlier is None else read(earlier.name).tolist()), *said["counts"]]
            kept = said["kept"]
            if kept is not None:
                kept = [(late, {int(part): StoredRun(*run) for part, run in runs.items()}) for late, runs in kept]
            return cls(division, counts, parts, said["generated"], said["complete"], kept, said["seconds"], earlier)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError("the store is damaged: it does not say where the search stands") from error


def _run(said: Any) -> StoredRun | None:
    return None if said is None else StoredRun(*said)


@frozen
class LayerFile:
    """Nodes of a layer that one part has, in a file that can be read when the search is over."""

    path: Path
    nodes: int
    division: ByHash | ByRange
    part: int
    piece: int  # how many are read at a time

    def pieces(self) -> Iterator[Codes]:
        """Yield the nodes, some at a time; raises `StoreError` if the file is not what it was."""
        for begin in range(0, self.nodes, self.piece):
            end = min(begin + self.piece, self.nodes)
            yield self.division.codes(self.part, read_rows(self.path, begin, end))
