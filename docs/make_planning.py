"""Tables of `docs/planning.md`: bytes and hours of a search on disk or on a cluster, computed from its layers.

`python docs/make_planning.py` writes the tables; `tests/test_planning.py` compares them with the page, and
the numbers with measured searches. `python docs/make_planning.py --measure` measures the constants anew, which takes
some minutes.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from attrs import evolve, frozen

Job = TypeVar("Job")
Result = TypeVar("Result")

PAGE = Path(__file__).with_name("planning.md")

# As on disk: when bits are rewritten, when runs are merged, the size of a job, the number of parts.
_NODES_SINCE, _LAYERS_SINCE = 8, 64
_MERGED = 2
_SUCCESSORS_A_JOB = 1 << 26
_JOBS_EACH = 2
_RANGES_EACH = 8
_RANGE = 1 << 30
_PAGE_OF_DISK = 4096


@frozen
class Search:
    """Breadth-first search on disk.

    Attributes
    ----------
    layers
        How many nodes there are at each distance.
    actions
        How many successors a node has.
    words
        The 64-bit words of a code, if codes have no bound.
    bound
        What no code reaches, if they are divided by ranges.
    parts
        In how many parts they are divided; None as the program does it with gigabytes of memory.
    """

    layers: Sequence[float]
    actions: int
    words: int = 1
    bound: int | None = None
    parts: int | None = None

    @property
    def nodes(self) -> float:
        """Return the number of nodes."""
        return sum(self.layers)


@frozen
class Needs:
    """Bytes and counts of a search.

    Attributes
    ----------
    found
        Bytes that go from whoever expands to whoever absorbs: what is shuffled.
    written, read
        Bytes of files, those of `found` among them.
    most
        The most bytes of files at the same time.
    generated, looked_at
        Successors, and what they are compared with: codes reached before, or words of bits.
    jobs
        How many jobs are sent.
    """

    found: float
    written: float
    read: float
    most: float
    generated: float
    looked_at: float
    jobs: float


def needs(search: Search, workers: int = 1) -> Needs:
    """Compute the needs of a search from the sizes of its layers, if no two successors of a piece are the same.

    Time O(layers).
    """
    bound, actions = search.bound, search.actions
    ranges = _RANGES_EACH * workers if workers > 1 else 1
    parts = search.parts or max(16 if bound is None else ceil(bound / _RANGE), ranges)
    size = 0 if bound is None else max(1 << max((-(-bound // parts) - 1).bit_length(), 6), 64)
    width = 8 * search.words if bound is None else 4 if size > 1 << 16 else 2 if size > 1 << 8 else 1
    bits = parts * size / 8  # in bytes
    found = written = read = most = generated = looked_at = jobs = 0.0
    base = 0.0
    runs: list[float] = []
    for frontier, new in zip(search.layers, [*search.layers[1:], 0.0], strict=True):
        if not runs and not base:
            runs = [frontier]
        here = frontier * actions
        generated += here
        found += here * width
        jobs += max(here / _SUCCESSORS_A_JOB, min(here, _JOBS_EACH * workers))
        jobs += max(here / _SUCCESSORS_A_JOB, min(parts, workers))
        before = base + sum(runs) * width + (0 if frontier in runs else frontier * width)
        now = here * width + new * width
        read += frontier * width + here * width
        if bound is None:
            looked_up = [min(run, here * _PAGE_OF_DISK / width) for run in runs]
            read += sum(looked_up) * width
            looked_at += sum(looked_up)
            runs.append(new)
            nodes, count = new, 1
            while count < len(runs) and runs[-count - 1] <= _MERGED * nodes:
                nodes += runs[-count - 1]
                count += 1
            if count > 1:
                read += nodes * width
                now += nodes * width
                jobs += parts
                runs[-count:] = [nodes]
        else:
            read += base + sum(runs) * width
            looked_at += bits / 8
            if sum(runs) * _NODES_SINCE > parts * size or len(runs) >= _LAYERS_SINCE:
                base, runs = bits, []
                now += bits
            else:
                runs.append(new)
        written += now
        most = max(most, before + now)
    return Needs(found, written, read, most, generated, looked_at, jobs)


# What is measured.


@frozen
class Measured:
    """Measured search of one process: bytes as in `Needs`, and seconds of its processor."""

    pancakes: int
    bounded: bool
    nodes: int
    found: int
    written: int
    most: int
    expanding: float
    absorbing: float


class _Measuring:
    """Engine that runs jobs here, and measures their files and their time."""

    workers = 1
    far = False

    def __init__(self, place: Path) -> None:
        self.place = place
        self.written = {"expand": 0, "absorb": 0, "merge": 0, "divide": 0}
        self.seconds = dict.fromkeys(self.written, 0.0)
        self.most = 0

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """See `engines.Engine`."""
        from beliefsearch.engine.counting.executors import each

        called: Any = function
        while isinstance(called, partial):
            called = called.args[0] if called.func is each else called.func
        name = str(called.__name__).removesuffix("_bits")
        for job in jobs:
            before = time.process_time()
            result = function(job)
            self.seconds[name] += time.process_time() - before
            for one in job if isinstance(job, list) else (job,):
                # A job that merges is a pair, of runs and a file.
                target = one[1] if isinstance(one, tuple) and name == "merge" else None
                named = [target, *(getattr(one, kind, None) for kind in ("target", "new_base"))]
                for path in filter(None, named):
                    self.written[name] += path.stat().st_size if path.exists() else 0
            yield result
        files = (Path(folder, name) for folder, _, names in os.walk(self.place) for name in names)
        self.most = max(self.most, sum(file.stat().st_size for file in files))


def _pancakes(size: int, bounded: bool) -> Any:
    """Return all stacks of so many pancakes, with the bound of their codes or without."""
    from beliefsearch.engine.counting.codes import StateSpace
    from beliefsearch_problems.pancakes import PancakesProblem

    space: Any = StateSpace(PancakesProblem(start=tuple(range(1, size + 1))))
    if not bounded:
        space.bound = None
    return space


def measured(size: int, bounded: bool, sizes: Any = None) -> tuple[Measured, Search]:
    """Search all stacks of so many pancakes on disk; what that took, and the same search for `needs`.

    `sizes` are those of `DiskLayers`; None for those of 500 MB, from 1,000 nodes on.
    """
    from beliefsearch.engine.counting.disk_jobs import Sizes
    from beliefsearch.engine.counting.disk_layers import DiskLayers
    from beliefsearch.engine.counting.executors import Serial
    from beliefsearch.running.store.directory import Store

    space = _pancakes(size, bounded)
    sizes = sizes or evolve(Sizes.of(space, 500_000_000, Serial()), small=1_000, parts=4 if bounded else 16)
    with TemporaryDirectory() as folder, Store(Path(folder), {}, resume=False) as store:
        engine = _Measuring(Path(folder))
        layers = DiskLayers(space, store, engine, 0, sizes=sizes)
        while layers.advance():
            pass
    took = Measured(
        size,
        bounded,
        sum(layers.counts),
        engine.written["expand"],
        sum(engine.written.values()),
        engine.most,
        engine.seconds["expand"],
        engine.seconds["absorb"] + engine.seconds["merge"],
    )
    bound = space.bound if bounded else None
    return took, Search(layers.counts, size - 1, bound=bound, parts=sizes.parts)


# What was measured: by one process, with 500 MB, on the machine of `docs/figures.md` and beside other work.
MEASURED = (
    Measured(8, True, 40_320, 561_034, 669_186, 265_593, 0.011, 0.029),
    Measured(9, True, 362_880, 11_598_592, 13_167_400, 5_162_661, 0.039, 0.042),
    Measured(10, True, 3_628_800, 130_616_092, 146_209_780, 56_176_503, 0.32, 0.15),
    Measured(11, True, 39_916_800, 1_596_640_720, 1_766_835_972, 669_810_046, 3.6, 1.5),
    Measured(8, False, 40_320, 865_272, 1_638_448, 833_918, 0.029, 0.15),
    Measured(9, False, 362_880, 8_081_296, 14_913_152, 7_303_942, 0.3, 0.26),
    Measured(10, False, 3_628_800, 206_075_872, 273_902_248, 118_057_024, 3.4, 1.5),
    Measured(11, False, 39_916_800, 2_894_384_344, 3_636_660_608, 1_457_099_965, 44.3, 22.8),
)

# How many stacks of pancakes are so many turns from the one in order.
PANCAKES = {
    8: (1, 7, 42, 251, 1191, 4281, 10561, 15011, 8520, 455),
    9: (1, 8, 56, 391, 2278, 10666, 38015, 93585, 132697, 79379, 5804),
    10: (1, 9, 72, 575, 3963, 22825, 106461, 377863, 919365, 1309756, 814678, 73232),
    11: (1, 10, 90, 809, 6429, 43891, 252737, 1174766, 4126515, 9981073, 14250471, 9123648, 956354, 6),
}

# Seconds of a processor for each successor when it is made, and for each and what it is compared with when it is
# absorbed: by ranges, and by hash. Those of the largest search that was measured.
_EXPANDING = {True: 9e-9, False: 1.1e-7}
_ABSORBING = {True: 3.8e-9, False: 4.3e-8}
# Seconds of the program that hands out the jobs, for each of them: of 500 jobs that did nothing.
_JOB = 6e-3


def of_pancakes(size: int, bounded: bool) -> Search:
    """Return the search that was measured."""
    layers = PANCAKES[size]
    return Search(layers, size - 1, bound=sum(layers) if bounded else None, parts=4 if bounded else 16)


def processor_seconds(search: Search) -> float:
    """Compute the seconds of one processor."""
    of, bounded = needs(search), search.bound is not None
    # Bits are read as files; what it takes to look at them is in the time for what is found.
    compared = of.generated if bounded else of.generated + of.looked_at
    return (of.generated * _EXPANDING[bounded] + compared * _ABSORBING[bounded]) * (1 if bounded else search.words)


def hours(search: Search, workers: int, storage: float) -> float:
    """Compute the hours of workers that share a storage of so many bytes a second: the longest of three things."""
    of = needs(search, workers)
    return max(processor_seconds(search) / workers, (of.read + of.written) / storage, of.jobs * _JOB) / 3600


def _scaled(nodes: float, layers: Sequence[float]) -> tuple[float, ...]:
    return tuple(count * nodes / sum(layers) for count in layers)


LARGE = {
    "beliefs of 64 states, 4 actions": Search(_scaled(1e12, PANCAKES[11]), 4),
    "beliefs of 128 states, 8 actions": Search(_scaled(1e12, PANCAKES[11]), 8, words=2),
    "`reset-word --cerny 40`, 2^40 - 1 beliefs": Search((2**40 / 1522,) * 1522, 2, bound=2**40),
    "15 pancakes, 1.3 10^12 stacks": Search(_scaled(1_307_674_368_000, PANCAKES[11]), 14, bound=1_307_674_368_000),
}
"""Searches of 10^12 nodes; layers that nobody has counted are taken to be like those of 11 pancakes, or all alike."""

_STORAGES = ((16, 1e9), (64, 5e9), (256, 20e9))


_COMPARED = ("shuffled", "written", "most on disk", "seconds")


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _bytes(count: float) -> str:
    for unit, name in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count / 1e3:.3g} kB"


def _time(of: float) -> str:
    return f"{of:.2g} h" if of < 48 else f"{of / 24:.2g} days"


def _checked() -> str:
    lines = [
        _row("pancakes", "divided by", "nodes", *chain(*((what, "computed") for what in _COMPARED))),
        _row(*["---"] * 11),
    ]
    for took in MEASURED:
        search = of_pancakes(took.pancakes, took.bounded)
        of = needs(search)
        lines.append(
            _row(
                str(took.pancakes),
                "range" if took.bounded else "hash",
                f"{took.nodes:,}",
                *map(_bytes, (took.found, of.found, took.written, of.written, took.most, of.most)),
                *(f"{seconds:.2g}" for seconds in (took.expanding + took.absorbing, processor_seconds(search))),
            )
        )
    return "\n".join(lines)


def _large() -> str:
    lines = [_row("search", "shuffled", "written", "read", "most on disk", "jobs", "processor"), _row(*["---"] * 7)]
    for name, search in LARGE.items():
        of = needs(search, 64)
        sizes = map(_bytes, (of.found, of.written, of.read, of.most))
        lines.append(_row(name, *sizes, f"{of.jobs:,.0f}", _time(processor_seconds(search) / 3600)))
    return "\n".join(lines)


def _hours() -> str:
    lines = [
        _row("search", *(f"{workers} workers, {storage / 1e9:g} GB/s" for workers, storage in _STORAGES)),
        _row(*["---"] * (1 + len(_STORAGES))),
    ]
    lines += [_row(name, *(_time(hours(search, *with_)) for with_ in _STORAGES)) for name, search in LARGE.items()]
    return "\n".join(lines)


def with_tables(text: str) -> str:
    """Return the page with its tables as they are computed now."""
    for name, table in (("checked", _checked), ("large", _large), ("hours", _hours)):
        before, _, after = text.partition(f"<!-- table: {name} -->\n")
        text = f"{before}<!-- table: {name} -->\n{table()}\n<!-- end -->{after.partition('<!-- end -->')[2]}"
    return text


if __name__ == "__main__":
    if "--measure" in sys.argv:
        for bounded in (True, False):
            for size in (8, 8, 9, 10, 11):  # the first loads kernels
                print(measured(size, bounded)[0], flush=True)
    else:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
