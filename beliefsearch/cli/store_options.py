"""The options of every command whose search can be kept on disk and gone on with."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from ..errors import BeliefSearchError
from ..solving.request import KeptIn
from .limits import with_options


@frozen
class StoreOptions:
    """Where the user wants a search to be kept, and whether to go on with what is there."""

    directory: Path | None
    resume: bool

    @property
    def kept(self) -> KeptIn | None:
        """The same as a search takes it; None if it is not to be kept."""
        return None if self.directory is None else KeptIn(self.directory, self.resume)

    def check_spared(self, *outputs: Path | None) -> None:
        """Check before long work that no result would be written over what is kept, or be taken for it."""
        if self.directory is None or not any(outputs):
            return
        from ..running.store import is_part_of_store  # which loads NumPy

        for path in outputs:
            if path is not None and is_part_of_store(path, self.directory):
                raise BeliefSearchError(f"{str(path)!r} is a file of the store itself; choose another name")


def store_options(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options `--store` and `--resume`; its callback receives them as `store`."""

    def with_store(*, store_directory: str | None, resume: bool, **arguments: Any) -> Any:
        if resume and store_directory is None:
            raise click.UsageError("--resume goes on with what --store DIR holds; give that, too.")
        if store_directory == "":  # as a path it would be the directory that one is in
            raise click.UsageError("--store needs a directory, and the name that was given is empty.")
        directory = None if store_directory is None else Path(store_directory)
        return callback(store=StoreOptions(directory, resume), **arguments)

    return with_options(
        update_wrapper(with_store, callback),
        click.option(
            "--store",
            "store_directory",
            type=click.Path(),
            metavar="DIR",
            help="Keep the search in DIR, so that it can be killed at any moment and gone on with.",
        ),
        click.option("--resume", is_flag=True, help="Go on with the search that --store DIR holds, if any."),
    )
