"""Engines, which call a function for many jobs: one after the other, or in threads of this process.

Threads run in parallel as far as they are in kernels and NumPy functions, which release Python's lock.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from itertools import chain, islice
from typing import Protocol, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


class Engine(Protocol):
    """Executor of jobs that do not depend on each other."""

    workers: int
    """The number of jobs that are carried out at the same time."""
    far: bool
    """Whether other processes do the jobs: then sending one takes some milliseconds, and small ones are done here."""

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield the results of the jobs, in their order. A job may be carried out twice, so it must be idempotent."""


def each(function: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    """Return the results of several jobs, which count as one job of an engine."""
    return [function(job) for job in jobs]


class Serial:
    """One job after the other, in this process."""

    workers = 1
    far = False

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        return (function(job) for job in jobs)


_here = threading.local()


class GivenUp(Exception):
    """The result of this thread's job is no longer wanted."""


def heed() -> None:
    """Raise `GivenUp` in a thread of `Threads` whose result is no longer wanted; long jobs call it now and then."""
    stop: threading.Event | None = getattr(_here, "stop", None)
    if stop is not None and stop.is_set():
        raise GivenUp


def _done(stop: threading.Event, function: Callable[[Job], Result], job: Job) -> Result:
    _here.stop = stop
    return function(job)


def cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Threads:
    """Executor of jobs in parallel threads, by default one for each core; see `Engine`.

    The thread that asks for the results also draws the jobs, only a few more than are being done. If it is interrupted
    it waits for the jobs that are being done; so they must be short or call `heed`. The threads live as long as this
    object, because new threads would not reuse the memory of old ones.
    """

    far = False

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or cores()
        self._pool = ThreadPoolExecutor(self.workers)  # starts its threads with the first jobs

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        rest = iter(jobs)
        first = list(islice(rest, 2))
        if self.workers == 1 or len(first) < 2:  # no thread for a single job
            yield from (function(job) for job in chain(first, rest))
            return
        waiting: deque[Future[Result]] = deque()
        stop = threading.Event()
        try:
            for job in chain(first, rest):
                waiting.append(self._pool.submit(_done, stop, function, job))
                if len(waiting) > 2 * self.workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            stop.set()
            wait([job_done for job_done in waiting if not job_done.cancel()])


# Parameters of mallopt(3) and their values in bytes: free memory at the end of the heap returns to the system from the
# first size on; an allocation of the second size has pages of its own, which return when it is freed.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_KEPT, _OWN_PAGES = 1 << 28, 1 << 25


def keep_freed_memory() -> None:
    """Make the C library of this process keep more of the freed memory for itself.

    Large arrays live for some milliseconds each. By default their pages return to the system after each step and come
    back for the next one, while all threads wait. In a search on disk with two threads that took half as long as all
    its work. Only Linux has this setting.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(_M_TRIM_THRESHOLD, _KEPT)
            library.mallopt(_M_MMAP_THRESHOLD, _OWN_PAGES)
