"""JSON objects that may not fit in memory: long lists stay in the file, and are read and written entry by entry.

The first pass reads the whole file, so it is known to be JSON from end to end. Of a long list it keeps the
length; whoever walks through the list makes a pass of its own.
"""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from ..errors import InvalidPlanError
from .encoding import Json

Source: TypeAlias = Callable[[], AbstractContextManager[BinaryIO]]
"""A function that opens the bytes of a JSON text from the beginning."""
SHORT = 1 << 23
"""Of a file of so many bytes everything is kept: to read it again for each of its lists takes longer."""
_COMPRESSED = b"\x1f\x8b"
# Lists in lists: more than any action or state has, and few enough for Python to walk through.
_DEEPEST = 100


class LongList(Collection[Json]):
    """A list in a file, of known length; each iteration reads the file anew."""

    def __init__(self, source: Source, path: tuple[str, ...], length: int) -> None:
        self._source = source
        self._path = path
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Json]:
        events = _events(self._source)
        event, value = next(events)
        for name in self._path:
            event, value = _field(events, event, name)
        if event != "start_array":
            raise _changed()
        for event, value in events:
            if event == "end_array":
                return
            yield _value(events, event, value, 0)

    def __contains__(self, value: object) -> bool:
        return any(entry == value for entry in self)

    def __repr__(self) -> str:
        return f"[... {self._length:,} entries ...]"


