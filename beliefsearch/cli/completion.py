"""What a shell may put in the place of PROBLEM, of a data file and of an option that is a path."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..plugins.installed import list_problems, reader_of

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SECONDS = 2.0
"""So long a shell waits for a puzzle to be imported, whose options it completes."""


def complete_problem(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Installed names, files of Python and of readers, and if there are none of these, folders."""
    from click.shell_completion import CompletionItem

    named = [CompletionItem(listing.name, help=listing.summary) for listing in list_problems(incomplete)]
    files = [CompletionItem(path) for path in _entries(incomplete) if path.endswith(".py") or reader_of(path)]
    # First, because bash then forgets what it was given before.
    return [CompletionItem(incomplete, type="dir"), *named, *files]


def complete_file(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Any file, as the shell lists them."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def complete_data_file(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A file behind `OPTION=`; some shells give the whole word, some what stands behind the sign."""
    from click.shell_completion import CompletionItem

    option, sign, path = incomplete.partition("=")
    if not sign:
        return complete_file(ctx, param, incomplete)
    return [CompletionItem(f"{option}={entry}") for entry in _entries(path)]


def _entries(incomplete: str) -> Iterator[str]:
    """The files and folders whose paths begin so, as they would be typed."""
    folder, slash, start = incomplete.rpartition("/")
    with suppress(OSError):
        for name in sorted(os.listdir(Path(folder + slash))):
            if name.startswith(start) and (start or not name.startswith(".")):
                yield f"{folder}{slash}{name}"
