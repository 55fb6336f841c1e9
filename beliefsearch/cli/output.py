"""Results to standard output, messages to standard error, files written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import UnsupportedOperation
from pathlib import Path
from shlex import quote
from typing import Any, TextIO

import click

from ..errors import BeliefSearchError, Worded


def emit(text: str = "") -> None:
    """Print a line of a result; once the reader has closed the pipe, as `| head` does, print nothing more."""
    emit_lines([text])


def emit_lines(lines: Iterable[str]) -> None:
    """Print the lines of a result, and do not ask for more of them once nobody reads them any more."""
    try:
        for line in lines:
            click.echo(line)
    except BrokenPipeError:
        _drop_output()


# Arguments of `solve` for which there is no option.
_PYTHON_ONLY = ("tolerance", "use_arrays")
# Letters of a message. What authors' methods say, and the words of a command line, may be of any length.
_LONGEST = 1500


def message(text: str) -> None:
    """Print a line on standard error that is not part of a result."""
    click.echo(text, err=True)


def as_option(name: str, value: str | None) -> str:
    """Return an argument of a function as an option, as a shell takes it; of control characters only their names."""
    if name in _PYTHON_ONLY:
        return f"{name} (from Python)"
    option = f"--{name.replace('_', '-')}"
    if value is None:
        return option
    key, equals, word = value.rpartition("=")
    return f"{option} {key}{equals}{quote(word) if word.isprintable() else repr(word)}"


def in_words(text: BaseException | str) -> str:
    """Return a text, or that of an error, with arguments worded as options."""
    return text.worded(as_option) if isinstance(text, (BeliefSearchError, Worded)) else str(text)


def report_error(text: str, error: BaseException) -> None:
    """Print what went wrong, in one line."""
    where = f" {error.ctx.info_name}" if isinstance(error, click.UsageError) and error.ctx is not None else ""
    message(f"beliefsearch{where if where != ' beliefsearch' else ''}: error: {_in_short(' '.join(text.split()))}")


def _in_short(line: str) -> str:
    """Without its middle if it is very long: whatever is wrong with a text of a megabyte, it is not printed whole."""
    half = _LONGEST // 2
    return line if len(line) <= _LONGEST else f"{line[:half]} ... {line[-half:]}"


@contextmanager
def warnings_as_lines(category: type[Warning]) -> Iterator[None]:
    """Print each warning of this category once, in one line, whatever Python's warning filters say."""
    told: set[str] = set()
    with warnings.catch_warnings():
        others = warnings.showwarning

        def show(text: Warning | str, kind: type[Warning], *where: Any) -> None:
            if not issubclass(kind, category):
                others(text, kind, *where)
            elif str(text) not in told:
                told.add(str(text))
                message(f"beliefsearch: warning: {_in_short(' '.join(str(text).split()))}")

        warnings.simplefilter("always", category)
        warnings.showwarning = show  # type: ignore[assignment]  # what else it is given is handed on
        yield


def end_output() -> bool:
    """Flush standard output; False if it could not be written, unless the reader closed the pipe."""
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


def terminal_width() -> int:
    """Columns of the terminal, or 100 when output goes elsewhere."""
    if not is_terminal(sys.stdout):
        return 100
    import shutil

    return shutil.get_terminal_size((100, 24)).columns


