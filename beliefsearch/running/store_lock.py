"""A lock on a directory: one process at a time, told apart by its number and its machine."""

from __future__ import annotations

import json
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

from ..errors import StoreError
from .array_files import open_plain

LOCK = "beliefsearch.lock"
"""The name of the file that is locked; it stays when nobody holds it."""

_LONGEST = 1000


def _locked(file: int) -> bool:
    """Whether the system gave us the lock, which ends with our process at the latest."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_still(path: Path, file: int) -> bool:
    """Whether this is the file of that name: whoever held the lock may have deleted it meanwhile."""
    try:
        return os.path.samestat(os.stat(path, follow_symlinks=False), os.fstat(file))
    except FileNotFoundError:
        return False


class DirectoryLock:
    """Holds the lock on a directory from when it is made until it is released.

    Raises
    ------
    StoreError
        If another process holds it; it is named with its machine.
    OSError
        If the directory cannot be written.
    """

    def __init__(self, directory: Path) -> None:
        path = directory / LOCK
        if path.exists() or path.is_symlink():
            os.close(open_plain(path))  # refuses links and devices
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        file = os.open(path, flags, 0o666)
        if not (_locked(file) and _is_still(path, file)):
            holder = _holder(file)
            os.close(file)
            raise StoreError(f"{str(directory)!r} is in use by {holder}; wait for it, or choose another directory")
        self._file: int | None = file
        with suppress(OSError):  # a full disk: then it is not said who holds the lock
            os.ftruncate(file, 0)
            os.write(file, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())

    def release(self) -> None:
        """Let others have it; does nothing the second time."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _holder(file: int) -> str:
    """Who says in the file that they hold the lock; the file may hold anything."""
    try:
        said = json.loads(os.read(file, _LONGEST))
        return f"process {int(said['pid'])} on {ascii(str(said['host'])[:100])[1:-1]}"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "another process"
