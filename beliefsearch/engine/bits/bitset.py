"""Bit sets as plain Python ints: bit i is set when number i is a member."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import TypeVar

Thing = TypeVar("Thing")

# The set bits of every byte, so that a set is walked byte by byte: linear in its width, where
# taking off the lowest bit of a large int again and again would be quadratic.
_BITS_OF_BYTE = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))

_BYTE_WITH_BITS = re.compile(rb"[^\0]")


def bit_numbers(mask: int) -> Iterator[int]:
    """The members of `mask` in ascending order. Linear in the width of the mask."""
    data = mask.to_bytes((mask.bit_length() + 7) >> 3, "little")
    if _is_sparse(mask):
        for found in _BYTE_WITH_BITS.finditer(data):
            position = found.start()
            for bit in _BITS_OF_BYTE[data[position]]:
                yield position << 3 | bit
        return
    for position, byte in enumerate(data):
        if byte:
            for bit in _BITS_OF_BYTE[byte]:
                yield position << 3 | bit


def _is_sparse(mask: int) -> bool:
    """Whether most bytes of a set have no bit."""
    return mask.bit_count() << 4 < mask.bit_length()


_FLAG_OF_DIGIT = bytes.maketrans(b"01", b"\0\1")


def chosen(things: Sequence[Thing], mask: int) -> list[Thing]:
    """The things at the places that are members of `mask`, in order. Linear in the width of the mask."""
    if _is_sparse(mask):
        return [things[number] for number in bit_numbers(mask)]
    return list(compress(things, bin(mask)[:1:-1].encode().translate(_FLAG_OF_DIGIT)))


def mask_of(numbers: Iterable[int]) -> int:
    """The bit set of these members. Linear in the width of the result."""
    members = list(numbers)
    data = bytearray((max(members, default=-1) >> 3) + 1)
    for number in members:
        data[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(data, "little")
