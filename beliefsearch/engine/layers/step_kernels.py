"""The compiled loops of `step`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..compiled.jit import kernel
from ..compiled.kernels import hash_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .space import Codes

_HALF = np.uint64(16)
_HIGHEST = np.uint64(48)


@kernel
def divide(codes: Codes, places: NDArray[np.uint16], ends: NDArray[np.int64], ordered: Codes) -> None:
    """Write codes to `ordered` part by part, and where each part ends; `places` is scratch.

    The part comes of the highest bits of the hash.
    """
    parts = np.uint64(ends.size)
    for row in range(codes.shape[0]):
        place = ((hash_of(codes[row]) >> _HIGHEST) * parts) >> _HALF
        places[row] = place
        ends[place] += 1
    begin = 0
    for part in range(ends.size):  # for now where each begins
        begin, ends[part] = begin + ends[part], begin
    for row in range(codes.shape[0]):
        there = ends[places[row]]
        ends[places[row]] += 1
        for word in range(codes.shape[1]):
            ordered[there, word] = codes[row, word]
