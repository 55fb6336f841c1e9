"""Data files of a problem, such as the map of a room: reading them, and identifying them by SHA-256.

Whoever names such a file may be mistaken, or be somebody else: a plan file names the data files of its problem.
So only ordinary files are read, up to a fixed size, and a plan file records what was in them.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

MOST_BYTES = 4 * 2**20
"""The size of the largest data file that is read, in bytes."""

SIZE_TEXT = f"4 MiB ({MOST_BYTES:,} bytes)"

_CHUNK = 2**16  # read at a time, so that limits and Ctrl-C are heard in between


def read_data_file(path: Path) -> str:
    """The text of a data file, for problems that have an option of the type `Path`; its lines end in a newline.

    Parameters
    ----------
    path
        Of an ordinary file of at most 4 MiB, in UTF-8, with or without a byte order mark.

    Raises
    ------
    ValueError
        If it cannot be read, is a folder, a device or a pipe, is larger or no UTF-8; in one line, with its name.
    """
    data = _read(path)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"cannot read {str(path)!r}: byte {error.start} is not of a text in UTF-8") from None


def sha256_of(path: Path) -> str:
    """The SHA-256 of a data file, as 64 hexadecimal digits; raises as `read_data_file` does."""
    from hashlib import sha256

    return sha256(_read(path)).hexdigest()


def check_data_file(path: Path) -> None:
    """Refuse, by a ValueError, a file whose kind or size `read_data_file` does not allow; a missing one is allowed."""
    try:
        _check_kind(path, os.stat(path))
    except FileNotFoundError:
        return  # whoever reads it says so, if anybody does
    except OSError as error:
        raise _unreadable(path, error) from error


def lies_below(path: Path, folder: Path) -> bool:
    """Whether a file lies in a folder or below it once all links are followed."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def path_to_record(written: str, folder: Path) -> str:
    """The path by which a plan file in `folder` names a data file: relative if the file lies below, else as written."""
    if not written or (folder / written == Path(written) and not Path(written).is_absolute()):
        return written
    if not lies_below(Path(written), folder):
        return written
    return Path(os.path.realpath(written)).relative_to(os.path.realpath(folder)).as_posix()


def _read(path: Path) -> bytes:
    check_data_file(path)
    chunks: list[bytes] = []
    size = 0
    try:
        with open(path, "rb", opener=_open_at_once) as stream:
            _check_kind(path, os.fstat(stream.fileno()))  # what is open now, whatever lay there before
            while chunk := stream.read(_CHUNK):
                size += len(chunk)  # a file may be larger than it says, or grow
                if size > MOST_BYTES:
                    raise _too_large(path)
                chunks.append(chunk)
    except OSError as error:
        raise _unreadable(path, error) from error
    return b"".join(chunks)


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe without a writer would wait for one


def _check_kind(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
        kind = next((name for is_kind, name in kinds if is_kind(found.st_mode)), "a device")
        raise ValueError(
            f"cannot read {str(path)!r}: it is {kind}, and a data file is an ordinary file of at most {SIZE_TEXT}"
        )
    if found.st_size > MOST_BYTES:
        raise _too_large(path)


def _too_large(path: Path) -> ValueError:
    return ValueError(f"cannot read {str(path)!r}: it is larger than {SIZE_TEXT}, the most that a data file may have")


def _unreadable(path: Path, error: OSError) -> ValueError:
    return ValueError(f"cannot read {str(path)!r}: {error.strerror or error}")
