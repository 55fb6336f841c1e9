"""Data files of a problem, such as the map of a room: reading them, and identifying them by SHA-256.

The name of such a file may be wrong, or come from a stranger: a plan file names the data files of its problem. So only
ordinary files are read, up to a fixed size, and a plan file records the SHA-256 of their content.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

MOST_BYTES = 4 * 2**20
"""The size of the largest data file that is read, in bytes, unless its option allows more."""
_CHUNK = 2**16  # read at a time, so that limits and Ctrl-C are heard in between


class UnreadableFile(ValueError):
    """Error of a data file that is missing, or of a kind or size that is not read."""


def size_text(most_bytes: int = MOST_BYTES) -> str:
    """The size of the largest file that is read, as text."""
    return f"{most_bytes // 2**20:,} MiB ({most_bytes:,} bytes)"


def read_data_file(path: Path, *, most_bytes: int = MOST_BYTES, strict: bool = True) -> str:
    """The text of a data file, for problems that have an option of the type `Path`; its lines end in a newline.

    Parameters
    ----------
    path
        Of an ordinary file, in UTF-8, with or without a byte order mark.
    most_bytes
        The largest size of the file, by default 4 MiB; a field that allows more has `metadata={"most_bytes": n}`.
    strict
        Whether other bytes than those of UTF-8 are refused; if not, each becomes the character U+FFFD.

    Raises
    ------
    ValueError
        If it cannot be read, is a folder, a device or a pipe, is larger or no UTF-8; in one line, with its name.
    """
    data = _read(path, most_bytes)
    try:
        return data.decode("utf-8-sig", "strict" if strict else "replace").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"cannot read {str(path)!r}: byte {error.start} is not of a text in UTF-8") from None


def sha256_of(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """The SHA-256 of a data file, as 64 hexadecimal digits; raises as `read_data_file` does."""
    from hashlib import sha256

    return sha256(_read(path, most_bytes)).hexdigest()


def check_data_file(path: Path, most_bytes: int = MOST_BYTES) -> None:
    """Raise `UnreadableFile` for a kind or a size of file that is not read; a missing one is allowed."""
    try:
        _check_kind(path, os.stat(path), most_bytes)
    except FileNotFoundError:
        return  # the error comes when it is read, if it is read at all
    except OSError as error:
        raise _unreadable(path, error) from error


def lies_below(path: Path, folder: Path) -> bool:
    """Whether a file lies in a folder or below it after all links are resolved."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def path_to_record(written: str, folder: Path) -> str:
    """The path by which a plan file in `folder` names a data file: relative if the file lies below, else as written."""
    if not written or (folder / written == Path(written) and not Path(written).is_absolute()):
        return written
    if not lies_below(Path(written), folder):
        return written
    return Path(os.path.realpath(written)).relative_to(os.path.realpath(folder)).as_posix()


def _read(path: Path, most_bytes: int) -> bytes:
    check_data_file(path, most_bytes)
    chunks: list[bytes] = []
    size = 0
    try:
        with open(path, "rb", opener=_open_at_once) as stream:
            _check_kind(path, os.fstat(stream.fileno()), most_bytes)  # the file may have been replaced since the check
            while chunk := stream.read(_CHUNK):
                size += len(chunk)  # the file may grow
                if size > most_bytes:
                    raise _too_large(path, most_bytes)
                chunks.append(chunk)
    except OSError as error:
        raise _unreadable(path, error) from error
    return b"".join(chunks)


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # opening a pipe would wait for a writer


def _check_kind(path: Path, found: os.stat_result, most_bytes: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
        kind = next((name for is_kind, name in kinds if is_kind(found.st_mode)), "a device")
        most = size_text(most_bytes)
        raise UnreadableFile(
            f"cannot read {str(path)!r}: it is {kind}, and a data file is an ordinary file of at most {most}"
        )
    if found.st_size > most_bytes:
        raise _too_large(path, most_bytes)


def _too_large(path: Path, most_bytes: int) -> UnreadableFile:
    most = size_text(most_bytes)
    return UnreadableFile(f"cannot read {str(path)!r}: it is larger than {most}, the most that a data file may have")


def _unreadable(path: Path, error: OSError) -> UnreadableFile:
    return UnreadableFile(f"cannot read {str(path)!r}: {error.strerror or error}")
