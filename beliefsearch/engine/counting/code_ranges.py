"""Divisions of codes into parts, each of which is searched on its own: by a hash, or by ranges."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from ...errors import ProblemError
from ..compiled.jit import kernel
from .codes import parts, unique

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .codes import Codes


@frozen
class ByHash:
    """Codes of any number of words in parts of about the same size; a part holds codes in full."""

    parts: int
    words: int

    @property
    def kind(self) -> str:
        """The NumPy type of what is written."""
        return "<u8"

    @property
    def width(self) -> tuple[int, ...]:
        """The shape of one row of what is written."""
        return (self.words,)

    def divided(self, codes: Codes) -> list[NDArray[Any]]:
        """Return, by part, the rows to be written of these codes, without repetitions and in ascending order."""
        return list(parts(unique(codes), self.parts))

    def codes(self, part: int, written: NDArray[Any]) -> Codes:
        """The codes for which this was written."""
        return written


@frozen
class ByRange:
    """Codes below a bound in ranges of the same size; a part holds how far they lie above its beginning."""

    parts: int
    size: int  # a power of 2 from 64 to 2**32

    @property
    def kind(self) -> str:
        """The NumPy type of what is written: the smallest."""
        return "<u4" if self.size > 1 << 16 else "<u2" if self.size > 1 << 8 else "|u1"

    @property
    def width(self) -> tuple[int, ...]:
        """The shape of one row of what is written."""
        return ()

    @classmethod
    def of(cls, bound: int, most_parts: int) -> ByRange:
        """At most so many ranges that hold all codes below a bound, or as many as it takes."""
        size = 1 << max((-(-bound // most_parts) - 1).bit_length(), 6)
        size = min(size, 1 << 32)
        return cls(max(-(-bound // size), 1), size)

    def divided(self, codes: Codes) -> list[NDArray[Any]]:
        """Return, by part, the rows to be written of these codes, in their order, with repetitions.

        Raises ProblemError if a code lies in no part.
        """
        offsets, ends = divided_by_range(codes[:, 0], self.size.bit_length() - 1, self.parts)
        if ends[-1] != len(codes):
            raise ProblemError(f"there is a code of {int(codes.max())}, beyond the bound that the problem gives")
        return [offsets[begin:end].astype(self.kind, copy=False) for begin, end in pairwise(ends.tolist())]

    def codes(self, part: int, written: NDArray[Any]) -> Codes:
        """The codes for which this was written."""
        found: Codes = written.astype(np.uint64)[:, np.newaxis]
        found += np.uint64(part * self.size)
        return found


@kernel
def divided_by_range(codes: NDArray[np.uint64], shift: int, parts: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Return the lowest `shift` bits of codes, by part, and where each part begins and the last ends.

    The bits above are the number of the part; a code whose part is not below `parts` is left out. Within a part codes
    keep their order.
    """
    by = np.uint64(shift)
    below = (np.uint64(1) << by) - np.uint64(1)
    ends = np.zeros(parts + 1, dtype=np.int64)
    for code in codes:
        part = code >> by
        if part < np.uint64(parts):
            ends[part + np.uint64(1)] += 1
    for part in range(parts):
        ends[part + 1] += ends[part]
    places = np.empty(parts, dtype=np.int64)
    for part in range(parts):
        places[part] = ends[part]
    offsets = np.empty(ends[-1], dtype=np.uint32)
    for code in codes:
        part = code >> by
        if part < np.uint64(parts):
            offsets[places[part]] = np.uint32(code & below)
            places[part] += 1
    return offsets, ends
