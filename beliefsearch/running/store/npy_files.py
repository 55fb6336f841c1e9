"""Arrays in files that nobody needs to trust: written whole or not at all, and looked at before they are loaded.

They are .npy files. Those that must last end with a checksum, which NumPy takes no notice of.
"""

from __future__ import annotations

import errno
import math
import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from struct import Struct
from typing import IO, Any
from zlib import crc32

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ...errors import StoreError

# Numbers and truth values of a fixed size: loading them runs no code.
_KINDS = "biuf"
_LONGEST_HEADER = 4096
# What `numpy.save` writes before such arrays: the length of the header, the kind, and the shape.
_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(..)"
    rb"\{'descr': '([<>|][%b]\d{1,2})', 'fortran_order': False, 'shape': \(([\d, ]{0,200})\), \} *\n" % _KINDS.encode(),
    re.DOTALL,
)
_MOST_AXES = 8
_LARGEST = 2**62  # bytes, where a length of 0 counts as 1: so does NumPy
_CHECKSUM = Struct("<4sI")
_MARK = b"crc\x00"
_PIECE = 1 << 20
PART = ".part"
"""How the names of files end that are being written."""

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def is_full(error: BaseException) -> bool:
    """Whether a file could not be written because there is no space left."""
    return isinstance(error, OSError) and error.errno in _FULL


def write_whole(path: Path, write: Callable[[IO[bytes]], object], *, lasting: bool) -> None:
    """Write a file under another name, and rename it when it is whole; `lasting`: so that it survives a power failure.

    `write` is given the open file. Whoever writes the same file at the same time does no harm.
    """
    part = _part_of(path)
    try:
        with open(_new(part), "wb") as new:
            write(new)
            if lasting:
                new.flush()
                os.fsync(new.fileno())
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def write_array(path: Path, array: NDArray[Any], *, lasting: bool = True) -> None:
    """Write an array of numbers as .npy, whole or not at all; the folder must exist.

    Raises
    ------
    OSError
        If it cannot be written; `is_full` says whether for lack of space.
    """
    assert array.dtype.kind in _KINDS

    def write(new: IO[bytes]) -> None:
        npy.write_array_header_1_0(new, {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape})
        content = _bytes_of(array)
        new.write(content)
        if lasting:
            new.write(_CHECKSUM.pack(_MARK, crc32(content)))

    write_whole(path, write, lasting=lasting)


def read_header(path: Path) -> tuple[str, tuple[int, ...]]:
    """The kind and the shape of the array in a .npy file, once its length is found to agree with them.

    Raises
    ------
    StoreError
        If there is no such file, or it is no whole array of numbers, or a link, or no ordinary file.
    """
    with _opened(path) as (_, kind, shape):
        return kind.str, shape


def check_array(path: Path) -> None:
    """Make sure that an array that must last is as it was written, which takes reading it.

    Raises
    ------
    StoreError
        As `read_header`, and if its numbers are not those that were written.
    """
    with _opened(path) as (file, kind, shape):
        left, found = math.prod(shape) * kind.itemsize, 0
        while left and (piece := file.read(min(left, _PIECE))):
            found = crc32(piece, found)
            left -= len(piece)
        if file.read(_CHECKSUM.size + 1) != _CHECKSUM.pack(_MARK, found):
            raise StoreError(f"{str(path)!r} is damaged: its checksum is wrong")


def read_array(path: Path, *, mapped: bool = False) -> NDArray[Any]:
    """The array in a .npy file; `mapped`: it stays in the file, of which only what is looked at is read.

    Nothing is allocated before the length of the file is found to agree with its header, and no code is run.

    Raises
    ------
    StoreError
        As `read_header`.
    """
    with _opened(path) as (file, kind, shape):
        count = math.prod(shape)
        if count == 0:
            return np.empty(shape, dtype=kind)
        if mapped:
            return np.memmap(file, dtype=kind, mode="r", offset=file.tell(), shape=shape).view(np.ndarray)
        return _numbers(path, file, kind, count).reshape(shape)


def read_rows(path: Path, begin: int, end: int) -> NDArray[Any]:
    """Some rows of the array in a .npy file, as an array of their own.

    Raises
    ------
    StoreError
        As `read_header`, and if there are not so many rows.
    """
    with _opened(path) as opened:
        return _rows(path, *opened, begin, end)


def read_pieces(path: Path, ends: Sequence[int], most: int) -> Iterator[NDArray[Any]]:
    """Rows of the array in a .npy file: from each first of two `ends` up to the second, at most so many at a time.

    Raises
    ------
    StoreError
        As `read_rows`.
    """
    with _opened(path) as (file, kind, shape):
        first = file.tell()
        for begin, end in zip(ends[::2], ends[1::2], strict=True):
            for start in range(begin, end, most):
                file.seek(first)
                yield _rows(path, file, kind, shape, start, min(start + most, end))