def read_object(source: Source, is_long: Callable[[tuple[str, ...]], bool] = lambda path: False) -> dict[str, Any]:
    """The object in `source`; a list for which `is_long` holds is a `LongList` in it.

    `is_long` is asked about each list that stands in the object, or in an object in it, with the names that lead there.
    One pass; memory for what is returned, and one entry of a long list. Raises `InvalidPlanError` if this is no JSON
    object, if a name comes twice in an object, or if lists are too deep in lists.
    """
    events = _events(source)
    event, _ = next(events)
    if event != "start_map":
        raise InvalidPlanError("it is not a plan file: it is no JSON object")

    def members(path: tuple[str, ...]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for event, name in events:
            if event == "end_map":
                break
            _refuse_twice(found, name)
            within = (*path, name)
            event, value = next(events)
            if event == "start_map" and not path:
                found[name] = members(within)
            elif event == "start_array" and is_long(within):
                found[name] = LongList(source, within, _length(events))
            else:
                found[name] = _value(events, event, value, len(within))
        return found

    found = members(())
    for _ in events:  # nothing, or what should not be there raises
        pass
    return found


def file_source(path: Path) -> Source:
    """The source of a file, decompressed if it is compressed; raises OSError if it cannot be opened."""
    if path.is_file():
        opened: Source = lambda: path.open("rb")  # noqa: E731  # one of two
    else:  # a pipe can be read only once
        data = path.read_bytes()
        opened = lambda: BytesIO(data)  # noqa: E731
    with opened() as stream:
        compressed = stream.read(2) == _COMPRESSED

    @contextmanager
    def decompressed() -> Iterator[BinaryIO]:
        with opened() as stream, gzip.GzipFile(fileobj=stream) as plain:
            yield plain  # type: ignore[misc]  # it reads like one

    return decompressed if compressed else opened


def is_short(path: Path) -> bool:
    """Whether a file is short enough to be kept in memory; of what is compressed, or a pipe, nobody knows."""
    if not path.is_file() or path.stat().st_size > SHORT:
        return False
    with path.open("rb") as stream:
        return stream.read(2) != _COMPRESSED


def _events(source: Source) -> Iterator[tuple[str, Any]]:
    """Yield the tokens of the text; anything that prevents reading to the end raises `InvalidPlanError`."""
    import ijson

    try:
        with source() as stream:
            guarded = _Guarded(stream)
            try:
                yield from ijson.basic_parse(guarded, buf_size=guarded.most)
            except (ijson.JSONError, ValueError, ArithmeticError) as error:  # the last from a giant exponent
                raise guarded.error or InvalidPlanError(f"it is not JSON: {_complaint(source, error)}") from None
            if guarded.error is not None:
                raise guarded.error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidPlanError(f"its compressed data is damaged: {error}") from error
    except OSError as error:
        raise InvalidPlanError(f"it cannot be read: {error.strerror or error}") from error


class _Guarded:
    """A stream that ends at a read error and keeps it in `error`, because ijson's parsers cannot handle one.

    That is also before a number of more digits than Python reads, at which the quickest of them would crash.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.error: Exception | None = None
        self._stream = stream
        self._limit = sys.get_int_max_str_digits()
        self._digits = 0  # at the end of what has been read
        # No longer than a number may be; so one that is too long shows where one piece meets the next.
        self.most = min(2**16, self._limit or 2**16)

    def read(self, size: int) -> bytes:
        try:
            data = self._stream.read(min(size, self.most))
        except (EOFError, OSError, zlib.error) as error:
            self.error = error
            return b""
        after = data.lstrip(b"0123456789")
        begun = self._digits + len(data) - len(after)
        if self._limit and begun > self._limit:
            self.error = InvalidPlanError(f"it is not JSON that can be read: over {self._limit:,} digits in a row")
            return b""
        self._digits = len(after) - len(after.rstrip(b"0123456789")) if after else begun
        return data


def _complaint(source: Source, error: Exception) -> str:
    """Say where a short text is no JSON, as the reader of long ones does not; of those what this says."""
    with source() as stream:
        text = stream.read(SHORT + 1).decode(errors="replace")
    try:
        if len(text) <= SHORT:
            json.loads(text)
    except json.JSONDecodeError as found:
        if found.pos >= len(text.rstrip()) or found.msg.startswith("Unterminated"):
            return f"it ends in the middle, in line {found.lineno}: a part of it is missing" if text else "it is empty"
        return f"line {found.lineno}, column {found.colno}: {found.msg}"
    except (ValueError, RecursionError):
        pass
    words = error.args[0] if error.args else error
    return (words.decode(errors="replace") if isinstance(words, bytes) else str(words)).partition("\n")[0].strip()


def _value(events: Iterator[tuple[str, Any]], event: str, value: Any, depth: int) -> Json:
    """Read the value that begins with this token."""
    if event == "start_array":
        _refuse_deep(depth)
        entries: list[Json] = []
        for event, value in events:
            if event == "end_array":
                break
            entries.append(_value(events, event, value, depth + 1))
        return entries
    if event == "start_map":
        _refuse_deep(depth)
        members: dict[str, Json] = {}
        for event, name in events:
            if event == "end_map":
                break
            _refuse_twice(members, name)
            members[name] = _value(events, *next(events), depth + 1)
        return members
    if event == "number" and not isinstance(value, int):
        return float(value)
    return value  # type: ignore[no-any-return]


def _length(events: Iterator[tuple[str, Any]]) -> int:
    """Count the entries from here to the end of a list."""
    length = 0
    for event, value in events:
        if event == "end_array":
            break
        _value(events, event, value, 0)
        length += 1
    return length


def _field(events: Iterator[tuple[str, Any]], event: str, name: str) -> tuple[str, Any]:
    """The first token of the value of this name, in the object that begins with `event`."""
    if event == "start_map":
        depth = 0
        for event, value in events:
            if event == "map_key" and not depth and value == name:
                return next(events)
            depth += event.startswith("start")
            depth -= event.startswith("end")
    raise _changed()


def _refuse_twice(members: dict[str, Any], name: str) -> None:
    if name in members:
        raise InvalidPlanError(f"it is not JSON that says one thing: the name {name!r:.40} comes twice in an object")


def _refuse_deep(depth: int) -> None:
    if depth >= _DEEPEST:
        raise InvalidPlanError(f"it is not JSON of a plan file: lists lie in lists more than {_DEEPEST} deep")


def _changed() -> InvalidPlanError:
    return InvalidPlanError("it has changed while it was read")


# Entries of a long list that are written at a time.
_AT_ONCE = 4096


def json_pieces(value: Any) -> Iterator[bytes]:
    """A value as JSON, as `json.dumps` writes it, in pieces; nothing is read before it is written.

    A list may be anything that can be gone through, such as a `LongList` or a list of a proof that stays on disk.
    """
    if isinstance(value, Mapping):
        yield b"{"
        for place, (name, member) in enumerate(value.items()):
            yield f"{', ' * (place > 0)}{json.dumps(name)}: ".encode()
            yield from json_pieces(member)
        yield b"}"
    elif isinstance(value, Collection) and not isinstance(value, (str, list, tuple)):
        yield b"["
        entries, before = iter(value), ""
        while some := list(islice(entries, _AT_ONCE)):
            yield f"{before}{json.dumps(some)[1:-1]}".encode()
            before = ", "
        yield b"]"
    else:
        yield json.dumps(value).encode()
