"""Outcomes and counters that the kernels of breadth-first steps share."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .jit import inner_kernel


class Outcome(IntEnum):
    """Reason for the end of a step."""

    PAUSED = 0
    """It has generated as many successors as it was asked to."""
    FULL = 1
    """There is no room for the successors of one more belief."""
    GOAL = 2
    """The last belief appended is a goal."""
    EXHAUSTED = 3
    """Everything that was reached is expanded."""
    ASK = 4
    """The author is to be asked for the actions of the next belief."""


# Where the books of a search keep which number: the belief to expand next, the beliefs reached, the end of
# the present layer and its depth, the successors generated, the most beliefs that waited, the most members of one.
BOOKS = HEAD, COUNT, LAYER_END, DEPTH, GENERATED, MAX_FRONTIER, MAX_SIZE = range(7)

# For kernels, which know no enums.
PAUSED, FULL, GOAL, EXHAUSTED, ASK = (int(outcome) for outcome in Outcome)


@inner_kernel
def opened(books: NDArray[np.int64]) -> Any:
    """Return the counters in the order of their places."""
    return (
        books[HEAD],
        books[COUNT],
        books[LAYER_END],
        books[DEPTH],
        books[GENERATED],
        books[MAX_FRONTIER],
        books[MAX_SIZE],
    )


@inner_kernel
def close(
    books: NDArray[np.int64],
    head: int,
    count: int,
    layer_end: int,
    depth: int,
    generated: int,
    max_frontier: int,
    max_size: int,
) -> None:
    """Bring the books up to date."""
    books[HEAD], books[COUNT], books[LAYER_END], books[DEPTH] = head, count, layer_end, depth
    books[GENERATED], books[MAX_FRONTIER], books[MAX_SIZE] = generated, max_frontier, max_size
