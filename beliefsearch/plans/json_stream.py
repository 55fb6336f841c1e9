"""JSON objects that may not fit in memory: long lists stay in the file, and are read and written entry by entry.

The first pass reads the whole file, so that all of it is known to be JSON, and keeps the length of each long list.
Every iteration over a long list is another pass.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import zlib
from codecs import getincrementaldecoder
from collections import Counter
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
"""Files up to this many bytes are kept in memory: to read them again for each list would take longer."""
_COMPRESSED = b"\x1f\x8b"
# The largest depth of lists and objects: more than actions and states need, and safe for Python's recursion.
_DEEPEST = 100
# The fewest bytes that are read at a time.
_PIECE = 1 << 14
# An error this close to the end of the text read so far may come from a token that is cut off.
_LONGEST_TOKEN = 16
_WHITE = re.compile(r"[ \t\n\r]*")


class LongList(Collection[Json]):
    """A list in a file, of known length; each iteration reads the file anew."""

    def __init__(self, source: Source, start: int, length: int) -> None:
        self._source = source
        self._start = start  # in bytes
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Json]:
        with _reading(self._source, self._start) as text:
            if text.peek() != "[":
                raise _changed()
            length = 0
            for entry in text.entries():
                length += 1
                yield entry
        if length != self._length:
            raise _changed()

    def __contains__(self, value: object) -> bool:
        return any(entry == value for entry in self)

    def __repr__(self) -> str:
        return f"[... {self._length:,} entries ...]"


def read_object(source: Source, is_long: Callable[[tuple[str, ...]], bool] = lambda path: False) -> dict[str, Any]:
    """The object in `source`; a list for which `is_long` holds is a `LongList` in it.

    `is_long` is called with the path of names of each list in the object, or in an object in it. Reading is one pass,
    and takes memory for the result and one entry of a long list. Raises `InvalidPlanError` if the text is no JSON
    object, a name comes twice in an object, or lists are nested too deeply.
    """

    def members(text: _Text, path: tuple[str, ...] = ()) -> dict[str, Any]:
        pairs: list[tuple[str, Any]] = []
        for name in text.names():
            within = (*path, name)
            first = text.peek()
            if first == "{" and not path:
                pairs.append((name, members(text, within)))
            elif first == "[" and is_long(within):
                start = text.offset()
                pairs.append((name, LongList(source, start, sum(1 for _ in text.entries()))))
            else:
                pairs.append((name, text.value(len(within))))
        return _named_once(pairs)

    with _reading(source) as text:
        if text.peek() != "{":
            text.value()  # it may be no JSON at all
            raise InvalidPlanError("it is not a plan file: it is no JSON object")
        found = members(text)
        if text.peek():
            raise ValueError("more follows after the object")
    return found


def file_source(path: Path) -> Source:
    """The source of a file, decompressed if it is compressed; raises OSError if it cannot be opened."""
    if path.is_file():
        opened: Source = lambda: path.open("rb")  # noqa: E731  # assigned in both branches
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
    """Whether a file is known to be short enough for memory; a compressed file or a pipe is not."""
    if not path.is_file() or path.stat().st_size > SHORT:
        return False
    with path.open("rb") as stream:
        return stream.read(2) != _COMPRESSED


@contextmanager
def _reading(source: Source, start: int = 0) -> Iterator[_Text]:
    """Open the text from a byte on; anything that prevents reading on raises `InvalidPlanError`."""
    try:
        with source() as stream:
            stream.seek(start)
            text = _Text(stream, start)
            try:
                yield text
            except ValueError as error:
                raise InvalidPlanError(f"it is not JSON: {_complaint(source, error, text.offset())}") from None
            except RecursionError:
                raise _too_deep() from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidPlanError(f"its compressed data is damaged: {error}") from error
    except OSError as error:
        raise InvalidPlanError(f"it cannot be read: {error.strerror or error}") from error


class _Text:
    """A JSON text that is read value by value, with a buffer that holds little more than one value.

    `json` parses each value in the buffer. If the value does not end there, more is read and it is parsed again.
    """

    def __init__(self, stream: BinaryIO, start: int) -> None:
        self._stream = stream
        self._decoder = getincrementaldecoder("utf-8")()
        self._bytes = start  # so many have been read
        self._text = ""
        self._place = 0
        self._ended = False

    def offset(self) -> int:
        """Return the current position in bytes."""
        ahead = self._text[self._place :].encode()
        return self._bytes - len(self._decoder.getstate()[0]) - len(ahead)

    def peek(self) -> str:
        """Go on to the next character that is no white space, and return it; an empty text at the end."""
        while True:
            white = _WHITE.match(self._text, self._place)
            assert white is not None  # the pattern matches an empty text, too
            self._place = white.end()
            if self._place < len(self._text) or self._ended:
                return self._text[self._place : self._place + 1]
            self._read_more()

    def value(self, depth: int = 0) -> Json:
        """Read a value that lies `depth` lists and objects deep."""
        self.peek()
        value: Json
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._place)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or error.pos > len(self._text) - _LONGEST_TOKEN
                if self._ended or not cut:
                    self._place = min(error.pos, len(self._text))
                    raise
            else:
                if isinstance(value, (str, list, dict)) or end <= len(self._text) - _LONGEST_TOKEN or self._ended:
                    begin, self._place = self._place, end
                    _refuse_deep(value, depth)
                    if self._text.find("\\u", begin, end) >= 0:
                        json.dumps(value, ensure_ascii=False).encode()  # raises if it has a lone surrogate
                    return value
            self._read_more()

    def entries(self) -> Iterator[Json]:
        """Read the list that begins here."""
        self._take("[")
        if self.peek() == "]":
            self._take("]")
            return
        yield self.value()
        while self._take(",]") == ",":
            yield self.value()

    def names(self) -> Iterator[str]:
        """Read the names of the object that begins here; the caller reads each value before the next name."""
        self._take("{")
        if self.peek() == "}":
            self._take("}")
            return
        mark = ","
        while mark == ",":
            if self.peek() != '"':
                raise ValueError("a name in double quotes should be here")
            yield self._name()
            mark = self._take(",}")

    def _name(self) -> str:
        name = self.value()
        self._take(":")
        return str(name)

    def _take(self, expected: str) -> str:
        found = self.peek()
        if not found or found not in expected:
            raise ValueError(f"{' or '.join(map(repr, expected))} should be here")
        self._place += 1
        return found

    def _read_more(self) -> None:
        """Read as much as is left in the buffer, so that a long value is parsed again only a few times."""
        data = self._stream.read(max(_PIECE, len(self._text) - self._place))
        self._bytes += len(data)
        self._ended = not data
        self._text = self._text[self._place :] + self._decoder.decode(data, final=self._ended)
        self._place = 0


def _complaint(source: Source, error: Exception, place: int) -> str:
    """Describe the mistake in a JSON text, with the line and column of a short text, or the position in a long one."""
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
    words = error.msg if isinstance(error, json.JSONDecodeError) else str(error).partition(";")[0]
    return f"{words}, after {place:,} bytes"


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        name = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise InvalidPlanError(f"it is not JSON that says one thing: the name {name!r:.40} comes twice in an object")
    return found


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"the number {digits:.40} is too large")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_named_once, parse_float=_finite, parse_constant=_no_constant)


def _refuse_deep(value: Json, depth: int) -> None:
    """Refuse lists and objects that are nested too deeply, going through them level by level."""
    level: list[Any] = [value] if isinstance(value, (list, dict)) else []
    while level:
        if depth >= _DEEPEST:
            raise _too_deep()
        depth += 1
        within = (holder.values() if isinstance(holder, dict) else holder for holder in level)
        level = [entry for entries in within for entry in entries if isinstance(entry, (list, dict))]


def _too_deep() -> InvalidPlanError:
    return InvalidPlanError(f"it is not JSON of a plan file: lists lie in lists more than {_DEEPEST} deep")


def _changed() -> InvalidPlanError:
    return InvalidPlanError("it has changed while it was read")


# Entries of a long list that are written at a time.
_AT_ONCE = 4096


def json_pieces(value: Any) -> Iterator[bytes]:
    """A value as JSON, as `json.dumps` writes it, in pieces; long lists are read piece by piece.

    A list may be anything that can be gone through, such as a `LongList`.
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
