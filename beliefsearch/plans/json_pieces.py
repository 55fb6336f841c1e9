"""Writing a JSON object that may not fit in memory: long lists are written as they are read, some entries at a time."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

# Entries of a long list that are written at a time.
_AT_ONCE = 4096


def json_pieces(value: Any) -> Iterator[bytes]:
    """A value as JSON, as `json.dumps` writes it, in pieces; nothing is read before it is written.

    Parameters
    ----------
    value
        What JSON has, names of an object as text; and for a list anything else that can be gone through, such as a
        `LongList` or a list of a proof that stays on disk, also in objects in objects.
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
