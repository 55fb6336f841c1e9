"""Workers of Dask on this machine: processes with one thread each, which keep quiet and end with this one."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import dask
from distributed import LocalCluster, Worker
from distributed.diagnostics.plugin import WorkerPlugin

# Seconds a worker has for ending by itself; it holds nothing that is not in files.
_PATIENCE = 0.5
# Seconds between two looks whether there are as many workers as were asked for.
_LOOK = 5.0


# Memory that is given back to the system after every step on an array, as Dask has it by default, comes back page by
# page, which takes longer than the step.
_QUICK: dict[str, Any] = {"distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None}
# Even without pages Dask opens a port for them; then there is nothing to be had. Nor does anybody look at what it notes
# of itself a hundred times a second.
_UNSEEN = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "60s",
}


class Quiet(WorkerPlugin):
    """Lets a worker log nothing: what goes wrong is told by whoever gave it the job."""

    def setup(self, worker: Worker) -> None:
        for name in ("distributed", "distributed.worker", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


async def local_cluster(workers: int, dashboard: str | None) -> LocalCluster:
    """Start a scheduler in this process, and workers; all of them listen to this machine only.

    `dashboard` is the address of Dask's pages, None for none.
    """
    with dask.config.set(_QUICK if dashboard else _QUICK | _UNSEEN):
        cluster: Any = LocalCluster(  # type: ignore[no-untyped-call]
            asynchronous=True,
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            # What a job takes is known and bounded; Dask would count pages of files that are only looked at.
            memory_limit=None,
            dashboard_address=dashboard or "127.0.0.1:0",
            scheduler_kwargs={"dashboard": dashboard is not None},
            silence_logs=logging.CRITICAL + 1,
            plugins=(Quiet(),),
            env={"NUMBA_NUM_THREADS": "1"},
        )
        starting = asyncio.ensure_future(_started(cluster))
        try:
            return await asyncio.shield(starting)
        except BaseException:
            # Processes cannot be asked to end before they are there, and would complain if all were taken from them.
            await asyncio.wait([starting])
            await close(cluster)
            raise


async def _started(cluster: Any) -> Any:
    return await cluster


async def refill(cluster: Any, workers: int) -> None:
    """Have workers replaced that Dask has given up, for ever: it does so if one is killed while it starts."""
    while True:
        await asyncio.sleep(_LOOK)
        cluster.scale(workers)


async def close(cluster: Any) -> None:
    """End the workers, also those at work, and the scheduler."""
    await asyncio.gather(*(worker.close(timeout=_PATIENCE) for worker in cluster.workers.values()))
    await cluster.close()
