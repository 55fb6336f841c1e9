"""Bit sets as plain Python ints: bit i is set when number i is a member."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

# The set bits of every byte, so that a set is walked byte by byte: linear in its width, where
# taking off the lowest bit of a large int again and again would be quadratic.
_BITS_OF_BYTE = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))


def bit_numbers(mask: int) -> Iterator[int]:
    """The members of `mask` in ascending order. Linear in the width of the mask."""
    for position, byte in enumerate(mask.to_bytes((mask.bit_length() + 7) >> 3, "little")):
        if byte:
            for bit in _BITS_OF_BYTE[byte]:
                yield position << 3 | bit


def mask_of(numbers: Iterable[int]) -> int:
    """The bit set of these members. Linear in the width of the result."""
    members = list(numbers)
    data = bytearray((max(members, default=-1) >> 3) + 1)
    for number in members:
        data[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(data, "little")
