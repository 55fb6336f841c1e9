"""Dask workers: the function that does their jobs, quiet worker processes of this machine, and an event loop for Dask.

The event loop has its own thread. The main thread waits for its results and meanwhile notices limits and Ctrl-C.
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

# The seconds between two checks of the limits while waiting.
_BEAT = 0.05
_CAN_MASK = hasattr(signal, "pthread_sigmask")
# The seconds that cancelled coroutines have to clean up.
_CLEANING = 10.0
# The semaphore tracker warns when it cleans up after killed processes, but here they are killed on purpose.
_TRACKED = "ignore:resource_tracker:UserWarning"
# The seconds that a worker has to end by itself; nothing is lost if it is killed, because all state is in files.
_PATIENCE = 0.5
# The seconds between two checks of the number of workers.
_LOOK = 5.0
# Whether workers are forked from a server process that has loaded all modules: loading them would take each worker a
# second. On other systems some libraries do not survive a fork.
_FORKED = sys.platform == "linux"

# The environment of the server process: no modules are loaded from the working directory, and no library starts
# threads, which a fork would lose.
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
    # By default Dask makes workers return freed memory to the system after every step on an array. It comes back page
    # by page, which takes longer than the step.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
    **({"distributed.worker.multiprocessing-method": "forkserver"} if _FORKED else {}),
    # Dask opens a port for its web pages even without a dashboard; so it serves no pages there. Nor does anybody look
    # at its profile of itself.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "60s",
    "distributed.admin.system-monitor.interval": "10s",
}
"""Dask's settings for workers of this machine, including those that replace a lost one."""


@frozen
class Refused:
    """The error of a job that would fail again at every retry."""

    kind: type[BaseException]
    text: str

    def error(self) -> BaseException:
        """Return the exception."""
        error = self.kind.__new__(self.kind, self.text)  # not by `__init__`, which may take other arguments
        assert isinstance(error, BaseException)
        return error


def carry_out(function: bytes, job: bytes) -> Any:
    """Return the result of a pickled function for a pickled job, or `Refused`; raise errors that a retry may cure."""
    try:
        return _unpickled(function)(_loaded(job))
    except (BeliefSearchError, LimitReached, MemoryError) as error:
        return Refused(type(error), str(error))
    except StopIteration as error:  # a future cannot hold this exception
        raise RuntimeError("a problem's code raised StopIteration") from error
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror or error}, on the machine {socket.gethostname()}") from error


@lru_cache(maxsize=1)
def _unpickled(function: bytes) -> Callable[[Any], Any]:
    """Return the function, which is loaded once for all jobs of a step because it contains the space."""
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
    """Plugin that turns off the log of a worker; errors of its jobs are raised in this process."""

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
        # Jobs bound their memory themselves; Dask would also count the pages of memory-mapped files.
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
        # Processes can be closed only after they have started.
        await asyncio.wait([starting])
        await close(cluster)
        raise


async def refill(cluster: Any, workers: int) -> None:
    """Replace workers that Dask has given up, such as those killed while they started; runs until it is cancelled."""
    while True:
        await asyncio.sleep(_LOOK)
        cluster.scale(workers)


async def close(cluster: Any) -> None:
    """Close the workers, even those that are at work, and the scheduler."""
    await asyncio.gather(*(worker.close(timeout=_PATIENCE) for worker in cluster.workers.values()))
    await cluster.close()


def _start_tracker() -> None:
    """Start the process that tracks the semaphores of workers, without its warnings, unless it runs already."""
    sys.warnoptions.append(_TRACKED)  # the process gets these options
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(_TRACKED)


class Loop:
    """An event loop in a thread of its own; the thread that waits for its results notices limits and Ctrl-C.

    Processes that are started in the loop ignore Ctrl-C, which a terminal sends to all of them; their parent ends them.
    Errors in the background are not logged, because they are raised in the thread that waits for the result.
    """

    def __init__(self) -> None:
        if _CAN_MASK:
            _start_tracker()  # before the loop's thread exists: started there, it would unblock Ctrl-C in that thread
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
        """Start a coroutine and return its future; cancelling the future cancels the coroutine."""
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
        """Return the result of a started coroutine; if `tick`, which is called meanwhile, raises, it is cancelled."""
        try:
            while not wait([begun], _BEAT).done:
                tick()
        except BaseException:
            begun.cancel()
            raise
        return begun.result()

    def close(self) -> None:
        """End the thread, after cancelled coroutines have had some seconds to clean up."""
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
