"""An engine that does jobs in threads of this process: for kernels, and for what NumPy does, which run side by side."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import chain, islice

from .engines import Job, Result

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
    """How many cores this process may use."""
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
