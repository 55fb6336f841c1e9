"""Jobs of a search on disk over a part of all codes: a new layer of it, and runs that are divided or merged.

Where a part is a range of codes, bits in a file say what was reached up to some layer, and what was reached since then
lies in runs. Else all of it lies in sorted runs. A run may be larger than memory: codes are handled range by range.
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
# Where so few offsets are looked for, as a share of the bits, they are looked up in the files.
SPARSE = 1 << 12
# Where there is one for so many bits, it is quicker to look at all bits than to sort what is new.
_DENSE = 256
# Bits are written anew when as many nodes as this share of a range, or so many layers, have come since.
_NODES_SINCE = 8
_LAYERS_SINCE = 64
# So many words of bits are read, where few nodes are found, in less time than it takes to hand out work.
_FEW_WORDS = 1 << 22


def are_due(since: Sequence[int], division: ByRange) -> bool:
    """Whether the bits of a range are to be written anew; `since` has the nodes of each run that came after them."""
    return sum(since) * _NODES_SINCE > division.size or len(since) >= _LAYERS_SINCE


def are_few(division: ByRange) -> bool:
    """Whether the bits of all ranges are read in no time."""
    return division.parts * division.size <= 64 * _FEW_WORDS


@frozen
class AbsorbBits:
    """Job for one range: the nodes found, those reached before, and the file for the new ones."""

    found: tuple[Rows, ...]  # offsets in the range, in any order, with repetitions
    base: Path | None  # the bits of what was reached first; None: of nothing
    runs: tuple[Path, ...]  # of what was reached since then; the last of them is of the layer before the new one
    size: int  # how many codes there are in the range
    target: Path  # where to write the new run
    new_base: Path | None  # where to write the bits of all that is reached now; None: not
    search: str
    part: int
    stay: bool  # whether the bits stay in memory for the next layer


_staying: dict[int, tuple[str, _Files, Bits]] = {}
"""By range: of which search the bits are, the files that say the same, and the bits."""


def absorb_bits(job: AbsorbBits) -> int:
    """Write the run of what is new, if anything is; how many nodes that are."""
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
    """Let go of the bits of a search that stayed in this process."""
    for part, (owner, _, _) in list(_staying.items()):
        if owner == search:
            _staying.pop(part, None)


def _offsets(rows: Rows) -> Iterator[Offsets]:
    """The offsets in these rows, some at a time."""
    for some in read_pieces(rows.path, rows.ends, _PIECE):
        heed()
        yield some.astype(np.uint32, copy=False)


def _bits_of(job: AbsorbBits, known: tuple[str, _Files, Bits] | None) -> Bits:
    """The bits of what was reached before, from those that stayed, if they do, and the files."""
    entered = 0
    bits: Bits
    if known is not None and known[0] == job.search and known[1] == (job.base, job.runs[: len(known[1][1])]):
        bits, entered = known[2], len(known[1][1])  # what was found since then was found elsewhere
    else:
        bits = np.zeros(job.size // 64, dtype=np.uint64) if job.base is None else read_array(job.base)
    for path in job.runs[entered:]:
        for offsets in _offsets(Rows(path, (0, read_header(path)[1][0]))):
            _enter(bits, offsets, path)
    return bits


def _enter(bits: Bits, offsets: Offsets, path: Path) -> int:
    """Set bits, and move to the front those offsets whose bits were not set; how many they are."""
    count = enter(bits, offsets)
    if count < 0:
        raise StoreError(f"{str(path)!r} is damaged: it holds codes that are too large")
    return count


def _entered(job: AbsorbBits, bits: Bits) -> Offsets:
    """Return the found codes that have no bit yet, in ascending order; they have one then."""
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
    """As `_entered`, where only few were found: the bits stay in their file."""
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
    """Set bits, and move to the front those offsets whose bits were not set; how many they are, -1 if one is too large.

    `offsets` is changed.
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
    """The places of bits that are set and were not before, in ascending order; there are `total` of them."""
    found = np.empty(total, dtype=np.uint32)
    count = 0
    for word in range(len(bits)):
        new = bits[word] & ~before[word]
        while new:
            found[count] = 64 * word + lowest_bit(new)
            count += 1
            new &= new - np.uint64(1)
    return found


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
        for codes in _ranges([Rows(path, (0, read_header(path)[1][0])) for path in runs], rows):
            file.write(codes)


def _ranges(runs: Sequence[Rows], rows: int) -> Iterator[Codes]:
    """The codes of several runs as one, in ranges that follow each other, of about so many codes with repetitions."""
    total = sum(map(len, runs))
    if total <= rows:
        ends = [[run.ends[1]] for run in runs]
    else:
        mapped = [read_array(run.path, mapped=True) for run in runs]
        # Of each run so many codes, equally far apart, that a range between two chosen ones is not much too long.
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
    """The first row of a part of a run whose code is not less than this one."""
    wanted = tuple(code.tolist())
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
