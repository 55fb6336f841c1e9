"""Outcomes and counters that the kernels of breadth-first steps share."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


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


class Counters(NamedTuple):
    """Counters of a breadth-first search. A step begins with them, and returns the new ones as a plain tuple.

    (To make a named one a kernel calls Python, which may raise at an alarm: the kernel would crash.)

    `head` is the belief to expand next and `depth` that of its layer; `reached` counts the beliefs, `generated` the
    successors; `max_frontier` are the most beliefs that waited, `max_size` the most members of one.
    """

    head: int
    reached: int
    layer_end: int
    depth: int
    generated: int
    max_frontier: int
    max_size: int


# A call of a kernel should be short enough for Ctrl-C and the limits to be heard, in seconds.
_CALL_SECONDS = 0.1

# For kernels, which know no enums.
PAUSED, FULL, GOAL, EXHAUSTED, ASK = (int(outcome) for outcome in Outcome)


def next_pause(pause: int, seconds: float) -> int:
    """Return after how much work the next call should pause, if so much took these seconds."""
    return max(1, int(pause * min(2.0, _CALL_SECONDS / max(seconds, 1e-6))))
