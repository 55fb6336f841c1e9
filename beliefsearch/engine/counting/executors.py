"""Engines, which carry out a function for many jobs: one after the other, or in threads of this process.

Kernels, and what NumPy does, run side by side in threads.
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
    """How many jobs are carried out at the same time."""
    far: bool
    """Whether other processes do them: then to hand one out takes some milliseconds, and little work is done here."""

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of the jobs, in their order. What a job writes must not harm if it is carried out twice."""
        ...


def each(function: Callable[[Job], Result], jobs: Sequence[Job]) -> list[Result]:
    """Do several jobs as one, one after the other."""
    return [function(job) for job in jobs]


class Serial:
    """One job after the other, in this process."""

    workers = 1
    far = False

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of the jobs, in their order."""
        return (function(job) for job in jobs)


_here = threading.local()


class GivenUp(Exception):
    """Nobody waits any more for what this thread does."""


def heed() -> None:
    """Raise GivenUp in a thread of `Threads` whose job nobody waits for any more: called where jobs may take long."""
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
    """Jobs side by side, by default one on each core; see `Engine`.

    The jobs are made in the thread that asks for the results, and not many more than are done at a time. If it is
    interrupted, those that are being done are waited for: they must be short, or `heed` that. The threads stay until
    this is forgotten: the memory that new ones take is not that which old ones leave.
    """

    far = False

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or cores()
        self._pool = ThreadPoolExecutor(self.workers)  # whose threads begin when they have something to do

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of the jobs, in their order."""
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


# Of mallopt(3): what is freed at the end of a heap goes back to the system from this size on, and an allocation of this
# size has pages of its own, which always do.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_KEPT, _OWN_PAGES = 1 << 28, 1 << 25


def keep_freed_memory() -> None:
    """Have the C library keep some of it, from now on and in the whole process.

    Large arrays live for some milliseconds each. Otherwise the system takes pages away after each step and gives them
    back for the next one, which threads wait for: it took half as long as all the work of a search on disk by two of
    them. Systems without such a library are left alone.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(_M_TRIM_THRESHOLD, _KEPT)
            library.mallopt(_M_MMAP_THRESHOLD, _OWN_PAGES)
