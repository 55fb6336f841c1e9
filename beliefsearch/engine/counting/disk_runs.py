"""Jobs of a search on disk for one part of the codes: finding its new nodes, dividing and merging its runs.

If a part is a range of codes, a file of bits has the nodes reached up to some layer, and runs have the later ones.
Otherwise all reached nodes are in sorted runs. A run may be larger than memory, so codes are handled range by range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...errors import StoreError
from ...running.store.npy_files import read_array, read_header, read_pieces, read_rows, write_array, write_rows
from ..compiled.bitset_kernels import lowest_bit
from ..compiled.jit import kernel
from .codes import Codes, absent, union, unique
from .disk_jobs import Rows
from .disk_state import ByHash, ByRange
from .executors import heed

Offsets = NDArray[np.uint32]
Bits = NDArray[np.uint64]
_Files = tuple[Path | None, tuple[Path, ...]]

_PIECE = 1 << 20
# If there is less than one offset for so many bits, the offsets are looked up in the files.
SPARSE = 1 << 12
# If there is more than one offset for so many bits, scanning all bits is faster than sorting the new offsets.
_DENSE = 256
# The bits are rewritten if the later runs have more than this share (1/8) of the range, or are so many.
_NODES_SINCE = 8
_LAYERS_SINCE = 64
# Reading so many words of bits takes less time than sending jobs to other processes.
_FEW_WORDS = 1 << 22


def are_due(since: Sequence[int], division: ByRange) -> bool:
    """Whether the bits of a range should be rewritten; `since` has the number of nodes of each later run."""
    return sum(since) * _NODES_SINCE > division.size or len(since) >= _LAYERS_SINCE


def are_few(division: ByRange) -> bool:
    """Whether the bits of all ranges are few enough to be read by this process."""
    return division.parts * division.size <= 64 * _FEW_WORDS


@frozen
class AbsorbBits:
    """Job for one range: the nodes found, those reached before, and the file for the new ones."""

    found: tuple[Rows, ...]  # offsets in the range, in any order, with repetitions
    base: Path | None  # the bits of the nodes reached first; None if the runs have all nodes
    runs: tuple[Path, ...]  # the nodes reached since then; the last run is of the layer before the new one
    size: int  # the number of codes of the range
    target: Path  # the file for the new run
    new_base: Path | None  # the file for the bits of all nodes reached now; None if they are not rewritten
    search: str
    part: int
    stay: bool  # whether the bits stay in memory for the next layer


_staying: dict[int, tuple[str, _Files, Bits]] = {}
"""Bits that stay in memory, by part: their search, the files with the same contents, and the bits."""


def absorb_bits(job: AbsorbBits) -> int:
    """Write the run of the new nodes, if there are any, and return their number."""
    wanted = sum(map(len, job.found))
    known = _staying.pop(job.part, None)
    if known is None and not job.stay and job.new_base is None and wanted * SPARSE < job.size:
        new = _looked_up(job)
    else:
        bits = _bits_of(job, known)
        new = _entered(job, bits)
        if job.new_base is not None:
            write_array(job.new_base, bits)
        if job.stay:
            if any(search != job.search for search, _, _ in list(_staying.values())):
                _staying.clear()
            runs = (*job.runs, job.target) if len(new) else job.runs
            _staying[job.part] = job.search, (job.base, runs) if job.new_base is None else (job.new_base, ()), bits
    if len(new):
        write_array(job.target, new.astype(read_header(job.found[0].path)[0], copy=False))
    return len(new)


def forget(search: str) -> None:
    """Free the bits of a search that stayed in this process."""
    for part, (owner, _, _) in list(_staying.items()):
        if owner == search:
            _staying.pop(part, None)


def _offsets(rows: Rows) -> Iterator[Offsets]:
    """Yield the offsets in these rows, some at a time."""
    for some in read_pieces(rows.path, rows.ends, _PIECE):
        heed()
        yield some.astype(np.uint32, copy=False)


def _bits_of(job: AbsorbBits, known: tuple[str, _Files, Bits] | None) -> Bits:
    """Return the bits of the nodes reached before, from those that stayed in memory and the files."""
    entered = 0
    bits: Bits
    if known is not None and known[0] == job.search and known[1] == (job.base, job.runs[: len(known[1][1])]):
        bits, entered = known[2], len(known[1][1])  # later runs were found by other workers
    else:
        bits = np.zeros(job.size // 64, dtype=np.uint64) if job.base is None else read_array(job.base)
    for path in job.runs[entered:]:
        for offsets in _offsets(Rows(path, (0, read_header(path)[1][0]))):
            _enter(bits, offsets, path)
    return bits


def _enter(bits: Bits, offsets: Offsets, path: Path) -> int:
    """Set bits, move the offsets whose bits were not set to the front, and return their number."""
    count = enter(bits, offsets)
    if count < 0:
        raise StoreError(f"{str(path)!r} is damaged: it holds codes that are too large")
    return count


def _entered(job: AbsorbBits, bits: Bits) -> Offsets:
    """Set the bits of the nodes found, and return the offsets whose bits were not set, in ascending order."""
    many = sum(map(len, job.found)) * _DENSE > job.size
    before = bits.copy() if many else bits
    new: list[Offsets] = [np.zeros(0, dtype=np.uint32)]
    total = 0
    for some in job.found:
        for offsets in _offsets(some):
            count = _enter(bits, offsets, some.path)
            total += count
            if not many:
                new.append(offsets[:count].copy())
    if many:
        return set_since(before, bits, total)
    ordered: Offsets = np.concatenate(new)
    ordered.sort()
    return ordered


def _looked_up(job: AbsorbBits) -> Offsets:
    """Return the same as `_entered` by looking up few nodes in the files, without reading all bits."""
    found: Offsets = np.sort(np.concatenate([offsets for some in job.found for offsets in _offsets(some)]))
    if len(found) and found[-1] >= job.size:
        raise StoreError(f"{str(job.found[0].path)!r} is damaged: it holds codes that are too large")
    found = found[np.concatenate([[True], found[1:] != found[:-1]])]
    if job.base is not None:
        bits = read_array(job.base, mapped=True)
        found = found[bits[found >> 6] >> (found & np.uint32(63)).astype(np.uint64) & np.uint64(1) == 0]
    for path in job.runs:
        run = read_array(path, mapped=True)
        places = np.searchsorted(run, found.astype(run.dtype))
        places[places == len(run)] = 0
        found = found[run[places] != found]
    return found


@kernel
def enter(bits: NDArray[np.uint64], offsets: NDArray[Any]) -> int:
    """Set bits, and move the offsets whose bits were not set to the front of `offsets`.

    Returns the number of these; -1 if an offset is too large.
    """
    count = 0
    size = 64 * len(bits)
    for offset in offsets:
        if offset >= size:
            return -1
        word = offset >> 6
        bit = np.uint64(1) << np.uint64(offset & 63)
        if not bits[word] & bit:
            bits[word] |= bit
            offsets[count] = offset
            count += 1
    return count


@kernel
def set_since(before: NDArray[np.uint64], bits: NDArray[np.uint64], total: int) -> NDArray[np.uint32]:
    """Return the places of the bits that are set but were not `before`, in ascending order; there are `total`."""
    found = np.empty(total, dtype=np.uint32)
    count = 0
    for word in range(len(bits)):
        new = bits[word] & ~before[word]
        while new:
            found[count] = 64 * word + lowest_bit(new)
            count += 1
            new &= new - np.uint64(1)
    return found


# A run that is so many times as long as the codes to be looked up is searched by bisection instead of being read.
_SPARSE = 32


@frozen
class Absorb:
    """Job for one part: the nodes found, those reached before, and the file for the new ones.

    About `rows` codes are handled at a time.
    """

    found: tuple[Rows, ...]
    reached: tuple[Path, ...]
    rows: int
    target: Path


def absorb(job: Absorb) -> int:
    """Write the run of the new nodes and return their number."""
    with write_rows(job.target, "<u8", read_header(job.found[0].path)[1][1:]) as file:
        for codes in _ranges([run for some in job.found for run in some.slices()], job.rows):
            new = codes
            for path in job.reached:
                new = _absent_in_file(new, path, job.rows)
            file.write(new)
        return file.rows


def absorb_small(job: Absorb, found: Codes) -> int:
    """Write the run of the new ones of these codes, if there are any, and return their number."""
    new = unique(found)
    for path in job.reached:
        new = _absent_in_file(new, path, job.rows)
    if len(new):
        write_array(job.target, new)
    return len(new)


def divide(division: ByHash | ByRange, rows: int, job: tuple[Path, Sequence[Path]]) -> list[int]:
    """Write each part of a run to a file of its own, and return the numbers of their nodes; `rows` as in `Absorb`."""
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
    """Write the union of runs that have no code in common to a file; `rows` as in `Absorb`."""
    runs, target = job
    with write_rows(target, "<u8", read_header(runs[0])[1][1:]) as file:
        for codes in _ranges([Rows(path, (0, read_header(path)[1][0])) for path in runs], rows):
            file.write(codes)


def _ranges(runs: Sequence[Rows], rows: int) -> Iterator[Codes]:
    """Yield the union of several runs in successive ranges, each of about `rows` codes with repetitions."""
    total = sum(map(len, runs))
    if total <= rows:
        ends = [[run.ends[1]] for run in runs]
    else:
        mapped = [read_array(run.path, mapped=True) for run in runs]
        # Samples at equal distances in each run, so many that a range between two borders is not much too long.
        apart = max(rows // (8 * len(runs)), 1)
        samples = [run[some.ends[0] : some.ends[1] : apart] for run, some in zip(mapped, runs, strict=True)]
        ordered = unique(np.concatenate(samples))
        step = max(len(ordered) * rows // (2 * total), 1)
        borders = ordered[step::step]
        ends = [
            [*(_place(run, some.ends[0], some.ends[1], border) for border in borders), some.ends[1]]
            for run, some in zip(mapped, runs, strict=True)
        ]
        del mapped, samples
    begins = [run.ends[0] for run in runs]
    for now in zip(*ends, strict=True):
        heed()
        pieces = [
            read_rows(run.path, begin, end) for run, begin, end in zip(runs, begins, now, strict=True) if begin < end
        ]
        begins = list(now)
        if pieces:
            yield union(pieces)


def _place(run: NDArray[Any], low: int, high: int, code: NDArray[Any]) -> int:
    """Return the first row from `low` to below `high` whose code is not less than `code`; `high` if there is none."""
    wanted = tuple(code.tolist())
    while low < high:
        middle = (low + high) // 2
        if tuple(run[middle].tolist()) < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def _absent_in_file(codes: Codes, path: Path, rows: int) -> Codes:
    """Return the codes of a run in memory that are not in a file, of which only the rows in their range are read."""
    if not len(codes):
        return codes
    mapped = read_array(path, mapped=True)
    begin, end = (_place(mapped, 0, len(mapped), code) for code in (codes[0], codes[-1]))
    end = min(end + 1, len(mapped))
    if mapped.shape[1] == 1 and end - begin > _SPARSE * len(codes):
        return absent(codes, mapped[begin:end])
    del mapped
    left: list[Codes] = []
    for start in range(begin, end, rows):
        heed()
        reached = read_rows(path, start, min(start + rows, end))
        after = _place(codes, 0, len(codes), reached[-1])
        after += after < len(codes) and bool((codes[after] == reached[-1]).all())
        left.append(absent(codes[:after], reached))
        codes = codes[after:]
    return np.concatenate([*left, codes])
