"""The table `lower` in arrays, as a plan file has it in text: the packed form of docs/certificate-format.md.

A number takes four bytes. An array is written as all lowest bytes, then all second ones, and so on, compressed by zlib,
in base64: the high bytes, mostly 0, take no room. The text is a list of pieces, since readers of JSON take long over a
single one.
"""

from __future__ import annotations

import zlib
from base64 import b64decode
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .checker import fields, index, items, require, unreadable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

INFINITE = (1 << 32) - 1
"""Stands for an infinite value."""
NONE = (1 << 32) - 1
"""Stands for no entry."""
MOST_ENTRIES = 1 << 27
# What is packed takes this many times as much room at the most, besides some that does not matter.
_LARGEST_RATIO = 100
_FREE = 1 << 24
NAMES = "sizes members values reasons"


class LowerArrays(NamedTuple):
    """A table `lower` of a game without percepts and with whole costs."""

    sizes: NDArray[Any]
    """By entry how many states it has."""
    members: NDArray[Any]
    """The states of all entries, one entry after the other."""
    values: NDArray[Any]
    """By entry its value; `INFINITE` if it is that."""
    reasons: NDArray[Any]
    """By entry and action an entry; `NONE` if the cost is enough, or the action does not apply."""
    root: int


def unpacked(table: Any, actions: int) -> LowerArrays:
    """The arrays of a table in a game of so many actions; raises `UnreadableError` if it is none."""
    table = fields(dict(table), "the table", "kind root entries packed")
    texts = fields(table["packed"], "the packed table", NAMES)
    count = index(table["entries"], MOST_ENTRIES, "the number of entries")
    root = index(table["root"], count, "root")
    try:
        data = {name: b64decode("".join(items(lines, name)), validate=True) for name, lines in texts.items()}
    except (TypeError, ValueError):
        unreadable("the packed table is not in base64")
    most = _FREE + _LARGEST_RATIO * sum(map(len, data.values()))
    left = most - 4 * count * (2 + actions)
    require(left >= 0, f"the packed table is too short for {count:,} entries")
    sizes = _numbers(data["sizes"], count, "sizes")
    total = int(sizes.sum(dtype=np.int64))
    require(4 * total <= left, f"the packed table is too short for {total:,} states of entries")
    values, reasons = _numbers(data["values"], count, "values"), _numbers(data["reasons"], count * actions, "reasons")
    members = _numbers(data["members"], total, "members")
    return LowerArrays(sizes, members, values, reasons.reshape(count, actions), root)


def _numbers(data: bytes, count: int, name: str) -> NDArray[np.uint32]:
    reader = zlib.decompressobj()
    try:
        planes = reader.decompress(data, 4 * count + 1)
    except zlib.error:
        unreadable(name, "cannot be unpacked")
    if len(planes) != 4 * count or not reader.eof or reader.unused_data:
        unreadable(name, "do not have the length", count)
    found = np.zeros(count, "<u4")
    for place, plane in enumerate(np.frombuffer(planes, np.uint8).reshape(4, count)):
        found |= plane.astype(np.uint32) << np.uint32(8 * place)
    return found
