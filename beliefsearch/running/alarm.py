"""Alarm: limits that interrupt any Python code, even code that never checks them.

Solvers check their budget often. Authors' methods, constructors of puzzles, and libraries that write files do not.
While they run, an interval timer checks the budget and raises its `LimitReached` inside the running code.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any, TypeVar

from ..errors import LimitError
from .limits import STOPS, Budget, LimitReached, undisguised

Result = TypeVar("Result")

# Seconds between two checks; fewer with a memory limit, since Python may allocate some hundred megabytes a second.
_BEAT = 0.05
_MEMORY_BEAT = 0.02
# A thread cannot see whether its exception was swallowed; it raises another after this many seconds.
_PATIENCE = 1.0

# Keeps the traceback of a timeout alive: to free millions of objects takes seconds, and the program is about to end.
_REMAINS: deque[BaseException] = deque(maxlen=1)

_put_off = 0
"""The number of `alarm_put_off` blocks in progress."""


class Stopped(Exception):
    """A limit stopped work that has no partial result; `reason` names the limit and the work."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def call_within(budget: Budget, call: Callable[[], Result]) -> Result:
    """Call a function, and raise the `LimitReached` of `budget` inside it once a limit is reached.

    Code in C is interrupted only when it returns to Python. If somebody's `except:` swallows the exception, it is
    raised again. Calls may be nested: the budgets of all of them are checked.

    Notes
    -----
    In the main thread an interval timer of the system delivers the signal. In other threads, on systems without such
    timers, and if another library uses the timer, a thread of our own raises the exception.

    This is a function, not a context manager: a signal that comes while a block is left would be raised inside
    `__exit__`, before that could switch the alarm off.
    """
    has_alarm = budget.limits.seconds is not None or budget.limits.memory is not None
    clock = (_timer if _timer.is_free() else _Watch()) if has_alarm else None
    known, depth = sys.unraisablehook, 0 if clock is None else clock.depth
    try:  # the alarm of an outer call may come while this one is being set
        if clock is not None:
            sys.unraisablehook = partial(_complain_of_others, known)
            clock.begin(budget, _BEAT if budget.limits.memory is None else _MEMORY_BEAT)
        return call()
    except (SystemError, ImportError) as error:
        stop = undisguised(error)
        if stop is None:
            raise
        raise stop from None
    except StopIteration as error:  # which would silently end a loop of our caller's; Python tells it so, too
        raise RuntimeError("a problem's code raised StopIteration") from error
    finally:
        if clock is not None:
            clock.ending = True  # an assignment cannot be interrupted by a signal; the next call can
            clock.end(depth)
            sys.unraisablehook = known


def stopped_within(budget: Budget, call: Callable[[], object]) -> str | None:
    """`call_within` for work with useful partial results: returns why it was stopped, or None."""
    try:
        call_within(budget, call)
    except STOPS as stop:
        return budget.why(stop)
    return None


def known_within(budget: Budget, lacking: str, call: Callable[[], Result]) -> Result:
    """`call_within` for work without partial results; raises `LimitError`, which begins with what is `lacking` then."""
    try:
        return call_within(budget, call)
    except STOPS as stop:
        raise LimitError(f"{lacking}: {budget.why(stop)}") from None


def doing(what: str, budget: Budget, call: Callable[[], Result]) -> Result:
    """Call a function within limits; raises `Stopped` if one is reached. `what` follows "while" in the reason."""
    try:
        budget.tick()  # the time may be over already
        return call_within(budget, call)
    except (LimitReached, MemoryError) as stop:
        reason = budget.why(stop)
        if not budget.seconds_left():
            _REMAINS.append(stop)
    # Outside the handler, so that `Stopped` does not keep the objects alive that exceeded the memory limit.
    raise Stopped(f"{reason} while {what}")


def _complain_of_others(known: Callable[[Any], object], unraisable: Any) -> None:
    """Ignore an alarm inside a finaliser, from which no exception can be raised."""
    if not issubclass(unraisable.exc_type, LimitReached):
        known(unraisable)


@contextmanager
def alarm_put_off() -> Iterator[None]:
    """Put alarms off until the end of a block that an exception would damage."""
    global _put_off
    _put_off += 1
    try:
        yield
    finally:
        _put_off -= 1


def is_importing(frame: FrameType | None) -> bool:
    """Whether a frame is inside an import statement; the alarm then waits, so that no module is left half imported."""
    while frame is not None:
        # A puzzle's file is loaded without an import statement, and may be interrupted.
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>" and frame.f_code.co_name == "_find_and_load":
            return True
        frame = frame.f_back
    return False


class _Timer:
    """The interval timer of the main thread."""

    def __init__(self) -> None:
        self.ending = self._beating = False
        self._budgets: list[Budget] = []

    @property
    def depth(self) -> int:
        """Count the nested calls that have an alarm."""
        return len(self._budgets)

    def is_free(self) -> bool:
        """Whether this is the main thread, and the timer is unused."""
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            return False
        if self._budgets:
            return signal.getsignal(signal.SIGALRM) == self._beat
        unused = signal.getitimer(signal.ITIMER_REAL)[0] == 0
        return unused and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL

    def begin(self, budget: Budget, beat: float) -> None:
        self._budgets.append(budget)
        if len(self._budgets) == 1:
            signal.signal(signal.SIGALRM, self._beat)
        else:
            beat = min(beat, signal.getitimer(signal.ITIMER_REAL)[1])
        signal.setitimer(signal.ITIMER_REAL, beat, beat)

    def end(self, depth: int) -> None:
        del self._budgets[depth:]
        if not self._budgets:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
        self.ending = False

    def _beat(self, number: int, frame: FrameType | None) -> None:
        if _put_off or self.ending or self._beating:
            return
        self._beating = True  # the timer may go off again before this ends
        try:
            for budget in self._budgets:
                budget.sound()
        except LimitReached:
            if not is_importing(frame):
                raise
        finally:
            self._beating = False


_timer = _Timer()


class _TakenBackError(BaseException):
    """Replaces an exception that would be raised too late."""


# Turns of a loop in which that is raised; the first turn is enough.
_TURNS = 1000


class _Watch:
    """A thread that watches another and makes Python raise `LimitReached` there; one for each call."""

    depth = 0

    def __init__(self) -> None:
        self.ending = self._has_raised = False
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._watched = threading.get_ident()

    def begin(self, budget: Budget, beat: float) -> None:
        threading.Thread(target=self._watch, args=(budget, beat), daemon=True).start()

    def end(self, depth: int) -> None:
        with self._lock:
            self._ended.set()
        if self._has_raised:
            self._take_back()

    def _watch(self, budget: Budget, beat: float) -> None:
        while not self._ended.wait(beat):
            if _put_off or self.ending:
                continue
            try:
                budget.sound()
            except LimitReached:
                if is_importing(sys._current_frames().get(self._watched)):
                    continue
                with self._lock:
                    if not self.ending:
                        self._has_raised = True
                        self._raise(LimitReached)
                self._ended.wait(_PATIENCE)

    def _take_back(self) -> None:
        """Replace an exception that has not been raised yet by another, and catch that here.

        To cancel it would leave Python's flag for pending exceptions set: everything is slower then, and a traced
        function never begins (Python 3.11).
        """
        try:
            self._raise(_TakenBackError)
            for _ in range(_TURNS):  # Python raises pending exceptions at the end of a turn
                pass
        except _TakenBackError:
            pass

    def _raise(self, signal_class: type[BaseException]) -> None:
        import ctypes

        thread = ctypes.c_ulong(self._watched)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(signal_class))
