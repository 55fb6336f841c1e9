"""State of a search on disk, as a commit of its store says it, and the files that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from ...errors import StoreError
from ...running.store.npy_files import read_rows
from .code_ranges import ByHash, ByRange

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .codes import Codes


@define
class Run:
    """Nodes of one part in a file: its name in the store, and how many they are."""

    name: str
    nodes: int


@define
class Part:
    """Part of all codes.

    Attributes
    ----------
    frontier
        The nodes of the last layer; None if there are none.
    reached
        All nodes in runs that have none in common, the last layer's among them; with `base` those since then.
    base
        The name of the bits that say what was reached first, if codes are divided by ranges.
    """

    frontier: Run | None = None
    reached: list[Run] = field(factory=list)
    base: str | None = None


@define
class DiskState:
    """State of a search after a layer.

    Attributes
    ----------
    division
        How codes are divided.
    counts
        How many nodes lie at each distance.
    parts
        The parts of all codes.
    generated
        How many nodes followed those that were expanded, repetitions included.
    complete
        Whether there are no other layers.
    kept
        The files of all layers if they are kept, each by part; and whether they were written by `division`, or before.
    seconds
        How long it took to come here, in all processes that took part.
    earlier
        The file of the first counts and how many these are, if there are many: the others are written at each commit.
    """

    division: ByHash | ByRange
    counts: list[int]
    parts: list[Part]
    generated: int = 0
    complete: bool = False
    kept: list[tuple[bool, dict[int, Run]]] | None = None
    seconds: float = 0.0
    earlier: Run | None = None

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
        """Return the state as JSON."""
        division = self.division
        return {
            "counts": self.counts if self.earlier is None else self.counts[self.earlier.nodes :],
            "earlier": _written(self.earlier),
            "generated": self.generated,
            "complete": self.complete,
            "seconds": self.seconds,
            "range": division.size if isinstance(division, ByRange) else None,
            "parts": [
                [_written(part.frontier), [_written(run) for run in part.reached], part.base] for part in self.parts
            ],
            "kept": None
            if self.kept is None
            else [[late, {str(part): _written(run) for part, run in runs.items()}] for late, runs in self.kept],
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any], words: int, read: Callable[[str], NDArray[Any]]) -> DiskState:
        """Return the state of which this is the JSON; `read` gives the array of a file.

        Raises
        ------
        StoreError
            If it is not.
        """
        try:
            parts = [
                Part(_read(frontier), [Run(*run) for run in reached], base) for frontier, reached, base in said["parts"]
            ]
            size = said["range"]
            division = ByHash(len(parts), words) if size is None else ByRange(len(parts), size)
            earlier = _read(said.get("earlier"))  # which stores of the first versions do not have
            counts = [*([] if earlier is None else read(earlier.name).tolist()), *said["counts"]]
            kept = said["kept"]
            if kept is not None:
                kept = [(late, {int(part): Run(*run) for part, run in runs.items()}) for late, runs in kept]
            return cls(division, counts, parts, said["generated"], said["complete"], kept, said["seconds"], earlier)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError("the store is damaged: it does not say where the search stands") from error


def _written(run: Run | None) -> list[Any] | None:
    return None if run is None else [run.name, run.nodes]


def _read(said: Any) -> Run | None:
    return None if said is None else Run(*said)


@frozen
class LayerFile:
    """Nodes of a layer that one part has, in a file that can be read when the search is over.

    Attributes
    ----------
    path
        Where they are.
    nodes
        How many they are.
    division, part
        How codes are divided, and which part this is.
    piece
        How many are read at a time.
    """

    path: Path
    nodes: int
    division: ByHash | ByRange
    part: int
    piece: int

    def pieces(self) -> Iterator[Codes]:
        """Yield the nodes, some at a time; raises `StoreError` if the file is not what it was."""
        for begin in range(0, self.nodes, self.piece):
            end = min(begin + self.piece, self.nodes)
            yield self.division.codes(self.part, read_rows(self.path, begin, end))
