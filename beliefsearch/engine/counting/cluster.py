"""An engine whose jobs are done by Dask: by processes of this machine, or by a cluster of many.

State is in files, not in what Dask holds: a job reads files and writes files, and its result is a few numbers. So any
worker may be lost, and any job done twice. Scheduling, retries, pages to watch, encryption and deployment are Dask's.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from importlib.machinery import SourceFileLoader
from multiprocessing import current_process
from pathlib import Path
from types import ModuleType
from typing import Any, Self, TypeVar

import cloudpickle
import dask
from dask.system import CPU_COUNT
from distributed import CancelledError, Client, KilledWorker

from ...errors import BeliefSearchError
from ...running.limits import Budget
from .cluster_workers import SETTINGS, Loop, Refused, carry_out, close, local_cluster, manifest_seen, refill

Job = TypeVar("Job")
Result = TypeVar("Result")

# How many jobs for each worker are under way at most, so that none of them waits for this process.
_AHEAD = 3
# A function of so many bytes goes with each job; a larger one is a job of its own, so that workers get it once.
_SMALL = 1 << 14
# How often Dask does a job again that raised an error; one whose worker died is done again by itself.
_RETRIES = 2
# Seconds within which a scheduler must answer, and a first worker be there.
_CONNECTING = 10.0
_FIRST_WORKER = 60.0
# Seconds for an orderly end, and for one without a scheduler.
_CLOSING = 10.0
_GONE = 0.2
# What must be the same everywhere; of Python and NumPy the first parts of the version.
_PACKAGES = {"python": 2, "dask": 9, "distributed": 9, "cloudpickle": 1, "numpy": 1, "beliefsearch": 9}


class DaskEngine:
    """Engine that has jobs done by workers of Dask; a context manager, in which the workers are there.

    It starts so many `workers` on this machine, one thread each and by default one a core; or it uses those of a
    `scheduler` with this address. `store` is a directory with a manifest that all of them must see. Limits of `budget`
    are heard while work is waited for.

    The attribute `workers` says how many jobs can be done at the same time; of a cluster that grows or shrinks, when
    work was given last. Raises `BeliefSearchError` if the scheduler or its workers cannot be used, or a job can never
    be done.
    """

    workers: int
    far = True

    def __init__(
        self,
        workers: int | None = None,
        scheduler: str | None = None,
        *,
        store: Path | None = None,
        budget: Budget | None = None,
    ) -> None:
        if workers is not None and scheduler is not None:
            raise BeliefSearchError("a scheduler has its own workers: give their number, or its address, not both")
        if workers is not None and workers < 1:
            raise BeliefSearchError(f"there must be a worker at least, not {workers}")
        self.workers = workers or 1
        self._asked = workers
        self._scheduler = scheduler
        self._manifest = store and Path(store).resolve() / "manifest.json"
        self._tick = (budget or Budget()).tick
        self._client: Any = None
        self._exit = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            _silence(stack)
            if not gc.isenabled():  # Dask makes many cycles of objects, and a search may take days
                gc.enable()
                stack.callback(gc.disable)
            _send_modules_by_value(stack)
            self._loop = Loop()
            stack.callback(self._loop.close)
            if self._scheduler is None:
                self._start(stack)
            else:
                self._connect(stack, self._scheduler)
            self._exit = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._exit.close()

    @property
    def address(self) -> str:
        """The address of the scheduler, for other programs."""
        self._require_open()
        return str(self._client.scheduler.address)

    def _require_open(self) -> None:
        if self._client is None:
            raise BeliefSearchError("the workers are there inside `with DaskEngine(...) as engine:`")

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield the results of the jobs, in their order; only some jobs are under way at the same time.

        Raises `BeliefSearchError` if a job refuses for a reason of ours, its workers died again and again, or the
        scheduler is gone.
        """
        self._require_open()
        self.workers = max(1, self._wait(self._count_workers()))
        waiting: deque[Future[Any]] = deque()
        sent: Any = _pickled(function)
        if len(sent) > _SMALL:
            sent = self._wait(self._share(sent))  # as a job: workers get it once each, and again if they die
        try:
            for job in jobs:
                waiting.append(self._loop.begin(self._done(sent, _pickled(job))))
                if len(waiting) >= _AHEAD * self.workers:
                    yield self._loop.result(waiting.popleft(), self._tick)
            while waiting:
                yield self._loop.result(waiting.popleft(), self._tick)
        finally:
            for future in waiting:
                future.cancel()

    def _wait(self, coroutine: Any) -> Any:
        return self._loop.result(self._loop.begin(coroutine), self._tick)

    # What follows runs in the loop.

    async def _share(self, function: bytes) -> Any:
        return self._client.submit(bytes, function, pure=False)

    async def _count_workers(self) -> int:
        return sum((await self._client.nthreads()).values())

    async def _done(self, function: Any, job: bytes) -> Any:
        """The result of one job, or an error in our words."""
        # No worker is asked for by its address: if all die, Dask lets such work wait for that one for ever, even where
        # it may go to others (`allow_other_workers`).
        future = self._client.submit(carry_out, function, job, pure=False, retries=_RETRIES)
        try:
            # Dask fetches results together: if one who waits were cancelled meanwhile, none would be fetched any more.
            result = await asyncio.shield(future)
        except KilledWorker as error:
            raise BeliefSearchError(
                f"{error.allowed_failures + 1} workers died while they did the same work; perhaps their memory is too "
                "small for it: fewer workers on a machine, or a lower limit on memory, take less"
            ) from error
        except CancelledError as error:
            raise BeliefSearchError("the connection to the scheduler is lost") from error
        finally:
            future.release()
        if isinstance(result, Refused):
            raise result.error()
        return result

    def _start(self, stack: ExitStack) -> None:
        """Start workers on this machine."""
        if getattr(current_process(), "_inheriting", False):
            raise BeliefSearchError(
                "workers run the main program again, as all processes do that Python spawns: "
                'what starts them must stand below `if __name__ == "__main__":`'
            )
        self.workers = self._asked or CPU_COUNT
        stack.enter_context(dask.config.set(SETTINGS))
        try:
            cluster = self._wait(local_cluster(self.workers))
        except Exception as error:
            raise BeliefSearchError(
                f"the workers could not be started ({_line(error)}); in a program of your own, do it below "
                '`if __name__ == "__main__":`'
            ) from error
        stack.callback(self._finish, lambda: close(cluster))
        stack.callback(self._loop.begin(refill(cluster, self.workers)).cancel)
        self._open(stack, cluster)

    def _connect(self, stack: ExitStack, scheduler: str) -> None:
        """Use the workers of a scheduler that runs, once they have been looked at."""
        try:
            self._open(stack, scheduler)
        except Exception as error:
            raise BeliefSearchError(f"the scheduler {scheduler} cannot be used: {_line(error)}") from error
        mine, theirs = self._wait(self._versions())
        self.workers = max(1, self._wait(self._count_workers()))
        for who, packages in theirs.items():
            _require_same(mine, packages, who)
        if self._manifest is not None:
            here = manifest_seen(str(self._manifest))
            for worker, there in self._wait(self._seen(str(self._manifest))).items():
                if there != here:
                    raise BeliefSearchError(
                        f"the worker {worker} does not see what this machine sees in {self._manifest.parent}; "
                        "the store must be a directory that all machines share, under the same path"
                    )

    def _open(self, stack: ExitStack, where: Any) -> None:
        self._client = self._wait(_client(where))
        stack.callback(setattr, self, "_client", None)
        stack.callback(self._finish, self._close_client)

    async def _versions(self) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
        """The versions of packages here; and there, by who it is."""
        asking = self._client.submit(int, pure=False)  # some clusters get a worker only where there is work
        try:
            await self._client.wait_for_workers(1, timeout=_FIRST_WORKER)
        except TimeoutError:
            raise BeliefSearchError(
                f"the scheduler {self._scheduler} has no workers, and got none in {_FIRST_WORKER:g} s; "
                f"start some: dask worker {self._scheduler}"
            ) from None
        finally:
            asking.release()
        known = await self._client.get_versions(packages=[name for name in _PACKAGES if name != "python"])
        theirs = {"the scheduler": known["scheduler"]}
        theirs.update({f"the worker {address}": worker for address, worker in known["workers"].items()})
        return known["client"]["packages"], {who: one["packages"] for who, one in theirs.items() if one}

    async def _seen(self, path: str) -> dict[str, str | None]:
        """What each worker sees of a file."""
        return dict(await self._client.run(manifest_seen, path, on_error="ignore"))

    async def _close_client(self) -> None:
        # Where the scheduler is gone, Dask would wait for what it has to say all the same.
        await self._client.close(timeout=_CLOSING / 2 if self._client.status == "running" else _GONE)

    def _finish(self, coroutine: Callable[[], Any]) -> None:
        """Wait for something to end, not for ever, and whatever goes wrong with it."""
        with suppress(Exception, asyncio.CancelledError):
            self._loop.begin(coroutine()).result(timeout=_CLOSING)


