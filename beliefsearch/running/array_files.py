"""Arrays in files that nobody needs to trust: written whole or not at all, and looked at before they are loaded."""

from __future__ import annotations

import errno
import math
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ..errors import StoreError

# Numbers and truth values of a fixed size: loading them runs no code.
_KINDS = "biuf"
_LONGEST_HEADER = 4096
PART = ".part"
"""How the names of files end that are being written."""

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def is_full(error: BaseException) -> bool:
    """Whether a file could not be written because there is no space left."""
    return isinstance(error, OSError) and error.errno in _FULL


def write_whole(path: Path, write: Any, *, lasting: bool) -> None:
    """Write a file under another name, and rename it when it is whole; `lasting`: so that it survives a power failure.

    `write` is given the open file. Whoever writes the same file at the same time does no harm.
    """
    part = path.with_name(f"{path.name}.{os.urandom(8).hex()}{PART}")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o666), "wb") as new:
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
    whole = np.ascontiguousarray(array)
    write_whole(path, lambda new: npy.write_array(new, whole, allow_pickle=False), lasting=lasting)


def read_header(path: Path) -> tuple[str, tuple[int, ...]]:
    """The kind and the shape of the array in a .npy file, once its length is found to agree with them.

    Raises
    ------
    StoreError
        If there is no such file, or it is no whole array of numbers, or a link, or no ordinary file.
    """
    kind, shape, _ = _looked_at(path)
    return kind.str, shape


def read_array(path: Path, *, mapped: bool = False) -> NDArray[Any]:
    """The array in a .npy file; `mapped`: it stays in the file, of which only what is looked at is read.

    Nothing is allocated before the length of the file is found to agree with its header, and no code is run.

    Raises
    ------
    StoreError
        As `read_header`.
    """
    kind, shape, begin = _looked_at(path)
    count = math.prod(shape)
    if count == 0:
        return np.empty(shape, dtype=kind)
    try:
        if mapped:
            return np.memmap(path, dtype=kind, mode="r", offset=begin, shape=shape).view(np.ndarray)
        return np.fromfile(path, dtype=kind, count=count, offset=begin).reshape(shape)
    except OSError as error:
        raise unreadable(path, error) from error


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


def _looked_at(path: Path) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    """The kind and the shape of an array in a file, and where its numbers begin."""
    with open(open_plain(path), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        try:
            version = npy.read_magic(file)
            if version != (1, 0):
                raise ValueError("another version")
            shape, fortran, kind = npy.read_array_header_1_0(file, max_header_size=_LONGEST_HEADER)
        except (ValueError, OSError, RecursionError, MemoryError, SyntaxError) as error:
            raise StoreError(f"{str(path)!r} is damaged: it does not begin like an array") from error
        begin = file.tell()
    sound = kind.kind in _KINDS and not fortran and all(isinstance(length, int) and length >= 0 for length in shape)
    if not sound or begin + math.prod(shape) * kind.itemsize != size:
        raise StoreError(f"{str(path)!r} is damaged: its length is not that of the array it should hold")
    return kind, shape, begin
