"""Tables `lower` of arrays: packed as `verify.lower_arrays` reads them, or as a list."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..verify.lower_arrays import INFINITE, NAMES, NONE, LowerArrays

_LINE = 1 << 14
_AT_ONCE = 1 << 20


def packed(table: LowerArrays) -> dict[str, Any]:
    """The table as it stands in a file."""
    texts = {}
    for name in NAMES.split():
        text = b64encode(b"".join(_compressed(getattr(table, name).reshape(-1)))).decode()
        texts[name] = [text[first : first + _LINE] for first in range(0, len(text), _LINE)]
    return {"kind": "lower", "root": table.root, "entries": len(table.sizes), "packed": texts}


def _compressed(numbers: NDArray[Any]) -> Iterator[bytes]:
    """All lowest bytes of numbers, then all second ones, and so on, compressed, some at a time."""
    packer = zlib.compressobj(6)
    for place in range(4):
        for first in range(0, len(numbers), _AT_ONCE):
            some = numbers[first : first + _AT_ONCE].astype(np.uint32)
            yield packer.compress((some >> np.uint32(8 * place)).astype(np.uint8).tobytes())
    yield packer.flush()


def listed_table(table: LowerArrays, applies: Callable[[int, int], bool]) -> dict[str, Any]:
    """The same table as `check_lower` reads it; `applies` says whether an action applies in a state."""
    beliefs = [part.tolist() for part in np.split(table.members, np.cumsum(table.sizes)[:-1])]
    able: dict[int, set[int]] = {}
    reasons = []
    for members, value, row in zip(beliefs, table.values.tolist(), table.reasons.tolist(), strict=True):
        for s in members:
            if s not in able:
                able[s] = {a for a in range(len(row)) if applies(a, s)}
        common = sorted(set.intersection(*(able[s] for s in members))) if value else []
        reasons.append([x for a in common for x in (0, -1 if row[a] == NONE else row[a])])
    values = [None if value == INFINITE else value for value in table.values.tolist()]
    return {"kind": "lower", "root": table.root, "beliefs": beliefs, "values": values, "reasons": reasons}