def is_terminal(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal; a closed stream, None, is not."""
    return stream is not None and stream.isatty()


def piped_line(patience: float) -> str | None:
    """A line of standard input if that is not a terminal; None if none comes within `seconds` seconds.

    An input that nobody writes to and nobody closes, as some services give the programs they start, must not
    make us wait for ever.
    """
    stream = sys.stdin
    if stream is None:  # closed by whoever started us
        return None
    import select

    try:
        with suppress(UnsupportedOperation):  # no file of the system's, so nothing to wait for
            # Where the system cannot wait for a pipe, it is read as it is.
            if os.name == "posix" and not select.select([stream], [], [], patience)[0]:
                return None
        return stream.readline() or None
    except UnicodeDecodeError:
        raise BeliefSearchError("standard input is not text") from None
    except (OSError, ValueError):  # closed, or not to be read
        return None


def form_to_write(form: str | None, output: Path | None, forms: Sequence[str], inputs: Iterable[Path]) -> str:
    """The one of `forms` that was asked for, or else is told by the file's name; that it can be written is checked."""
    check_writable(output, inputs)
    if form is None and output is not None:
        form = {".txt" if known == "text" else f".{known}": known for known in forms}.get(output.suffix)
        if form is None:
            named = f"{', '.join(forms[:-1])} or {forms[-1]}"
            raise BeliefSearchError(f"the name {output.name!r} tells no format; say --format {named}")
    if form in ("png", "svg"):
        if output is None:
            raise BeliefSearchError("a picture goes to a file; say which with --output")
        from ..graph.plots.policy_charts import require_matplotlib

        require_matplotlib()
    return form or "text"


def check_writable(path: Path | None, inputs: Iterable[Path] = ()) -> None:
    """Check before long work that its result can be written without replacing one of the `inputs`."""
    if path is None:
        return
    for known in inputs:
        with suppress(OSError):
            if path.samefile(known):
                raise BeliefSearchError(f"{str(path)!r} is one of the input files; choose another name")
    if str(path) == "-":
        raise BeliefSearchError("--output needs the name of a file, not '-'")
    try:
        if path.is_dir():
            raise BeliefSearchError(f"cannot write {str(path)!r}: it is a folder")
        there = path.exists()
    except OSError as error:
        raise _unwritable(path, error) from error
    folder = path.parent if there else Path(os.path.realpath(path)).parent  # of what a dangling link points to
    if not folder.is_dir():
        raise BeliefSearchError(f"cannot write {str(path)!r}: there is no folder {str(folder)!r}")
    if not os.access(path if there else folder, os.W_OK):
        raise BeliefSearchError(f"cannot write {str(path)!r}: permission denied")


def check_different(outputs: Mapping[str, Path | None]) -> None:
    """Check, by option, that no two results go to the same file: the second would replace the first."""
    known: dict[str, str] = {}
    for option, path in outputs.items():
        if path is None or (path.exists() and not path.is_file()):  # to a device or a pipe both may go
            continue
        if (other := known.setdefault(os.path.realpath(path), option)) != option:
            raise BeliefSearchError(f"{other} and {option} are the same file, {str(path)!r}; choose another name")


def write_file(path: Path, content: str | bytes | Iterable[bytes]) -> None:
    """Write a file whole or not at all: text as UTF-8, or bytes, also piece by piece as they are made.

    What a link points to is written, and the link stays. A file that is there keeps its permissions. Pipes and
    devices, and files in folders where nothing new can be made, are written as they are, and not at once.
    """
    data = [content.encode()] if isinstance(content, str) else [content] if isinstance(content, bytes) else content
    try:
        before = None
        with suppress(FileNotFoundError):
            before = path.stat()  # through links
        if before is not None and _is_our_output(before):
            if sys.stdout is not None:
                sys.stdout.flush()
            with open(os.dup(1), "wb") as stream:  # goes on where the output is, and does not begin anew
                stream.writelines(data)
        elif before is not None and not stat.S_ISREG(before.st_mode):
            _write_there(path, data)  # a pipe or a device has no half-written state
        else:
            _replace(Path(os.path.realpath(path)), data, before)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> BeliefSearchError:
    return BeliefSearchError(f"cannot write {str(path)!r}: {error.strerror or error}")


def _is_our_output(found: os.stat_result) -> bool:
    """Whether this is standard output under another name, such as `/dev/stdout`."""
    try:
        return os.path.samestat(found, os.fstat(1))
    except OSError:  # closed
        return False


def _write_there(path: Path, data: Iterable[bytes]) -> None:
    with path.open("wb") as stream:
        stream.writelines(data)


def _replace(target: Path, data: Iterable[bytes], before: os.stat_result | None) -> None:
    """Put a new file in the place of `target`, which is not a link."""
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    part = target.with_name(f".beliefsearch-{os.urandom(8).hex()}.part")  # short, as the target may be long
    try:
        # Nobody can have put a link there: it must be new. The mode is what the umask leaves of it.
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666), "wb") as new:
            if before is not None and hasattr(os, "fchmod"):
                now = os.fstat(new.fileno())
                if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
                    with suppress(OSError):  # only root may give files away
                        os.fchown(new.fileno(), before.st_uid, before.st_gid)
                os.fchmod(new.fileno(), stat.S_IMODE(before.st_mode))
            new.writelines(data)
        os.replace(part, target)
    except OSError as error:
        # The file may be ours to write where the folder is not, or it cannot be renamed over.
        if before is None or error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY):
            raise
        _write_there(target, data)
    finally:
        with suppress(OSError):  # mostly because it has become the target
            part.unlink()
