"""How codes are divided into parts, each of which is searched on its own: by a hash, or by ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from .step import parts, unique

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .space import Codes


@frozen
class ByHash:
    """Codes of any width in parts of about the same size; a part holds codes in full.

    Attributes
    ----------
    parts
        How many parts there are.
    words
        The number of words of each code.
    """

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
        """By part: what is to be written of these codes, without repetitions and in ascending order."""
        return list(parts(unique(codes), self.parts))

    def codes(self, part: int, written: NDArray[Any]) -> Codes:
        """The codes for which this was written."""
        return written


@frozen
class ByRange:
    """Codes below a bound in ranges of the same size; a part holds how far they lie above its beginning.

    Attributes
    ----------
    parts
        How many ranges there are.
    size
        How many codes lie in each, a multiple of 64 of at most 2**32.
    """

    parts: int
    size: int

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
        """At most about so many ranges that hold all codes below a bound."""
        size = -(-bound // (64 * most_parts)) * 64
        size = min(max(size, 64), 1 << 32)
        return cls(max(-(-bound // size), 1), size)

    def divided(self, codes: Codes) -> list[NDArray[Any]]:
        """By part: what is to be written of these codes, without repetitions and in ascending order."""
        run = unique(codes)[:, 0]
        begins = np.arange(self.parts, dtype=np.uint64) * np.uint64(self.size)
        places = [*np.searchsorted(run, begins).tolist(), len(run)]
        return [
            (run[place:end] - begin).astype(self.kind)
            for place, end, begin in zip(places, places[1:], begins, strict=False)
        ]

    def codes(self, part: int, written: NDArray[Any]) -> Codes:
        """The codes for which this was written."""
        found: Codes = written.astype(np.uint64)[:, np.newaxis]
        found += np.uint64(part * self.size)
        return found
