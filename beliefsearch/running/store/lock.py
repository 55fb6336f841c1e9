"""Lock on a directory for one process at a time; the lock file names the process and its machine."""

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
    """Whether the system gave us the lock, which it releases when our process ends."""
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
    """Lock on a directory, held from `acquire` until `release`, or until this object is garbage."""

    _file: int | None = None  # in the class, for `__del__` after a signal has interrupted `__init__`

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._path = directory / LOCK

    def acquire(self) -> None:
        """Take the lock.

        Raises `StoreError`, which names the holder and its machine, if another process has it, and OSError if the
        directory cannot be written. Then nothing is held.
        """
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            self._file = file
            if not _locked(file):
                holder = _holder(file)
                where = str(self._directory)
                raise StoreError(f"{where!r} is in use by {holder}; wait for it, or choose another directory")
            self.check()
            with suppress(OSError):  # on a full disk the lock file does not name its holder
                os.ftruncate(file, 0)
                os.lseek(file, 0, os.SEEK_SET)
                text = json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode()
                if os.write(file, text) < len(text):
                    os.ftruncate(file, 0)
        except BaseException:
            self.release()
            raise

    def check(self) -> None:
        """Raise `StoreError` if the lock file was deleted or replaced: another process may have locked the new one."""
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
        """Release the lock; does nothing the second time."""
        # Forgotten before it is closed: if a signal comes in between, `__del__` must not close it again.
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def __del__(self) -> None:
        """Release the lock if a signal came before its owner had stored this object."""
        self.release()


def _holder(file: int) -> str:
    """Name the process that the lock file says holds it; the file may hold anything."""
    try:
        said = json.loads(os.read(file, _LONGEST))
        return f"process {int(said['pid'])} on {ascii(str(said['host'])[:100])[1:-1]}"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "another process"
