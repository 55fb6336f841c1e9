"""Graceful stop: a search with a store saves once more before it is stopped.

A search can save only between two expansions, but a limit or a signal may come at any moment. So the stop is put off
for a short time, until the search comes to its next checkpoint, saves there, and is stopped.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic
from types import FrameType
from typing import Any

# A stop is put off for this many seconds, or for this many times the duration of the last save, if that is longer.
_PATIENCE = 1.0
_TIMES = 2.0


class LastSave:
    """A stop that is put off until the search has saved; `hurry` is called to make it save at its next checkpoint."""

    def __init__(self, hurry: Callable[[], None]) -> None:
        self.asked = -inf
        """The time of the last checkpoint; a search whose checkpoints are rare is stopped at once."""
        self.seconds = 0.0
        """The duration of the last save."""
        self._hurry = hurry
        self._stop: Callable[[], BaseException] | None = None
        self._until = -inf

    @property
    def is_awaited(self) -> bool:
        """Whether a stop has been put off."""
        return self._stop is not None

    @property
    def seconds_left(self) -> float:
        """Seconds for which the stop is still put off."""
        return max(self._until - monotonic(), 0.0)

    def puts_off(self, stop: Callable[[], BaseException]) -> bool:
        """Put off the exception that `stop` makes, and return True; return False if it is to be raised now."""
        now, patience = monotonic(), max(_PATIENCE, _TIMES * self.seconds)
        if self._stop is None:
            if now - self.asked >= patience:
                return False
            self._stop, self._until = stop, now + patience
            self._hurry()
        return now < self._until

    def saved(self, seconds: float) -> None:
        """Note that a save is complete, and raise the exception that was put off."""
        self.seconds = seconds
        if self._stop is not None:
            self._until = -inf
            raise self._stop()


@contextmanager
def signals_put_off(last: LastSave) -> Iterator[None]:
    """Put off SIGINT and SIGTERM, where Python handles them, until a last save; a second signal acts at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers: dict[int, Any] = {}
    again: list[threading.Timer] = []

    def hear(number: int, frame: FrameType | None) -> None:
        if last.is_awaited or not last.puts_off(KeyboardInterrupt):
            handlers[number](number, frame)
            return
        timer = threading.Timer(last.seconds_left, os.kill, (os.getpid(), number))
        timer.daemon = True
        timer.start()
        again.append(timer)

    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            if callable(handler := signal.getsignal(number)):
                handlers[number] = handler
                signal.signal(number, hear)
        yield
    finally:
        for timer in again:
            timer.cancel()
        for changed, known in handlers.items():
            if signal.getsignal(changed) is hear:
                signal.signal(changed, known)
