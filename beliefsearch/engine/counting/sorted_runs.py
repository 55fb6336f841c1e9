"""Jobs of a search on disk over sorted runs: a new layer of a part, and runs merged into one.

A run may be larger than memory: codes are handled range by range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...running.store.npy_files import read_array, read_header, read_rows, write_array, write_rows
from .codes import Codes, absent, union, unique
from .disk_jobs import Rows, Slice
from .disk_state import ByHash, ByRange
from .executors import heed

# Where a run is so many times as long as what is looked up in it, it is not read but looked into.
_SPARSE = 32


@frozen
class Absorb:
    """Job for one part: the nodes found, those reached before, and the file for the new ones.

    So many `rows` are handled at a time, more or less.
    """

    found: tuple[Rows, ...]
    reached: tuple[Path, ...]
    rows: int
    target: Path


def absorb(job: Absorb) -> int:
    """Write the run of what is new, if anything is; how many nodes that are."""
    with write_rows(job.target, "<u8", read_header(job.found[0].path)[1][1:]) as file:
        for codes in _ranges([run for some in job.found for run in some.slices()], job.rows):
            new = codes
            for path in job.reached:
                new = _absent_in_file(new, path, job.rows)
            file.write(new)
        return file.rows


def absorb_small(job: Absorb, found: Codes) -> int:
    """As `absorb`, of codes that were not written to files; if none is new no file is written."""
    new = unique(found)
    for path in job.reached:
        new = _absent_in_file(new, path, job.rows)
    if len(new):
        write_array(job.target, new)
    return len(new)


def divide(division: ByHash | ByRange, rows: int, job: tuple[Path, Sequence[Path]]) -> list[int]:
    """Write the parts of a run of all codes to a file each; how many nodes each has. `rows` as in Absorb."""
    run, targets = job
    length = read_header(run)[1][0]
    with ExitStack() as files:
        parts = [files.enter_context(write_rows(target, division.kind, division.width)) for target in targets]
        for begin in range(0, length, rows):
            heed()
            codes = read_rows(run, begin, min(begin + rows, length))
            for file, part in zip(parts, division.divided(codes), strict=True):
                file.write(part)
        return [file.rows for file in parts]


def merge(rows: int, job: tuple[Sequence[Path], Path]) -> None:
    """Write to a file the run of all codes of runs without a code in common. `rows` as in Absorb."""
    runs, target = job
    with write_rows(target, "<u8", read_header(runs[0])[1][1:]) as file:
        for codes in _ranges([Slice(path, 0, read_header(path)[1][0]) for path in runs], rows):
            file.write(codes)


def _ranges(runs: Sequence[Slice], rows: int) -> Iterator[Codes]:
    """The codes of several runs as one, in ranges that follow each other, of about so many codes with repetitions."""
    total = sum(map(len, runs))
    if total <= rows:
        ends = [[run.end] for run in runs]
    else:
        mapped = [read_array(run.path, mapped=True) for run in runs]
        # Of each run so many codes, equally far apart, that a range between two chosen ones is not much too long.
        apart = max(rows // (8 * len(runs)), 1)
        samples = [run[some.begin : some.end : apart] for run, some in zip(mapped, runs, strict=True)]
        ordered = unique(np.concatenate(samples))
        step = max(len(ordered) * rows // (2 * total), 1)
        borders = ordered[step::step]
        ends = [
            [*(_place(run, some, border) for border in borders), some.end]
            for run, some in zip(mapped, runs, strict=True)
        ]
        del mapped, samples
    begins = [run.begin for run in runs]
    for now in zip(*ends, strict=True):
        heed()
        pieces = [
            read_rows(run.path, begin, end) for run, begin, end in zip(runs, begins, now, strict=True) if begin < end
        ]
        begins = list(now)
        if pieces:
            yield union(pieces)


def _place(run: NDArray[Any], some: Slice, code: NDArray[Any]) -> int:
    """The first row of a part of a run whose code is not less than this one."""
    wanted = tuple(code.tolist())
    low, high = some.begin, some.end
    while low < high:
        middle = (low + high) // 2
        if tuple(run[middle].tolist()) < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def _absent_in_file(codes: Codes, path: Path, rows: int) -> Codes:
    """Return the codes of a run in memory that are not in a file; only what lies between its ends is read."""
    if not len(codes):
        return codes
    mapped = read_array(path, mapped=True)
    whole = Slice(path, 0, len(mapped))
    begin, end = _place(mapped, whole, codes[0]), _place(mapped, whole, codes[-1])
    end = min(end + 1, len(mapped))
    if mapped.shape[1] == 1 and end - begin > _SPARSE * len(codes):
        return absent(codes, mapped[begin:end])
    del mapped
    left: list[Codes] = []
    for start in range(begin, end, rows):
        heed()
        reached = read_rows(path, start, min(start + rows, end))
        after = _place(codes, Slice(path, 0, len(codes)), reached[-1])
        after += after < len(codes) and bool((codes[after] == reached[-1]).all())
        left.append(absent(codes[:after], reached))
        codes = codes[after:]
    return np.concatenate([*left, codes])