async def _client(where: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of versions that differ: we look at them ourselves
        client: Any = Client(where, asynchronous=True, set_as_default=False, timeout=_CONNECTING)  # type: ignore[no-untyped-call]
        try:
            return await client
        except BaseException:
            await client.close()
            raise


def _require_same(mine: dict[str, str], theirs: dict[str, str], who: str) -> None:
    """Raise BeliefSearchError if a package differs so much that jobs could not be sent."""
    for package, parts in _PACKAGES.items():
        here, there = mine.get(package), theirs.get(package)
        if there is None or str(here).split(".")[:parts] != there.split(".")[:parts]:
            raise BeliefSearchError(
                f"{who} has {package} {there or '(not installed)'}, this machine {here}; "
                "they must be the same on all machines"
            )


def _pickled(value: Any) -> bytes:
    try:
        return bytes(cloudpickle.dumps(value))
    except Exception as error:
        raise BeliefSearchError(f"this cannot be sent to workers: {_line(error)}") from error


def _line(error: BaseException) -> str:
    """The first line of its text, or its name."""
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__


def _silence(stack: ExitStack) -> None:
    """Keep what Dask logs off standard error; errors are raised."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    for handler in {handler for name in names for handler in logging.getLogger(name).handlers}:
        stack.callback(handler.setLevel, handler.level)
        handler.setLevel(logging.CRITICAL + 1)


def _send_modules_by_value(stack: ExitStack) -> None:
    """Have classes of modules that others cannot import sent as they are: those of a puzzle's file."""
    known = cloudpickle.list_registry_pickle_by_value()
    for name, module in sys.modules.copy().items():
        if name == getattr(module, "__name__", "") and "." not in name and name not in known and _is_nowhere(module):
            cloudpickle.register_pickle_by_value(module)
            stack.callback(cloudpickle.unregister_pickle_by_value, module)


def _is_nowhere(module: ModuleType) -> bool:
    """Whether it was made from a file of source that is not found by its name."""
    spec = getattr(module, "__spec__", None)
    # Not `importlib.util.find_spec`, which is content with what is loaded; what is installed to be edited has a finder.
    return (
        spec is not None
        and isinstance(spec.loader, SourceFileLoader)
        and not any(finder.find_spec(module.__name__, None) for finder in sys.meta_path)
    )
