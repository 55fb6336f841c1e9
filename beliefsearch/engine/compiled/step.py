"""What the kernels of breadth-first steps share: their outcomes and their counters."""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class Outcome(IntEnum):
    """Why a step ended."""

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
# the present layer and its depth, the successors generated, the most beliefs that waited.
HEAD, COUNT, LAYER_END, DEPTH, GENERATED, MAX_FRONTIER = range(6)

# A slot of the hash table that holds no belief; others hold the place of one, plus 1.
FREE = np.uint32(0)

# For kernels, which know no enums.
PAUSED, FULL, GOAL, EXHAUSTED, ASK = (int(outcome) for outcome in Outcome)
