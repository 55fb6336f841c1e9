"""A disk whose power fails: what of some files is there afterwards, at worst.

What was written to a file is there if the file was synchronised; that a name was given, or taken away, is there if the
folder was. Of what was not, the system may have kept anything.
"""

from __future__ import annotations

import os
import random
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

Step = tuple[str, Path, Any]


@contextmanager
def recorded(place: Path) -> Iterator[list[Step]]:
    """Record what happens to the files below `place`, which must be empty, and to their names."""
    steps: list[Step] = []
    opened = os.open
    made: dict[Path, int] = {}  # by name, for files: a number of their own

    def inside(path: Any) -> bool:
        return Path(path).is_relative_to(place)

    def new_open(path: Any, flags: int, *more: Any, **options: Any) -> int:
        if flags & os.O_CREAT and inside(path) and not Path(path).exists():
            made[Path(path)] = len(steps)
            steps.append(("name", Path(path), len(steps)))
        return opened(path, flags, *more, **options)

    def new_sync(file: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{file}"))
        if not inside(path):
            return
        if stat.S_ISDIR(os.fstat(file).st_mode):
            steps.append(("sync folder", path, None))
        else:
            steps.append(("sync file", path, (made[path], path.read_bytes())))

    def first(call: Callable[..., None], note: Callable[..., None]) -> Callable[..., None]:
        def instead(*arguments: Any, **options: Any) -> None:
            call(*arguments, **options)
            if inside(arguments[-1] if call is not mkdir else arguments[0]):
                note(*map(Path, arguments[:2] if call is not mkdir else arguments[:1]))

        return instead

    def renamed(old: Path, new: Path) -> None:
        made[new] = made.pop(old)
        steps.extend([("name", new, made[new]), ("no name", old, None)])

    def unlinked(path: Path) -> None:
        made.pop(path, None)
        steps.append(("no name", path, None))

    mkdir = os.mkdir
    with (
        mock.patch("os.open", new_open),
        mock.patch("os.fsync", new_sync),
        mock.patch("os.replace", first(os.replace, renamed)),
        mock.patch("os.unlink", first(os.unlink, unlinked)),
        mock.patch("os.mkdir", first(mkdir, lambda path: steps.append(("name", path, None)))),
    ):
        yield steps


def after_failure(steps: list[Step], place: Path, new_place: Path, chosen: random.Random | None) -> None:
    """Make the files in `new_place` that may be left in `place` if the power fails after these steps.

    `chosen` says what else is left than what was made sure of, in an order that may not be theirs; None: nothing.
    """
    names: dict[Path, int | None] = {}
    pending: list[tuple[Path, Any, bool]] = []
    contents: dict[int, bytes] = {}
    for kind, path, what in steps:
        if kind == "sync file":
            contents[what[0]] = what[1]
        elif kind == "sync folder":
            for change in [change for change in pending if change[0].parent == path]:
                _change(names, *change)
                pending.remove(change)
        else:
            pending.append((path, what, kind == "name"))
    if chosen is not None:
        for change in pending:
            if chosen.random() < 0.5:
                _change(names, *change)
    new_place.mkdir()
    for path, number in sorted(names.items()):
        target = new_place / path.relative_to(place)
        if not target.parent.exists():
            continue  # its folder was lost
        if number is None:
            target.mkdir()
        else:
            target.write_bytes(contents.get(number, b""))


def _change(names: dict[Path, int | None], path: Path, number: int | None, there: bool) -> None:
    if there:
        names[path] = number
    else:
        names.pop(path, None)
