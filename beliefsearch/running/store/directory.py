"""Store: a directory that holds a search; after a kill at any moment it is in the state of the last commit.

A store is protected against accidents, not against attacks: whoever can write in it can change the answer. A lock keeps
two processes apart. Files are written whole, and before the manifest that names them, so that a kill or a power failure
leaves the last commit. Checksums of the manifest and of every array reveal damage. The fingerprint of the problem, of
its options and of its source reveals a store of another search. A directory with other files is refused, and these are
never deleted. No code in a store is run, and `verify` can check an answer from a store.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from zlib import crc32

from numpy.typing import NDArray

from ...errors import StoreError, Worded
from ..limits import LimitReached
from .fingerprint import difference, shown
from .lock import LOCK, DirectoryLock
from .npy_files import PART, check_array, is_full, read_array, read_header, unreadable, write_array, write_whole

_MANIFEST = "manifest.json"
_FORMAT = "beliefsearch store"
_VERSION = 2
_CHECKSUM = b',"checksum":'
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}(/[a-z0-9][a-z0-9-]{0,60})?", re.ASCII)
_UNFINISHED = re.compile(rf"(.*)\.[0-9a-f]{{16}}{re.escape(PART)}")
# Ending of our arrays: only files with this ending are deleted if no commit keeps them.
_ARRAY = ".kept.npy"


class Store:
    """Directory that holds a search, and the lock on it; a context manager that releases the lock.

    Arrays are written one by one, and become part of the store at the next `commit`. If nothing was ever committed,
    closing the store deletes it. The subject is JSON that identifies the search: the problem, its parameters, the
    command, the solver. `state` is that of the last commit, None at the beginning.

    Raises `StoreError` if the directory holds another search, or this one without `resume`, or other files; if it is in
    use, cannot be written, or is damaged. Then nothing in it has been touched.
    """

    def __init__(self, directory: Path, subject: Mapping[str, Any], *, resume: bool) -> None:
        self.directory = Path(os.path.realpath(directory))
        self._shown = str(directory)
        self._subject: dict[str, Any] = json.loads(json.dumps(subject))
        self._files: dict[str, tuple[str, tuple[int, ...]]] = {}
        self._committed: set[str] = set()
        self._being_committed: set[str] | None = None  # after an interruption these may be committed or not
        self._closed = False
        self._made = [folder for folder in (self.directory, *self.directory.parents) if not folder.exists()]
        self.state: dict[str, Any] | None = None
        self._lock = DirectoryLock(self.directory)
        try:
            with self._said():
                self.directory.mkdir(parents=True, exist_ok=True)
                self._check_owner()
                self._lock.acquire()
            self._open(resume)
        except BaseException:
            self._lock.release()
            raise

    def path(self, name: str) -> Path:
        """Return the file of an array, for other processes that write or read it; its folder exists.

        A name has letters a to z, digits and hyphens, with at most one folder; otherwise raises `StoreError`.
        """
        if not _NAME.fullmatch(name):
            raise StoreError(f"{self._shown!r} is damaged: {name[:100]!a} is no name of a file")
        path = self.directory / f"{name}{_ARRAY}"
        with self._said():
            path.parent.mkdir(exist_ok=True)
        return path

    def write(self, name: str, array: NDArray[Any]) -> None:
        """Write an array, whole or not at all; it is deleted again unless the next commit keeps it.

        Raises `LimitReached` if there is no space left, and ValueError if an array of this name is committed: that one
        must not change before the next commit.
        """
        if name in self._committed:
            raise ValueError(f"{name!r} was committed, and is replaced by an array with another name")
        path = self.path(name)
        self._lock.check()
        with self.room():
            write_array(path, array)
        self._files[name] = array.dtype.str, array.shape

    def read(self, name: str) -> NDArray[Any]:
        """Return an array of the last commit, or one written since.

        Raises `StoreError` if it is lacking or damaged.
        """
        if name not in self._files:
            raise StoreError(f"{self._shown!r} is damaged: {name[:100]!a} is lacking")
        return read_array(self.path(name))

    def commit(self, state: Mapping[str, Any], keep: Iterable[str]) -> None:
        """Make this state and these arrays the content of the directory, and delete all other arrays.

        Other processes may have written arrays to be kept, at `path`. Raises `LimitReached` if there is no space left;
        then the directory stays as after the commit before.
        """
        self._lock.check()
        kept = {name: self._files.get(name) or read_header(self.path(name)) for name in keep}
        new = {self.path(name).parent for name in kept.keys() - self._committed}
        self._being_committed = set(kept)
        with self.room():
            # File names reach the disk before the manifest that refers to them, also if the power fails in between.
            for folder in new | {self.directory}:
                _make_last(folder)
            self._write_manifest(state, kept)
        self.state = json.loads(json.dumps(state))
        self._files = kept
        self._committed = set(kept)
        self._sweep()

    @contextmanager
    def room(self) -> Iterator[None]:
        """Turn an OSError into `LimitReached` if there is no space left, and into a StoreError otherwise."""
        with self._said():
            try:
                yield
            except OSError as error:
                if not is_full(error):
                    raise
                raise LimitReached(f"there is no space left in {self._shown!r}; make some and resume") from error

    def close(self) -> None:
        """Delete what was not committed, and release the lock."""
        if not self._closed:
            self._closed = True
            try:
                with suppress(OSError, StoreError):
                    self._sweep()
                    if self.state is None and self._being_committed is None:
                        self._leave_nothing()
            finally:
                self._lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def damaged(self) -> StoreError:
        """Make the error for content that cannot have been saved by a search."""
        where = str(self.directory)
        return StoreError(f"{where!r} is damaged, or the puzzle has changed; choose another directory")

    def outdated(self) -> StoreError:
        """Make the error for content that a search of another version has saved."""
        where = str(self.directory)
        return StoreError(f"{where!r} was written by another version of this program; choose another directory")

    def _leave_nothing(self) -> None:
        """Delete the manifest, the lock, and the folders that were made, unless there are other files."""
        for name in filter(_NAME.fullmatch, os.listdir(self.directory)):  # also empty folders of killed processes
            with suppress(OSError):
                os.rmdir(self.directory / name)
        if set(os.listdir(self.directory)) <= {_MANIFEST, LOCK}:
            for name in (_MANIFEST, LOCK):
                with suppress(OSError):  # on some systems the lock cannot be deleted as long as it is held
                    os.unlink(self.directory / name)
            for folder in self._made:
                with suppress(OSError):
                    folder.rmdir()

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            in_the_way = isinstance(error, (FileExistsError, NotADirectoryError))
            why = "a file is where there should be a directory" if in_the_way else error.strerror or error
            raise StoreError(f"cannot use {self._shown!r} as a store: {why}") from error

    def _check_owner(self) -> None:
        """Refuse a directory that has files and no store, before a lock file is created in it."""
        if os.path.lexists(self.directory / _MANIFEST):
            self._read_manifest()
            return
        for name in sorted(os.listdir(self.directory)):
            begun = _UNFINISHED.fullmatch(name)
            if name != LOCK and not (begun and begun[1] == _MANIFEST):
                raise StoreError(f"{self._shown!r} is no store, and not empty: it holds {name[:100]!a}")

    def _open(self, resume: bool) -> None:
        if not os.path.lexists(self.directory / _MANIFEST):
            with self._said():
                self._write_manifest(None, {})
        found = self._read_manifest()
        if said := difference(found["subject"], self._subject):
            raise StoreError(f"{self._shown!r} holds {said}; choose another directory")
        if found["state"] is not None and not resume:
            what = found["subject"].get("problem", "this subject")
            raise StoreError(
                Worded(
                    "{path!r} holds a search of {what}; add [resume] to go on, or choose another directory",
                    path=self._shown,
                    what=shown(what),
                )
            )
        self.state, self._files = found["state"], found["files"]
        for name, form in self._files.items():
            path = self.path(name)
            if read_header(path) != form:
                raise StoreError(f"{str(path)!r} is damaged: it is not the array that was committed")
            check_array(path)
        self._committed = set(self._files)
        with self._said():
            self._sweep()

    def _read_manifest(self) -> dict[str, Any]:
        path = self.directory / _MANIFEST
        try:
            text = path.read_bytes()
        except OSError as error:
            raise unreadable(path, error) from error
        try:
            found = json.loads(text)
            if found["format"] != _FORMAT:
                raise ValueError("no manifest")
            version = found["version"]
            if version == _VERSION and text != _sealed(text.rpartition(_CHECKSUM)[0] + b"}"):
                raise ValueError("its checksum is wrong")
            files = {str(name): (str(kind), tuple(map(int, shape))) for name, (kind, *shape) in found["files"].items()}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
            raise StoreError(f"{str(path)!r} is damaged, or no manifest of a store") from error
        if version != _VERSION:
            raise StoreError(f"{self._shown!r} was written by another version of this program")
        return {"subject": found["subject"], "state": found["state"], "files": files}

    def _write_manifest(
        self, state: Mapping[str, Any] | None, files: Mapping[str, tuple[str, tuple[int, ...]]]
    ) -> None:
        document = {
            "format": _FORMAT,
            "version": _VERSION,
            "subject": self._subject,
            "state": state,
            "files": {name: [kind, *shape] for name, (kind, shape) in files.items()},
        }
        with write_whole(self.directory / _MANIFEST, lasting=True) as new:
            new.write(manifest_of(document))
        _make_last(self.directory)

    def _sweep(self) -> None:
        """Delete arrays that were not committed, and unfinished files of killed processes; nothing else."""
        self._lock.check()
        for folder, folders, names in os.walk(self.directory):
            inside = Path(folder).relative_to(self.directory).parts
            folders[:] = [name for name in folders if not inside and _NAME.fullmatch(name)]
            for name in names:
                begun = _UNFINISHED.fullmatch(name)
                stem = (begun[1] if begun else name).removesuffix(_ARRAY)
                place = "/".join((*inside, stem))
                ours = _NAME.fullmatch(place) and (begun[1] if begun else name).endswith(_ARRAY)
                spared = not begun and (place in self._committed or place in (self._being_committed or ()))
                if (ours and not spared) or (begun and begun[1] == _MANIFEST):
                    with suppress(FileNotFoundError):
                        os.unlink(Path(folder, name))


def is_part_of_store(path: Path, directory: Path) -> bool:
    """Whether a file of this name would belong to a store in this directory; neither need exist."""
    target, inside = (Path(os.path.realpath(place)) for place in (path, directory))
    ours = target.name in (_MANIFEST, LOCK) or target.name.endswith(_ARRAY) or bool(_UNFINISHED.fullmatch(target.name))
    return ours and inside in target.parents


def manifest_of(document: Mapping[str, Any]) -> bytes:
    """Return a manifest as text, with its checksum."""
    return _sealed(json.dumps(document, separators=(",", ":")).encode())


def _sealed(text: bytes) -> bytes:
    """Add the checksum of the text of a JSON object as the last value of the object."""
    return text[:-1] + _CHECKSUM + b"%d}" % crc32(text)


def _make_last(folder: Path) -> None:
    """Flush the file names in a folder to the disk, on systems that can do that."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
