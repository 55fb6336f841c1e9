"""An engine whose jobs are done by Dask: by processes of this machine, or by a cluster of many machines.

All state is in files: a job reads files and writes files, and its result is a few numbers. So any worker may be lost,
and any job may be done twice. Scheduling, retries, monitoring, encryption and deployment are left to Dask.
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

# The most jobs in progress for each worker: enough that no worker waits for this process.
_AHEAD = 3
# A function of at most so many bytes is sent with each job; a larger one is sent once to each worker.
_SMALL = 1 << 14
# Retries of a job that raised an error. Dask retries a job whose worker died in any case.
_RETRIES = 2
# The seconds that a scheduler has for its answer, and for its first worker.
_CONNECTING = 10.0
_FIRST_WORKER = 60.0
# The seconds for closing the connection to a scheduler, and to one that is gone.
_CLOSING = 10.0
_GONE = 0.2
# Packages that must have the same version everywhere, with the number of parts of the version that matter.
_PACKAGES = {"python": 2, "dask": 9, "distributed": 9, "cloudpickle": 1, "numpy": 1, "beliefsearch": 9}


class DaskEngine:
    """An engine whose jobs are done by Dask workers; a context manager, within which the workers exist.

    It starts `workers` processes of one thread on this machine, by default one for each core, or uses the workers of
    the `scheduler` with this address. `store` is a directory with a manifest that all workers must see. The limits of
    `budget` are checked while it waits for results.

    The attribute `workers` is the number of jobs done at the same time; if a cluster grows or shrinks, it is the number
    at the last `map`. Raises `BeliefSearchError` if the scheduler or its workers cannot be used, or a job fails for
    good.
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
        """Yield the results of the jobs, in their order; only some jobs are in progress at the same time.

        Raises the error of a job that cannot succeed (`Refused`), and `BeliefSearchError` if its workers died again and
        again or the scheduler is gone.
        """
        self._require_open()
        self.workers = max(1, self._wait(self._count_workers()))
        waiting: deque[Future[Any]] = deque()
        sent: Any = _pickled(function)
        if len(sent) > _SMALL:
            sent = self._wait(self._share(sent))  # as the result of a job, which Dask sends to each worker once
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

    # The coroutines below run in the thread of the loop.

    async def _share(self, function: bytes) -> Any:
        return self._client.submit(bytes, function, pure=False)

    async def _count_workers(self) -> int:
        return sum((await self._client.nthreads()).values())

    async def _done(self, function: Any, job: bytes) -> Any:
        """Return the result of one job; Dask's errors are translated into ours."""
        # The job is not bound to the address of a worker: if all workers died, Dask would let such a job wait for that
        # one for ever, even with `allow_other_workers`.
        future = self._client.submit(carry_out, function, job, pure=False, retries=_RETRIES)
        try:
            # Dask fetches results together: cancelling one request in the middle would end the fetching of all others.
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
        """Use the workers of a running scheduler, after a check of their versions and of the store."""
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
        """Return the versions of packages here, and those of the scheduler and of each worker."""
        asking = self._client.submit(int, pure=False)  # some clusters start a worker only when there is a job
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
        """Return for each worker the digest of a file as it sees it."""
        return dict(await self._client.run(manifest_seen, path, on_error="ignore"))

    async def _close_client(self) -> None:
        # Dask would wait for the answer of a scheduler even if that is gone.
        await self._client.close(timeout=_CLOSING / 2 if self._client.status == "running" else _GONE)

    def _finish(self, coroutine: Callable[[], Any]) -> None:
        """Wait for a coroutine to end, at most `_CLOSING` seconds, and ignore its errors."""
        with suppress(Exception, asyncio.CancelledError):
            self._loop.begin(coroutine()).result(timeout=_CLOSING)


async def _client(where: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about versions, which `_require_same` checks
        client: Any = Client(where, asynchronous=True, set_as_default=False, timeout=_CONNECTING)  # type: ignore[no-untyped-call]
        try:
            return await client
        except BaseException:
            await client.close()
            raise


def _require_same(mine: dict[str, str], theirs: dict[str, str], who: str) -> None:
    """Raise `BeliefSearchError` if the versions of a package differ so much that jobs could fail."""
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
    """Return the first line of an error's text, or the name of its class."""
    return next(iter(str(error).strip().splitlines()), "") or type(error).__name__


def _silence(stack: ExitStack) -> None:
    """Keep Dask's log messages off standard error; errors are raised anyway."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    for handler in {handler for name in names for handler in logging.getLogger(name).handlers}:
        stack.callback(handler.setLevel, handler.level)
        handler.setLevel(logging.CRITICAL + 1)


def _send_modules_by_value(stack: ExitStack) -> None:
    """Send classes by value if workers cannot import their modules, such as the file of a user's problem."""
    known = cloudpickle.list_registry_pickle_by_value()
    for name, module in sys.modules.copy().items():
        if name == getattr(module, "__name__", "") and "." not in name and name not in known and _is_nowhere(module):
            cloudpickle.register_pickle_by_value(module)
            stack.callback(cloudpickle.unregister_pickle_by_value, module)


def _is_nowhere(module: ModuleType) -> bool:
    """Whether a module comes from a source file that cannot be imported by its name."""
    spec = getattr(module, "__spec__", None)
    # Not `importlib.util.find_spec`, which finds every loaded module. Packages installed as editable have a finder.
    return (
        spec is not None
        and isinstance(spec.loader, SourceFileLoader)
        and not any(finder.find_spec(module.__name__, None) for finder in sys.meta_path)
    )
