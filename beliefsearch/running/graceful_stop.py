"""The end of a search that is kept: it may save once more before it is stopped.

A search can save between two expansions only, and a limit or a signal may come at any moment. So for a short while the
stop is put off: the search comes to where it would save now and then, does so, and is stopped there.
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

# A stop is put off for so many seconds, or for so many times what the last save took, if that is longer.
_PATIENCE = 1.0
_TIMES = 2.0


class LastSave:
    """Puts off what would stop a search until that has saved; `hurry` is called to make it save at once."""

    def __init__(self, hurry: Callable[[], None]) -> None:
        self.asked = -inf
        """When the search asked last whether to save: one that does not do so often is not waited for."""
        self.seconds = 0.0
        """What its last save took."""
        self._hurry = hurry
        self._stop: Callable[[], BaseException] | None = None
        self._until = -inf

    @property
    def is_awaited(self) -> bool:
        """Whether something has been put off."""
        return self._stop is not None

    @property
    def seconds_left(self) -> float:
        """For how long it may be put off."""
        return max(self._until - monotonic(), 0.0)

    def puts_off(self, stop: Callable[[], BaseException]) -> bool:
        """Whether what `stop` makes is not to be raised yet."""
        now, patience = monotonic(), max(_PATIENCE, _TIMES * self.seconds)
        if self._stop is None:
            if now - self.asked >= patience:
                return False
            self._stop, self._until = stop, now + patience
            self._hurry()
        return now < self._until

    def saved(self, seconds: float) -> None:
        """Note that a save has been made, and raise what was put off until then."""
        self.seconds = seconds
        if self._stop is not None:
            self._until = -inf
            raise self._stop()


@contextmanager
def signals_put_off(last: LastSave) -> Iterator[None]:
    """Put off SIGINT and SIGTERM, where Python hears them, until a last save; a second one is heard at once."""
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
