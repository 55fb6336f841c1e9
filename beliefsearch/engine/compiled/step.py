"""Outcomes and counters that the kernels of breadth-first steps share."""

from __future__ import annotations

from enum import IntEnum


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


# Where the counters of a search are: the belief to expand next, the beliefs reached, the end of the present layer and
# its depth, the successors generated, the most beliefs that waited, the most members of one.
COUNTERS = HEAD, COUNT, LAYER_END, DEPTH, GENERATED, MAX_FRONTIER, MAX_SIZE = range(7)

# For kernels, which know no enums.
PAUSED, FULL, GOAL, EXHAUSTED, ASK = (int(outcome) for outcome in Outcome)
