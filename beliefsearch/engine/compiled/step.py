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

# A call of a kernel should be short enough for Ctrl-C and the limits to be heard, in seconds.
_CALL_SECONDS = 0.1

# For kernels, which know no enums.
PAUSED, FULL, GOAL, EXHAUSTED, ASK = (int(outcome) for outcome in Outcome)


def next_pause(pause: int, seconds: float) -> int:
    """Return after how much work the next call should pause, if so much took these seconds."""
    return max(1, int(pause * min(2.0, _CALL_SECONDS / max(seconds, 1e-6))))
