"""Progress of a search on standard error: a live line on a terminal, elsewhere a plain line now and then."""

from __future__ import annotations

import math
import sys
import threading
from contextlib import suppress
from time import monotonic
from typing import Any, Self

from ..plans.wording import Telling, number_text
from ..running.observer import Observer, preparation
from .output import is_terminal, message

# Seconds of searching before the first sign of life, and between plain lines.
_LIVE_DELAY = 0.5
_PLAIN_INTERVAL = 5.0
# The display's threads are content with little; the default of 8 MB would count against a memory limit.
_STACK = 512 * 1024


class _OneLine:
    """The current line of a progress, cut where the terminal ends."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def __rich__(self) -> Any:
        from rich.text import Text

        return Text(self._progress.__rich__(), no_wrap=True, overflow="ellipsis")


class Progress(Observer):
    """Shows the progress of a search that takes longer than a moment; if `quiet`, nothing at all.

    The search only leaves its figures here; a thread of its own shows them, so that the display goes on
    while a single step takes long. It begins anew each time it is entered.
    """

    def __init__(
        self, quiet: bool, also: Observer | None = None, doing: str = "searching", *, costs: bool = False
    ) -> None:
        self._quiet = quiet
        self._costs = costs  # whether values are told as costs
        self._doing = doing
        self._also = also or Observer()  # hears of layers and of progress, too
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._started = monotonic()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._numbered = self._layers = self._expanded = self._before = self._frontier = self._reached = 0
        self._bound: Any = 0
        self._waiting = ""
        self._narrowed: tuple[float, float, int] | None = None
        self._found = ""

    def __enter__(self) -> Self:
        self._begin_anew()
        if not self._quiet:
            threading.stack_size(_STACK)
            self._thread = threading.Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def numbered(self, states: int) -> None:
        if states == 0:  # the first of all: another engine may have begun anew
            self._layers = self._reached = self._before = 0
        self._numbered = states

    def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
        self._layers += 1
        self._also.layer_finished(bound, frontier, reached)

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        self._bound, self._expanded, self._frontier, self._reached = bound, expanded, frontier, reached
        self._also.progressed(bound, expanded, frontier, reached)

    def waiting(self, what: str) -> None:
        self._waiting = what

    def resumed(self, expanded: int, layers: int) -> None:
        self._before, self._layers = expanded, layers

    def improved(self, cost: Any, bound: Any) -> None:
        plan, rest = f"plan of cost {number_text(cost)}", f"; no plan costs less than {bound}" if bound else ""
        if cost == math.inf:
            plan, rest = "plan that keeps trying", "; one that is sure to end is looked for"
        self._found = f"{plan}, "
        if not self._quiet and not is_terminal(sys.stderr):
            message(f"{self.seconds:.0f} s: a {plan}{rest}")

    def narrowed(self, lower: float, upper: float, beliefs: int) -> None:
        if self._narrowed is not None:  # a search with kernels begins anew, and what the small one proved is true still
            low, high, met = self._narrowed
            if (upper - lower, upper) > (high - low, high):
                lower, upper = low, high
            beliefs = max(beliefs, met)
        self._narrowed = lower, upper, beliefs

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return monotonic() - self._started

    @property
    def rate(self) -> float:
        """Return the states expanded a second, without those that another process has."""
        return max(self._expanded - self._before, 0) / max(self.seconds, 1e-9)

    def __rich__(self) -> str:
        """The current line, which rich shows whenever it refreshes the display."""
        seconds = self.seconds
        numbered = f", {self._numbered:,} states numbered" if self._numbered else ""
        bounds = self._bounds()
        if made := preparation():
            return f"{seconds:.0f} s: {made}{bounds and ', '}{bounds}{numbered}"
        if bounds:
            return f"{seconds:.0f} s: {bounds}"
        if self._reached == 0:
            return f"{seconds:.0f} s: {self._doing}{numbered}"
        return (
            f"{seconds:.0f} s: {self._found}lower bound {self._bound}, layer {self._layers:,}, "
            f"{self._reached:,} reached, {self._frontier:,} in the frontier, {self._expanded:,} expanded, "
            f"{self.rate:,.0f} a second{numbered}"
        )

    def _bounds(self) -> str:
        """Tell what is known of the value of a partially observable game."""
        if self._narrowed is None:
            return ""
        low, high, beliefs = self._narrowed
        telling = Telling(self._costs)
        lower, upper = telling.bounds(low, high)
        known = f"between {lower:.7g} and {upper:.7g}"
        if low == -math.inf:
            known = f"at {f'least {lower:.7g}' if telling.is_small else f'most {upper:.7g}'}, no policy yet"
        return f"{telling.called} {known}, {beliefs:,} beliefs met"

    def _show(self) -> None:
        with suppress(Exception):  # a display that fails, for want of memory perhaps, must not end the search
            if not is_terminal(sys.stderr):
                while not self._ended.wait(_PLAIN_INTERVAL):
                    message(self.__rich__())
            elif not self._ended.wait(_LIVE_DELAY):
                from rich.console import Console

                with Console(stderr=True).status(_OneLine(self), refresh_per_second=5):
                    self._ended.wait()
