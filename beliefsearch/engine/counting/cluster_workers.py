"""Workers of Dask: the jobs that they do, and processes of this machine that keep quiet and end with this one.

Their scheduler is spoken to in an event loop in a thread of its own, whose work is waited for with an ear for limits
and Ctrl-C.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import pickle
import signal
import socket
import sys
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future, wait
from functools import lru_cache
from multiprocessing import forkserver, resource_tracker
from pathlib import Path
from typing import Any, TypeVar

from attrs import frozen
from distributed import LocalCluster, Worker
from distributed.diagnostics.plugin import WorkerPlugin
from distributed.utils import get_mp_context

from ...errors import BeliefSearchError
from ...running.limits import LimitReached

Result = TypeVar("Result")

# Seconds between two looks at the limits while something is waited for.
_BEAT = 0.05
_CAN_MASK = hasattr(signal, "pthread_sigmask")
# Seconds that what was cancelled may take to clean up.
_CLEANING = 10.0
# The tracker of semaphores cleans up after processes that are killed, which is as it should be.
_TRACKED = "ignore:resource_tracker:UserWarning"
# Seconds a worker has for ending by itself; it holds nothing that is not in files.
_PATIENCE = 0.5
# Seconds between two looks whether there are as many workers as were asked for.
_LOOK = 5.0
# Whether workers are forked from a process that has loaded all they need: to load it takes each a second. On other
# systems some libraries do not bear it.
_FORKED = sys.platform == "linux"

# What that process is started with: nothing is loaded from where the program happens to run, and no library starts
# threads, which could not be forked. None: without.
_AT_THE_START = {
    "PYTHONSAFEPATH": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "MALLOC_TRIM_THRESHOLD_": "1073741824",
    "MALLOC_MMAP_THRESHOLD_": "33554432",
}

_READY = f"{__package__}.cluster_ready"

SETTINGS: dict[str, Any] = {
    # Memory that is given back to the system after every step on an array, as Dask has it by default, comes back page
    # by page, which takes longer than the step.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
    **({"distributed.worker.multiprocessing-method": "forkserver"} if _FORKED else {}),
    # Even without pages Dask opens a port for them; then there is nothing to be had. Nor does anybody look at what it
    # notes of itself a hundred times a second.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "60s",
    "distributed.admin.system-monitor.interval": "10s",
}
"""Dask's settings for workers of this machine, also where it replaces one."""


@frozen
class Refused:
    """Reason for a job that was not done, where it is of no use to try it again."""

    kind: type[BaseException]
    text: str

    def error(self) -> BaseException:
        """The exception anew: its class may want other arguments than its text."""
        error = self.kind.__new__(self.kind, self.text)
        assert isinstance(error, BaseException)
        return error


def carry_out(function: bytes, job: bytes) -> Any:
    """Return the result of a pickled function for a pickled job, or why there is none; other errors are raised."""
    try:
        return _unpickled(function)(_loaded(job))
    except (BeliefSearchError, LimitReached, MemoryError) as error:
        return Refused(type(error), str(error))
    except StopIteration as error:  # which no future can hold
        raise RuntimeError("a problem's code raised StopIteration") from error
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror or error}, on the machine {socket.gethostname()}") from error


@lru_cache(maxsize=1)
def _unpickled(function: bytes) -> Callable[[Any], Any]:
    """Load the function once for all jobs of a step: it holds the space, which may be large."""
    return _loaded(function)  # type: ignore[no-any-return]


def _loaded(data: bytes) -> Any:
    try:
        return pickle.loads(data)
    except ImportError as error:
        raise BeliefSearchError(
            f"a worker of the cluster cannot load what it is to do ({error}); install the same packages there as here"
        ) from error


def manifest_seen(path: str) -> str | None:
    """Return a digest of the file as this machine sees it; None if there is none."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return None


class Quiet(WorkerPlugin):
    """Lets a worker log nothing: what goes wrong is told by whoever gave it the job."""

    def setup(self, worker: Worker) -> None:
        for name in ("distributed", "distributed.worker", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _start_server() -> None:
    """Start the process that workers are forked from, if it does not run yet."""
    get_mp_context().set_forkserver_preload([_READY])  # type: ignore[no-untyped-call]
    before = {name: os.environ.get(name) for name in _AT_THE_START}
    _set(_AT_THE_START)
    try:
        forkserver.ensure_running()
    finally:
        _set(before)


def _set(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


async def local_cluster(workers: int) -> LocalCluster:
    """Start a scheduler in this process, and workers, with `SETTINGS`; all of them listen to this machine only."""
    if _FORKED:
        _start_server()
    cluster: Any = LocalCluster(  # type: ignore[no-untyped-call]
        asynchronous=True,
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        # What a job takes is known and bounded; Dask would count pages of files that are only looked at.
        memory_limit=None,
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        silence_logs=logging.CRITICAL + 1,
        plugins=(Quiet(),),
        env={"NUMBA_NUM_THREADS": "1"},
    )
    starting = asyncio.ensure_future(cluster)
    try:
        return await asyncio.shield(starting)
    except BaseException:
        # Processes cannot be asked to end before they are there, and would complain if all were taken from them.
        await asyncio.wait([starting])
        await close(cluster)
        raise


async def refill(cluster: Any, workers: int) -> None:
    """Have workers replaced that Dask has given up, for ever: it does so if one is killed while it starts."""
    while True:
        await asyncio.sleep(_LOOK)
        cluster.scale(workers)


async def close(cluster: Any) -> None:
    """End the workers, also those at work, and the scheduler."""
    await asyncio.gather(*(worker.close(timeout=_PATIENCE) for worker in cluster.workers.values()))
    await cluster.close()


def _start_tracker() -> None:
    """Start what looks after the semaphores of workers, if it does not run yet; it keeps quiet."""
    sys.warnoptions.append(_TRACKED)  # with these options it is started
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(_TRACKED)


class Loop:
    """Runs coroutines; only the thread that waits for them hears limits and Ctrl-C.

    Processes that are started in it, and what these start, hear no Ctrl-C either: a terminal sends it to all of them,
    and it is their parent that ends them. What goes wrong in the background is not told: whoever waits hears of it.
    """

    def __init__(self) -> None:
        if _CAN_MASK:
            _start_tracker()  # if it were started in our thread it would open that for Ctrl-C
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda loop, context: None)
        self._begun: set[asyncio.Task[Any]] = set()
        self._thread = threading.Thread(target=self._run, name="beliefsearch cluster", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        if _CAN_MASK:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def begin(self, coroutine: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Start a coroutine; cancelling what is returned cancels it."""
        return asyncio.run_coroutine_threadsafe(self._noted(coroutine), self._loop)

    async def _noted(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        task = asyncio.current_task()
        assert task is not None
        self._begun.add(task)
        try:
            return await coroutine
        finally:
            self._begun.discard(task)

    def result(self, begun: Future[Result], tick: Callable[[], None]) -> Result:
        """Wait for a coroutine that was begun, and call `tick` now and then; what it raises cancels the coroutine."""
        try:
            while not wait([begun], _BEAT).done:
                tick()
        except BaseException:
            begun.cancel()
            raise
        return begun.result()

    def close(self) -> None:
        """End the thread; what was begun and then cancelled has a while for cleaning up."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        if self._begun:
            await asyncio.wait(self._begun, timeout=_CLEANING)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=1)
        self._loop.stop()
