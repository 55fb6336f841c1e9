"""Lock on a directory: one process at a time, named by its number and its machine."""

from __future__ import annotations

import json
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

from ...errors import StoreError, Worded

LOCK = "beliefsearch.lock"
"""Name of the file that is locked; it stays when nobody holds it."""

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


class DirectoryLock:
    """Lock on a directory, held from `acquire` until `release`, or until nobody has this object any more."""

    _file: int | None = None  # also where a signal ended `__init__`: what is left is finalised all the same

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._path = directory / LOCK

    def acquire(self) -> None:
        """Take the lock, or none of it.

        Raises `StoreError` if another process holds it, which is named with its machine, and OSError if the directory
        cannot be written.
        """
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            self._file = file
            if not _locked(file):
                holder = _holder(file)
                where = str(self._directory)
                raise StoreError(f"{where!r} is in use by {holder}; wait for it, or choose another directory")
            self.check()
            with suppress(OSError):  # a full disk: then it is not said who holds the lock
                os.ftruncate(file, 0)
                os.lseek(file, 0, os.SEEK_SET)
                text = json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode()
                if os.write(file, text) < len(text):
                    os.ftruncate(file, 0)
        except BaseException:
            self.release()
            raise

    def check(self) -> None:
        """Raise `StoreError` if the file was deleted or replaced, since somebody else may have got the lock then."""
        assert self._file is not None
        try:
            if os.path.samestat(os.fstat(self._file), os.lstat(self._path)):
                return
        except OSError:
            pass
        raise StoreError(
            Worded(
                "{path!r} was deleted or replaced, so that another process may use the directory; once there is none, "
                "go on with [resume]",
                path=str(self._path),
            )
        )

    def release(self) -> None:
        """Let others have it; does nothing the second time."""
        # First, for a signal that comes while it is being closed must not have that done twice.
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def __del__(self) -> None:
        """Release it where a signal came before its owner knew of it."""
        self.release()


def _holder(file: int) -> str:
    """Name the process that says in the file that it holds the lock; the file may hold anything."""
    try:
        said = json.loads(os.read(file, _LONGEST))
        return f"process {int(said['pid'])} on {ascii(str(said['host'])[:100])[1:-1]}"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "another process"