def _rows(path: Path, file: FileIO, kind: np.dtype[Any], shape: tuple[int, ...], begin: int, end: int) -> NDArray[Any]:
    """Some rows of an array whose numbers begin where the file is."""
    if not shape or not 0 <= begin <= end <= shape[0]:
        raise StoreError(f"{str(path)!r} is damaged: it does not have {end} rows")
    width = math.prod(shape[1:])
    file.seek(begin * width * kind.itemsize, os.SEEK_CUR)
    return _numbers(path, file, kind, (end - begin) * width).reshape(end - begin, *shape[1:])


def _numbers(path: Path, file: FileIO, kind: np.dtype[Any], count: int) -> NDArray[Any]:
    """So many numbers from where the file is; NumPy's own way loses a signal that comes while it looks at the file."""
    found = np.empty(count, dtype=kind)
    left = found.view(np.uint8).data
    while left:
        read = file.readinto(left)
        if not read:
            raise StoreError(f"{str(path)!r} is damaged: it is shorter than it was")
        left = left[read:]
    return found


class RowWriter:
    """Writes an array whose length is not known beforehand to a .npy file, some rows at a time, whole or not at all.

    A context manager; the file is there when it is left without an exception.
    """

    def __init__(self, path: Path, kind: Any, width: tuple[int, ...] = (), *, lasting: bool = True) -> None:
        self._path, self._lasting = path, lasting
        self._part = _part_of(path)
        self._header = {"descr": np.dtype(kind).str, "fortran_order": False, "shape": (0, *width)}
        self.rows = 0
        self._checksum = 0
        self._file = open(_new(self._part), "wb")  # noqa: SIM115  # closed in __exit__
        npy.write_array_header_1_0(self._file, self._header)
        self._begin = self._file.tell()

    def write(self, rows: NDArray[Any]) -> None:
        """Add these rows."""
        content = _bytes_of(rows.astype(self._header["descr"], copy=False))
        self._file.write(content)
        if self._lasting:
            self._checksum = crc32(content, self._checksum)
        self.rows += len(rows)

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            with self._file:
                if error is None:
                    if self._lasting:
                        self._file.write(_CHECKSUM.pack(_MARK, self._checksum))
                    self._file.seek(0)
                    shape = (self.rows, *self._header["shape"][1:])
                    npy.write_array_header_1_0(self._file, {**self._header, "shape": shape})
                    assert self._file.tell() == self._begin  # NumPy leaves room for the length to grow
                    if self._lasting:
                        self._file.flush()
                        os.fsync(self._file.fileno())
            if error is None:
                os.replace(self._part, self._path)
        finally:
            with suppress(OSError):  # mostly because it has become the array
                self._part.unlink()


def _bytes_of(array: NDArray[Any]) -> memoryview:
    """What `tofile` would write; but that does not say when there is no space left."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _part_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.{os.urandom(8).hex()}{PART}")


def _new(path: Path) -> int:
    """Open a file that is not there yet, so that nobody can have put a link in its place."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o666)


def unreadable(path: Path, error: OSError) -> StoreError:
    """The error that says why a file of a store cannot be read."""
    why = "it is lacking" if isinstance(error, FileNotFoundError) else error.strerror or error
    return StoreError(f"cannot read {str(path)!r}: {why}")


def open_plain(path: Path) -> int:
    """Open an ordinary file for reading, and no link, pipe or device."""
    try:
        found = os.open(path, os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise StoreError(f"{str(path)!r} is a symbolic link, and a store has none") from error
        raise unreadable(path, error) from error
    if not stat.S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        raise StoreError(f"{str(path)!r} is no ordinary file")
    return found


@contextmanager
def _opened(path: Path) -> Iterator[tuple[FileIO, np.dtype[Any], tuple[int, ...]]]:
    """An open .npy file at the place where its numbers begin, the kind of the array and its shape."""
    with open(open_plain(path), "rb", buffering=0) as file:
        try:
            kind, shape, begin = _header_of(file.read(_LONGEST_HEADER))
        except (ValueError, TypeError) as error:
            raise StoreError(f"{str(path)!r} is damaged: it does not begin like an array") from error
        try:
            size = os.fstat(file.fileno()).st_size - begin - math.prod(shape) * kind.itemsize
            if size not in (0, _CHECKSUM.size):
                raise StoreError(f"{str(path)!r} is damaged: its length is not that of the array it should hold")
            file.seek(begin)
            yield file, kind, shape
        except OSError as error:
            raise unreadable(path, error) from error


def _header_of(text: bytes) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    """The kind and the shape of an array, and where its numbers begin, as NumPy writes this at the start of a file.

    NumPy reads it as Python, which takes longer than all else that is done with a short array.
    """
    found = _HEADER.match(text)
    if found is None or int.from_bytes(found[1], "little") != found.end() - found.end(1):
        raise ValueError("no array of numbers")
    lengths = found[3].decode().split(",")
    kind, shape = np.dtype(found[2].decode()), tuple(int(length) for length in lengths if length.strip())
    # NumPy multiplies these also where one of the others is 0.
    if len(shape) > _MOST_AXES or math.prod(length or 1 for length in shape) * kind.itemsize > _LARGEST:
        raise ValueError("no array that there can be")
    return kind, shape, found.end()
