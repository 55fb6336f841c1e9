"""The transitions of one action, as a table from the bytes of a belief to its image."""

from __future__ import annotations

from collections.abc import Callable

# Stands for every group of eight states nobody has asked about; replaced before it is written to.
_UNTOUCHED: list[int] = [0] * 256


class TransitionTable:
    """The image of beliefs under one action.

    The image of a belief is the union of the images of its members. Members are taken eight at a
    time: `_tables[i][byte]` is the image of the states 8i .. 8i+7 whose bits are set in `byte`. Entries
    are made on first use, so a state's image is computed once and only if it is needed. No image is
    empty, which leaves 0 to mean "not made yet".
    """

    __slots__ = ("_image_of_state", "_tables")

    def __init__(self, image_of_state: Callable[[int], int]) -> None:
        self._image_of_state = image_of_state
        self._tables: list[list[int]] = []

    def image(self, belief: int) -> int:
        """The image of `belief`: one look-up and one union for every eight states."""
        tables = self._tables
        width = (belief.bit_length() + 7) >> 3
        if width > len(tables):
            tables.extend([_UNTOUCHED] * (width - len(tables)))
        image = 0
        for position, byte in enumerate(belief.to_bytes(width, "little")):
            if byte:
                image |= tables[position][byte] or self._make(position, byte)
        return image

    def _make(self, position: int, byte: int) -> int:
        table = self._tables[position]
        if table is _UNTOUCHED:
            table = self._tables[position] = [0] * 256
        lowest = byte & -byte
        image = table[lowest]
        if not image:
            image = table[lowest] = self._image_of_state(position << 3 | lowest.bit_length() - 1)
        rest = byte ^ lowest
        if rest:
            image |= table[rest] or self._make(position, rest)
            table[byte] = image
        return image
