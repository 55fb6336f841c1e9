"""Where a search on disk stands: what a commit of its store says, and which files that takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field

from ...errors import StoreError
from .code_ranges import ByHash, ByRange

if TYPE_CHECKING:
    from numpy.typing import NDArray


@define
class Run:
    """The nodes of one part in a file: its name in the store, and how many they are."""

    name: str
    nodes: int


@define
class Part:
    """One part of all codes.

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
    """Where a search stands after a layer.

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
        """A copy that may be changed."""
        parts = [evolve(part, reached=list(part.reached)) for part in self.parts]
        kept = None if self.kept is None else list(self.kept)
        return evolve(self, counts=list(self.counts), parts=parts, kept=kept)

    def names(self) -> Iterator[str]:
        """The names of all files that are needed."""
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
        """The state as JSON."""
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

    def _adds_up(self) -> bool:
        """Whether files hold as many nodes as were counted; what lies in bits is not looked at."""
        counts, reached = self.counts, sum(run.nodes for part in self.parts for run in part.reached)
        if any(part.base is not None for part in self.parts):
            all_reached = isinstance(self.division, ByRange) and reached <= sum(counts)
        else:
            all_reached = reached == sum(counts)
        frontier = sum(part.frontier.nodes for part in self.parts if part.frontier is not None)
        kept = counts if self.kept is None else [sum(run.nodes for run in runs.values()) for _, runs in self.kept]
        parts = {part for late, runs in self.kept or () if late for part in runs}
        return (
            (all(counts) or (counts == [0] and self.complete))
            and counts[-1:] == [frontier]
            and all_reached
            and kept == counts
            and parts <= set(range(len(self.parts)))
            and all(runs.keys() <= {0} for late, runs in self.kept or () if not late)
        )

    @classmethod
    def from_json(cls, said: Mapping[str, Any], words: int, read: Callable[[str], NDArray[Any]]) -> DiskState:
        """The state of which this is the JSON; `read` gives the array of a file.

        Raises
        ------
        StoreError
            If it is not.
        """
        try:
            parts = [
                Part(_read(frontier), [run for run in map(_read, reached) if run is not None], base)
                for frontier, reached, base in said["parts"]
            ]
            size = said["range"]
            sound = parts and all(isinstance(part.base, (str, type(None))) for part in parts)
            sound = sound and (size is None or (64 <= _number(size) <= 1 << 32 and size.bit_count() == 1))
            division = ByHash(len(parts), words) if size is None else ByRange(len(parts), size)
            earlier = _read(said.get("earlier"))  # which stores of the first versions do not have
            counts = [] if earlier is None else [*map(_number, read(earlier.name).tolist())]
            sound = sound and (earlier is None or len(counts) == earlier.nodes)
            counts += map(_number, said["counts"])
            seconds = float(said["seconds"])
            kept = said["kept"]
            if kept is not None:
                kept = [
                    (_flag(late), {int(part): run for part, run in ((p, _read(r)) for p, r in runs.items()) if run})
                    for late, runs in kept
                ]
            state = cls(division, counts, parts, _number(said["generated"]), _flag(said["complete"]), kept, seconds)
            state.earlier = earlier
            if not sound or not 0 <= seconds < inf or not state._adds_up():
                raise ValueError("it does not fit together")
            return state
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise StoreError("the store is damaged: it does not say where the search stands") from error


def _written(run: Run | None) -> list[Any] | None:
    return None if run is None else [run.name, run.nodes]


def _read(said: Any) -> Run | None:
    if said is None:
        return None
    name, nodes = said
    if not isinstance(name, str) or _number(nodes) < 1:
        raise ValueError("no run")
    return Run(name, nodes)


def _number(said: Any) -> int:
    if type(said) is not int or said < 0:
        raise ValueError("no number")
    return said


def _flag(said: Any) -> bool:
    if type(said) is not bool:
        raise ValueError("neither true nor false")
    return said
