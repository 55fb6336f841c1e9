"""Limits of time, memory and expansions, which a search checks often and cheaply."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic
from types import NoneType
from typing import TYPE_CHECKING, Any
from weakref import ReferenceType, ref

from attrs import evolve, field, frozen
from attrs.validators import ge, gt, optional

from ..errors import BeliefSearchError
from ..model.base import Cost
from .graceful_stop import LastSave
from .observer import prepared

if TYPE_CHECKING:
    from ..plans.result import SearchResult

# Seconds between two readings of the memory gauge. In this time a search in Python allocates a few
# megabytes; a reading takes some microseconds.
_GAUGE_INTERVAL = 0.005
# The first reading comes when the limit could be reached at the fastest possible growth (bytes a second), and after
# half a second at the latest; so small searches end before it.
_FASTEST_GROWTH = 2**34
_LATEST_GAUGE = 0.5
# The file in which Linux counts the pages of a process, and the places of resident memory and of data in it.
_STATM = "/proc/self/statm"
_RESIDENT, _DATA = 1, 5
KERNELS = 2**28
"""Bytes that NumPy, Numba and the kernels may take while kernels are being compiled."""
_WORTH_TELLING = 1.0  # seconds of a time limit in which a search waited for something else
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 1


_leave_room: Callable[[], None] | None = None
"""Raises the hard memory limit, if there is one, so that an answer can be written."""


class LimitReached(BaseException):
    """Raised by a budget to stop a solver, which turns it into an undecided result.

    It never reaches a caller, so it is not part of the public exception tree. Like KeyboardInterrupt it is no
    `Exception`: it may be raised in the middle of an author's code (see `alarm.py`), which must not take it for a
    mistake of its own.
    """


STOPS: tuple[type[BaseException], ...] = (LimitReached, KeyboardInterrupt, MemoryError)
"""The exceptions that stop a search early: a limit, the user, or the machine. `Budget.why` says which."""


def undisguised(error: BaseException) -> BaseException | None:
    """The one of `STOPS` that an error is; or that it hides, since it came while a kernel or a library was loaded."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, STOPS):
        disguised = isinstance(cause, (SystemError, ImportError))
        cause = (cause.__cause__ or cause.__context__) if disguised else None
    return cause


_OF_NUMPY = re.compile(r"Unable to allocate ([\d.]+ \wiB) for an array")

INTERRUPTED = "it was interrupted"
"""The reason, or its beginning, if the user stopped the search; `Budget.is_interrupted` tells it by a value."""


class EffortExceeded(Exception):
    """Raised by a view or a search that is too large for its method; another method may suffice."""

    lower_bound: Cost = 0  # proved by the search before it was stopped
    stopped: SearchResult[Any] | None = None  # the search as it ended, with its counts


class TooDear(EffortExceeded):
    """Raised when computing an estimate would take more work than allowed."""


class TooManyStates(EffortExceeded):
    """Raised when there are more states and actions than arrays should hold, or than may be walked for them."""


def size_text(size: int) -> str:
    """Return a number of bytes in MiB, or if it is less than one, as it is."""
    return f"{size / 2**20:,.0f} MiB" if size >= 2**20 else f"{size:,} bytes"


def resident_memory() -> int:
    """The resident memory of this process in bytes."""
    try:
        return _pages(_RESIDENT)  # on Linux: by one short file, in microseconds
    except OSError:
        import psutil  # knows all other systems

        return int(psutil.Process().memory_info().rss)


def _pages(place: int) -> int:
    """A field of /proc/self/statm, in bytes; without a stream, as it is read hundreds of times a second."""
    file = os.open(_STATM, os.O_RDONLY)
    try:
        return int(os.read(file, 256).split()[place]) * _PAGE
    finally:
        os.close(file)


def machine_memory() -> int | None:
    """The memory that this process may use, in bytes; None if the system does not say."""
    known = []
    if hasattr(os, "sysconf"):
        known.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError):  # a container's share
        known.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(known, default=None)


