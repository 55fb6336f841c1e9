"""Files of one JSON object, compressed or not, written and read with distrust."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

from ..errors import InvalidPlanError
from .encoding import Json

_COMPRESSED = b"\x1f\x8b"
_PIECE = 1 << 24
_MOST_BYTES = 1 << 32  # a small file may say that it is any amount, and a device may never end
# The largest depth of lists and objects: more than actions and states need, and safe for Python's recursion.
_DEEPEST = 100


def bytes_of(path: Path) -> bytearray:
    """The bytes of a file, decompressed if it is compressed.

    Raises OSError if it cannot be read, and `InvalidPlanError` if its compressed data is damaged or it is endless.
    """
    found = bytearray()
    try:
        with path.open("rb") as file:
            stream = gzip.GzipFile(fileobj=file) if file.peek(2).startswith(_COMPRESSED) else file
            while piece := stream.read(_PIECE):  # limits and Ctrl-C are heard between pieces
                found += piece
                if len(found) > _MOST_BYTES:
                    raise InvalidPlanError("it is more than 4 GiB, decompressed; no plan or proof needs as much")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidPlanError(f"its compressed data is damaged: {error}") from error
    return found


def read_object(data: bytes | bytearray) -> dict[str, Any]:
    """The JSON object in a text.

    Raises `InvalidPlanError` if it is none, a name comes twice in an object, or lists are nested too deeply.
    """
    try:
        text = data.decode()
        found = _DECODER.decode(text)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()  # raises if half a character is in it
    except ValueError as error:
        raise InvalidPlanError(f"it is not JSON: {_complaint(error)}") from None
    except RecursionError:
        raise _too_deep() from None
    if not isinstance(found, dict):
        raise InvalidPlanError("it is not a plan file: it is no JSON object")
    _refuse_deep(found)
    return found


def file_bytes(value: Any, path: Path) -> bytes:
    """A value as JSON for a file, compressed if its name ends in `.gz`; equal values give equal bytes."""
    data = f"{json.dumps(value)}\n".encode()
    return gzip.compress(data, mtime=0) if path.suffix == ".gz" else data


def _complaint(error: ValueError) -> str:
    """Describe the mistake in a JSON text, with the line and column if it is one of form."""
    if not isinstance(error, json.JSONDecodeError):
        return str(error).partition(";")[0]
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
        missing = f"it ends in the middle, in line {error.lineno}: a part of it is missing"
        return missing if error.doc else "it is empty"
    return f"line {error.lineno}, column {error.colno}: {error.msg}"


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


def _refuse_deep(value: Json) -> None:
    """Refuse lists and objects that are nested too deeply, going through them level by level."""
    level: list[Any] = [value]
    for _ in range(_DEEPEST):
        within = (holder.values() if isinstance(holder, dict) else holder for holder in level)
        level = [entry for entries in within for entry in entries if isinstance(entry, (list, dict))]
    if level:
        raise _too_deep()


def _too_deep() -> InvalidPlanError:
    return InvalidPlanError(f"it is not JSON of a plan file: lists lie in lists more than {_DEEPEST} deep")
