"""Progress of a search on standard error: a live line on a terminal, a plain one now and then elsewhere."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..observers import Observer
from .output import message

if TYPE_CHECKING:
    from rich.status import Status

__all__ = ["Progress"]

# Seconds from one line to the next, where there is no terminal; and on one, from one update to the next.
_PLAIN_INTERVAL = 5.0
_LIVE_INTERVAL = 0.2


class Progress(Observer):
    """Shows how a search is getting on, once it takes long enough for somebody to wonder.

    Parameters
    ----------
    quiet
        Whether to show nothing at all.
    """

    def __init__(self, quiet: bool) -> None:
        self._live = sys.stderr.isatty()
        self._interval = _LIVE_INTERVAL if self._live else _PLAIN_INTERVAL
        self._started = monotonic()
        self._next = float("inf") if quiet else self._started + max(self._interval, 0.5)
        self._status: Status | None = None
        self._expanded = 0
        self._bound: Any = 0
        self._frontier = 0
        self._reached = 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def numbered(self, states: int) -> None:
        if monotonic() >= self._next and self._expanded == 0:
            self._show(f"{states:,} states numbered")

    def expanded(self, state: Any, g: Any) -> None:
        self._expanded += 1
        if monotonic() >= self._next:
            self._show(self._text())

    def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
        self._bound, self._frontier, self._reached = bound, frontier, reached

    def _text(self) -> str:
        seconds = monotonic() - self._started
        return (
            f"{seconds:.0f} s: lower bound {self._bound}, {self._reached:,} reached, "
            f"{self._frontier:,} in the frontier, {self._expanded:,} expanded, {self._expanded / seconds:,.0f} a second"
        )

    def _show(self, text: str) -> None:
        self._next = monotonic() + self._interval
        if not self._live:
            message(text)
        elif self._status is None:
            from rich.console import Console

            self._status = Console(stderr=True).status(text)
            self._status.start()
        else:
            self._status.update(text)
