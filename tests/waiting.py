"""Limits of time that are reached once something has begun, however slow or busy the machine is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_Found = TypeVar("_Found")

_MOST = 30.0
"""Seconds after which no machine has an excuse."""


def once_begun(begun: Callable[[_Found], bool], run: Callable[[float], _Found], seconds: float = 0.2) -> _Found:
    """What `run` comes to within so many seconds; within four times as many, again and again, where it had not begun.

    Whether it had is looked at again by who asks, so that what never begins is a failure.
    """
    found = run(seconds)
    while not begun(found) and seconds < _MOST:
        seconds *= 4
        found = run(seconds)
    return found
