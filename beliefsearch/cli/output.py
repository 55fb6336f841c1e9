"""Results to standard output, messages to standard error, files written whole or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO

import click

from ..errors import BeliefSearchError

__all__ = [
    "check_writable",
    "emit",
    "end_output",
    "is_terminal",
    "message",
    "report_error",
    "terminal_width",
    "write_file",
]


def emit(text: str = "") -> bool:
    """Print a line of a result. When the reader has gone away, as `| head` does, the rest is dropped quietly.

    Whoever has many lines to print should stop when this gives False: nobody reads them any more.
    """
    try:
        click.echo(text)
    except BrokenPipeError:
        _drop_output()
        return False
    return True


def message(text: str) -> None:
    """Print a line that is no result."""
    click.echo(text, err=True)


def report_error(text: str, error: BaseException) -> None:
    """Print what went wrong, in one line."""
    where = f" {error.ctx.info_name}" if isinstance(error, click.UsageError) and error.ctx is not None else ""
    message(f"beliefsearch{where if where != ' beliefsearch' else ''}: error: {' '.join(text.split())}")


def end_output() -> bool:
    """Flush what was printed; False if it could not be written, though somebody wanted it."""
    if sys.stdout is None:  # closed by whoever started us
        return True
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()  # the reader has gone away
    except OSError as error:
        report_error(f"cannot write the output: {error.strerror}", error)
        _drop_output()
        return False
    return True


def _drop_output() -> None:
    # Python flushes standard output once more when it exits; give it somewhere to go.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def terminal_width(default: int = 100) -> int:
    """Columns of the terminal, or `default` when output goes elsewhere."""
    if not is_terminal(sys.stdout):
        return default
    import shutil

    return shutil.get_terminal_size((default, 24)).columns


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody sits there; a stream that was closed beforehand is None."""
    return stream is not None and stream.isatty()


def check_writable(path: Path | None) -> None:
    """Find out before long work whether its result can be written.

    Raises
    ------
    BeliefSearchError
        If not; says why.
    """
    if path is None:
        return
    if str(path) == "-":
        raise BeliefSearchError("--output takes the name of a file, and '-' is none")
    if path.is_dir():
        raise BeliefSearchError(f"cannot write {str(path)!r}: it is a folder")
    folder = path.parent
    if not folder.is_dir():
        raise BeliefSearchError(f"cannot write {str(path)!r}: there is no folder {str(folder)!r}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise BeliefSearchError(f"cannot write {str(path)!r}: permission denied")


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8, so that it is never seen half-written.

    Raises
    ------
    BeliefSearchError
        If it cannot be written; says why.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device has no half-written state
            return
        part = path.with_name(f".{path.name}.part")
        try:
            part.write_bytes(data)
        except PermissionError:  # the file may be ours to write where the folder is not
            path.write_bytes(data)
        else:
            part.replace(path)
    except OSError as error:
        raise BeliefSearchError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