@contextmanager
def hard_memory_limit(memory: int | None) -> Iterator[None]:
    """On Linux, let the system refuse allocations beyond 105% of `memory` bytes.

    A budget reads the gauge between two steps of a search, but a single step may double a large hash table. The
    allocation then fails, and solvers treat the MemoryError as the limit. Once a budget has said why a search was
    stopped, the ceiling rises to 110%, so that the answer can be written.
    """
    global _leave_room
    if memory is None or not sys.platform.startswith("linux"):
        yield
        return
    import resource

    resident, data = _pages(_RESIDENT), _pages(_DATA)
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)

    def limit_to(times: float) -> tuple[int, int]:
        # The system counts reserved memory, a little more than resident memory.
        ceiling = max(data + int(memory * times) - resident, data)
        return ceiling if hard == resource.RLIM_INFINITY else min(ceiling, hard), hard

    # Its arguments are computed now: when it is called there may be no memory left for that.
    _leave_room = partial(resource.setrlimit, resource.RLIMIT_DATA, limit_to(1.1))
    resource.setrlimit(resource.RLIMIT_DATA, limit_to(1.05))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
        _leave_room = None


class Budget:
    """`Limits` together with the time at which they began to count.

    Everything that may take long calls `tick`: solvers at every state they expand or generate, views
    at every state they number. With `grace` the time limit counts that many seconds later.
    """

    def __init__(self, limits: Limits | None = None, *, grace: float = 0) -> None:
        if not isinstance(limits, (Limits, NoneType)):
            raise BeliefSearchError(f"limits are given as Limits(seconds=10), not as {limits!r}")
        self.limits = limits or Limits()
        self._started, self._prepared = monotonic(), prepared()
        self._deadline = math.inf if self.limits.seconds is None else self._started + self.limits.seconds + grace
        memory = self.limits.memory
        delay = math.inf if memory is None else min(memory / _FASTEST_GROWTH, _LATEST_GAUGE)
        first_gauge = self._started + delay
        self._next_look = min(self._deadline, first_gauge)
        self._reason = ""
        self.last_save: LastSave | None = None
        """Lets a search with a store save once more after the time limit."""
        self.is_interrupted = False
        """Whether the user stopped work of this budget; `why` enters it."""
        self._heard = False
        self._whole: Budget | None = None
        self._tries = False
        self._sounded: ReferenceType[LimitReached] | None = None

    def without(self, seconds: float) -> None:
        """Do not count the last `seconds`, in which the program only waited for the user."""
        self._started += seconds
        self._deadline += seconds
        self._next_look += seconds

    def seconds(self) -> float:
        """Seconds since the start."""
        return monotonic() - self._started

    def seconds_left(self) -> float:
        """Seconds until the time limit, for libraries with a time limit of their own; infinite without a limit."""
        return max(self._deadline - monotonic(), 0.0)

    def part(self, share: float, expanded: int | None = None) -> Budget:
        """Return a budget of a share of the time that is left, and of so many expansions; it names the whole limit."""
        grace = 0 if self.limits.seconds is None else share * self.seconds_left() - self.limits.seconds
        given = [most for most in (self.limits.expanded, expanded) if most is not None]
        part = Budget(evolve(self.limits, expanded=min(given, default=None)), grace=grace)
        part._whole = self
        if self.is_interrupted:
            part._interrupt()
        return part

    def _interrupt(self) -> None:
        """Let each `tick` raise from now on, of this budget and of those of which it is a part."""
        self.is_interrupted, self._next_look = True, 0
        if self._whole is not None:
            self._whole._interrupt()

    def most_memory(self) -> int | None:
        """The memory in bytes that the limit and the machine allow in all; None if neither is known."""
        known = (self.limits.memory, machine_memory())
        return min((limit for limit in known if limit is not None), default=None)

    def require_room(self, size: int, thing: str) -> None:
        """Raise `LimitReached`, naming `thing`, if the memory limit leaves less than `size` bytes.

        For libraries that would end the process if they failed to get their memory.
        """
        limit = self.limits.memory
        if limit is not None and limit - resident_memory() < size:
            raise LimitReached(
                f"the memory limit of {size_text(limit)} leaves no room for {thing}, which may take {size_text(size)}"
            )

    def require_kernels(self) -> None:
        """Raise `LimitReached` if the memory limit leaves no room for the engine "compiled"."""
        self.require_room(KERNELS, "compiled kernels")

    def has_room_for_kernels(self) -> bool:
        """Whether the memory limit leaves room for NumPy, Numba, and kernels while they are being compiled."""
        limit = self.limits.memory
        return limit is None or limit - resident_memory() >= KERNELS

    @property
    def reads_no_clock(self) -> bool:
        """Whether `tick` has nothing to look at: neither time nor memory is limited."""
        return self._next_look == math.inf

    def tick(self) -> None:
        """Raise `LimitReached`, with the limit in words, if one is reached; cheap otherwise."""
        now = monotonic()
        if now >= self._next_look:
            self._look(now)

    def _look(self, now: float) -> None:
        if self.is_interrupted:
            raise LimitReached(INTERRUPTED)
        memory = self.limits.memory
        is_late = now >= self._deadline
        if is_late:
            waits = {what: seconds - self._prepared.get(what, 0) for what, seconds in prepared().items()}
            told = [f"{seconds:.0f} s went to {what}" for what, seconds in waits.items() if seconds >= _WORTH_TELLING]
            why = f" ({', '.join(told)})" if told else ""
            self._reason = f"the time limit of {self.limits.seconds:g} s was reached{why}"
            # The exception is created lazily: `sound` holds a weak reference to it, and takes its end as a signal.
            if self.last_save is None or not self.last_save.puts_off(partial(LimitReached, self._reason)):
                raise LimitReached(self._reason)
        if memory is not None and resident_memory() >= memory:
            self._reason = f"the memory limit of {size_text(memory)} was reached"
            raise LimitReached(self._reason)
        self._next_look = now + _GAUGE_INTERVAL if is_late else min(self._deadline, now + _GAUGE_INTERVAL)

    def sound(self) -> None:
        """Call `tick` for an alarm; raise again only if an `except:` has swallowed the first exception.

        An exception that is still propagating is alive, and a second one would disturb the code that cleans up.
        """
        if self._heard or (self._sounded is not None and self._sounded() is not None):
            return
        try:
            self.tick()
        except LimitReached as stop:
            self._sounded = ref(stop)
            raise

    def why(self, stop: BaseException) -> str:
        """Say why a search was stopped, if `stop` is one of `STOPS` or comes from one; else return an empty text.

        The alarm is silent from now on, since the caller has heard it. An interruption is told again at each `tick`,
        as limits are: whoever would go on with another search hears it, too.
        """
        if _leave_room is not None:
            _leave_room()
        cause = undisguised(stop)
        if cause is None:
            return ""
        self._heard = True
        if isinstance(cause, KeyboardInterrupt):
            self._interrupt()
            return INTERRUPTED
        if isinstance(cause, LimitReached):
            return str(cause) or self._reason  # a thread's alarm can only raise the class
        limit = f"the limit is {size_text(self.limits.memory)}" if self.limits.memory else ""
        asked_for = _OF_NUMPY.match(str(cause))  # NumPy names the size of the failed allocation
        sizes = ", ".join(filter(None, (asked_for and f"{asked_for[1]} were asked for at once", limit)))
        return "memory ran out" + (f" ({sizes})" if sizes else "")

    def check_expanded(self, expanded: int) -> None:
        """Raise `LimitReached` if `expanded` expansions have used up the limit."""
        if self.limits.expanded is not None and expanded >= self.limits.expanded:
            if self._tries:
                raise EffortExceeded
            raise LimitReached(f"the limit of {self.limits.expanded} expanded states was reached")

    @contextmanager
    def trying(self, expanded: int | None) -> Iterator[None]:
        """Raise `EffortExceeded` after `expanded` expansions within this block; None, or one above the limit: never."""
        limits = self.limits
        if expanded is not None and (limits.expanded is None or expanded < limits.expanded):
            self.limits, self._tries = evolve(limits, expanded=expanded), True
        try:
            yield
        finally:
            self.limits, self._tries = limits, False


@frozen
class Limits:
    """Limits at which a search must stop, whether or not it has decided.

    Attributes
    ----------
    seconds
        Wall-clock time, from the start of the search.
    memory
        Resident memory of the whole process, in bytes.
    expanded
        States expanded: a limit that does not depend on the machine.
    """

    seconds: float | None = field(default=None, validator=optional(gt(0)))
    memory: int | None = field(default=None, validator=optional(gt(0)))
    expanded: int | None = field(default=None, validator=optional(ge(0)))
