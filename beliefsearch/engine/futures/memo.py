"""Memory of the sets that a search has decided, by two sums of random words, for kernels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..compiled.jit import inner_kernel, kernel

NOT_WON = 32_000
"""More actions than any bound: so many stand for a set that is not known to be won."""


class Memo(NamedTuple):
    """Memory of sets: fewer actions than `low` do not suffice; `high` or more do, with `action` first."""

    first: NDArray[np.uint64]
    second: NDArray[np.uint64]
    low: NDArray[np.int16]
    high: NDArray[np.int16]
    action: NDArray[np.int32]


def new_memo(size: int = 1 << 14) -> Memo:
    """Return an empty memo with so many places, a power of 2."""
    first, second = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
    return Memo(first, second, np.zeros(size, np.int16), np.zeros(size, np.int16), np.zeros(size, np.int32))


@inner_kernel
def slot(memo: Memo, first: Any, second: Any) -> int:
    """Return the place of a set in the memo, a free one if it is new."""
    place: Any = np.int64(first & np.uint64(memo.first.size - 1))
    while memo.first[place] and (memo.first[place] != first or memo.second[place] != second):
        place = (place + 1) & (memo.first.size - 1)
    return int(place)


@inner_kernel
def entered(memo: Memo, work: Any, first: Any, second: Any) -> int:
    """Return the place of a set in the memo, entered if it is new; `work` counts, third, how many there are."""
    place = slot(memo, first, second)
    if not memo.first[place]:
        memo.first[place] = first
        memo.second[place] = second
        memo.low[place] = 0
        memo.high[place] = NOT_WON
        work[2] += 1
    return place


@kernel
def grown(old: Memo, new: Memo, places: Any) -> None:
    """Copy a memo into a larger one, and give the new place for each of some places."""
    for place in range(old.first.size):
        if old.first[place]:
            other = slot(new, old.first[place], old.second[place])
            new.first[other] = old.first[place]
            new.second[other] = old.second[place]
            new.low[other] = old.low[place]
            new.high[other] = old.high[place]
            new.action[other] = old.action[place]
    for i in range(places.size):
        places[i] = slot(new, old.first[places[i]], old.second[places[i]])
