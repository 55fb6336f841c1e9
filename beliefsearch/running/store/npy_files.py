"""Arrays in .npy files: written whole or not at all, and read without running code.

Files that must last end with a checksum, which NumPy ignores.
"""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from struct import Struct
from tokenize import TokenError
from typing import IO, Any
from zlib import crc32

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ...errors import StoreError

# Numbers and truth values of a fixed size: loading them runs no code.
_KINDS = "biuf"
_CHECKSUM = Struct("<4sI")
_MARK = b"crc\x00"
_PIECE = 1 << 20

PART = ".part"
"""Ending of the names of unfinished files."""

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


def is_full(error: BaseException) -> bool:
    """Whether an error says that there is no space left."""
    return isinstance(error, OSError) and error.errno in _FULL


@contextmanager
def write_whole(path: Path, *, lasting: bool) -> Iterator[IO[bytes]]:
    """Open a new file, which gets its name once it is written; `lasting`: it survives a power failure.

    Several processes may write the same file at the same time.
    """
    part = path.with_name(f"{path.name}.{os.urandom(8).hex()}{PART}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(part, flags, 0o666), "wb") as new:
            yield new
            if lasting:
                new.flush()
                os.fsync(new.fileno())
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write a lasting .npy file of an array of numbers, whole or not at all; the folder must exist."""
    assert array.dtype.kind in _KINDS
    with write_rows(path, array.dtype, array.shape[1:]) as file:
        file.write(array)


def read_header(path: Path) -> tuple[str, tuple[int, ...]]:
    """Return the dtype and the shape of the array in a .npy file.

    All readers raise `StoreError` if there is no such file, or it is no array of numbers, or its length is wrong.
    """
    with _opened(path) as (_, kind, shape):
        return kind.str, shape


def check_array(path: Path) -> None:
    """Read a lasting file and raise `StoreError` unless its checksum is right."""
    with _opened(path) as (file, kind, shape):
        left, found = math.prod(shape) * kind.itemsize, 0
        while left and (piece := file.read(min(left, _PIECE))):
            found = crc32(piece, found)
            left -= len(piece)
        if file.read(_CHECKSUM.size + 1) != _CHECKSUM.pack(_MARK, found):
            raise StoreError(f"{str(path)!r} is damaged: its checksum is wrong")


def read_array(path: Path, *, mapped: bool = False) -> NDArray[Any]:
    """Return the array in a .npy file, or with `mapped` a memory map of it.

    Memory is allocated only after the length of the file was found to agree with its header. No code is run.
    """
    with _opened(path) as (file, kind, shape):
        count = math.prod(shape)
        if count == 0:
            return np.empty(shape, dtype=kind)
        if mapped:
            return np.memmap(file, dtype=kind, mode="r", offset=file.tell(), shape=shape).view(np.ndarray)
        return _numbers(path, file, kind, count).reshape(shape)


def read_rows(path: Path, begin: int, end: int) -> NDArray[Any]:
    """Return a copy of some rows of the array in a .npy file."""
    with _opened(path) as opened:
        return _rows(path, *opened, begin, end)


def read_pieces(path: Path, ends: Sequence[int], most: int) -> Iterator[NDArray[Any]]:
    """Yield row ranges of the array in a .npy file, `most` rows at once; `ends` lists begin and end of each range."""
    with _opened(path) as (file, kind, shape):
        first = file.tell()
        for begin, end in zip(ends[::2], ends[1::2], strict=True):
            for start in range(begin, end, most):
                file.seek(first)
                yield _rows(path, file, kind, shape, start, min(start + most, end))


def _rows(path: Path, file: FileIO, kind: np.dtype[Any], shape: tuple[int, ...], begin: int, end: int) -> NDArray[Any]:
    """Read some rows of an array whose numbers begin at the current position of the file."""
    if not shape or not 0 <= begin <= end <= shape[0]:
        raise StoreError(f"{str(path)!r} is damaged: it does not have {end} rows")
    width = math.prod(shape[1:])
    file.seek(begin * width * kind.itemsize, os.SEEK_CUR)
    return _numbers(path, file, kind, (end - begin) * width).reshape(end - begin, *shape[1:])


def _numbers(path: Path, file: FileIO, kind: np.dtype[Any], count: int) -> NDArray[Any]:
    """Read `count` numbers; `np.fromfile` would lose a signal that comes while it reads."""
    found = np.empty(count, dtype=kind)
    left = found.view(np.uint8).data
    while left:
        read = file.readinto(left)
        if not read:
            raise StoreError(f"{str(path)!r} is damaged: it is shorter than it was")
        left = left[read:]
    return found


@contextmanager
def write_rows(path: Path, kind: Any, width: tuple[int, ...] = (), *, lasting: bool = True) -> Iterator[RowWriter]:
    """Write a .npy file some rows at a time, without knowing their number beforehand, whole or not at all."""
    header = {"descr": np.dtype(kind).str, "fortran_order": False, "shape": (0, *width)}
    with write_whole(path, lasting=lasting) as new:
        npy.write_array_header_1_0(new, header)
        begin = new.tell()
        writer = RowWriter(new, header["descr"], lasting)
        yield writer
        if lasting:
            new.write(_CHECKSUM.pack(_MARK, writer.checksum))
        new.seek(0)
        npy.write_array_header_1_0(new, {**header, "shape": (writer.rows, *width)})
        assert new.tell() == begin  # NumPy leaves room for the length to grow


class RowWriter:
    """Writer that appends and counts rows; see `write_rows`."""

    def __init__(self, file: IO[bytes], kind: Any, lasting: bool) -> None:
        self._file, self._kind, self._lasting = file, kind, lasting
        self.rows = 0
        self.checksum = 0

    def write(self, rows: NDArray[Any]) -> None:
        """Add these rows."""
        # Not `tofile`, which does not report a full disk.
        content = np.ascontiguousarray(rows, self._kind).reshape(-1).view(np.uint8).data
        self._file.write(content)
        if self._lasting:
            self.checksum = crc32(content, self.checksum)
        self.rows += len(rows)


def unreadable(path: Path, error: OSError) -> StoreError:
    """Make the error that says why a file of a store cannot be read."""
    why = "it is lacking" if isinstance(error, FileNotFoundError) else error.strerror or error
    return StoreError(f"cannot read {str(path)!r}: {why}")


@contextmanager
def _opened(path: Path) -> Iterator[tuple[FileIO, np.dtype[Any], tuple[int, ...]]]:
    """Open a .npy file at the place where its numbers begin; also gives the dtype and the shape of the array."""
    try:
        with open(path, "rb", buffering=0) as file:
            try:
                if npy.read_magic(file) != (1, 0):
                    raise ValueError("another version")
                shape, fortran_order, kind = npy.read_array_header_1_0(file)
                size = os.fstat(file.fileno()).st_size - file.tell() - math.prod(shape) * kind.itemsize
                if fortran_order or kind.kind not in _KINDS or size not in (0, _CHECKSUM.size):
                    raise ValueError("no array of numbers as they are written here")
            except (ValueError, TypeError, OverflowError, SyntaxError, TokenError) as error:  # of NumPy's reader
                raise StoreError(f"{str(path)!r} is damaged: it is not the array that was written") from error
            yield file, kind, shape
    except OSError as error:
        raise unreadable(path, error) from error
