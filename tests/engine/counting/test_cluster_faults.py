"""Faults of a search on a cluster: its workers or itself killed at any moment. The counts stay what they are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any

import psutil
import pytest

from beliefsearch.engine.counting.cluster import DaskEngine
from beliefsearch.engine.counting.cluster_workers import Loop
from beliefsearch.engine.counting.disk_layers import DiskLayers
from beliefsearch.engine.counting.executors import Engine, Serial
from beliefsearch.errors import BeliefSearchError
from beliefsearch.running.observer import Observer
from beliefsearch.running.run import Run
from beliefsearch.running.store.directory import Store

from . import clustered_search, test_cluster
from .killed_search import SIZES, SUBJECT, Ring, finish
from .test_cluster import work_in
from .test_on_disk import ring

ROOT = Path(__file__).parents[3]
pytestmark = test_cluster.pytestmark
KINDS = [(1, "bounded"), (2, "unbounded")]


def workers_of(process: psutil.Process) -> list[psutil.Process]:
    """The processes that work for one; not those that Python starts to fork them, and to clean up after them."""
    found = []
    for child in process.children():
        with suppress(psutil.ZombieProcess, psutil.NoSuchProcess):
            said = " ".join(child.cmdline())
            if "spawn_main" in said:
                found.append(child)
            if "forkserver" in said:
                found += [worker for worker in child.children() if worker.status() != psutil.STATUS_ZOMBIE]
    return found


class Killer(Observer):
    """Kills so many workers at once while a layer is being found, whenever so much news was heard."""

    def __init__(self, workers: int, moments: set[int]) -> None:
        self.workers, self.moments = workers, moments
        self.heard = 0
        self.killed: list[psutil.Process] = []

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        self.heard += 1
        if self.heard in self.moments:
            deadline = time.monotonic() + 60
            while len(found := workers_of(psutil.Process())) < self.workers:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            for worker in found[: self.workers]:
                worker.kill()
            self.killed += found[: self.workers]


def search(engine: Engine, place: Path, space: Ring, run: Run | None = None) -> list[int]:
    with Store(place, SUBJECT, resume=True) as store:
        layers = DiskLayers(space, store, engine, 2**24, run, sizes=SIZES)
        finish(layers)
        return layers.counts


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is cleaned up by a process of its own there")
def test_what_is_cleaned_up_after_a_kill_is_not_told_of() -> None:
    program = """
import os
from multiprocessing import resource_tracker
from beliefsearch.engine.counting.cluster_workers import Loop
Loop()
resource_tracker.register("/of-a-worker-that-was-killed", "semaphore")
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""


@pytest.mark.thorough
@pytest.mark.parametrize(("words", "bounded"), KINDS)
@pytest.mark.parametrize("workers", [1, 2])
def test_workers_are_killed_often(engine: DaskEngine, tmp_path: Path, workers: int, words: int, bounded: str) -> None:
    # If the same work had been under way each time, it would be taken for what killed them.
    killer = Killer(workers, {8, 18, 28})
    assert search(engine, tmp_path, Ring(2_003, words, bounded == "bounded"), Run(observer=killer)) == ring(2_003)
    assert len(killer.killed) == 3 * workers


@contextmanager
def driver(place: Path, workers: int, words: int = 1, bounded: str = "bounded") -> Iterator[subprocess.Popen[str]]:
    """A program that searches with workers of its own, and has begun to."""
    command = [sys.executable, "-m", clustered_search.__name__, str(place), str(workers), str(words), bounded]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n", process.stderr and process.stderr.read()
            yield process
        finally:
            process.kill()


def end(process: subprocess.Popen[str], how: signal.Signals, layers: int) -> None:
    """Send a signal after some layers; then the process and its workers are gone soon."""
    assert process.stdout is not None
    for _ in range(layers):
        process.stdout.readline()
    family = psutil.Process(process.pid).children(recursive=True)
    assert family
    os.kill(process.pid, how)
    process.wait(timeout=60)
    assert process.returncode != 0
    _, alive = psutil.wait_procs(family, timeout=60)
    assert not alive


def assert_goes_on(engine: Engine, place: Path, space: Ring) -> None:
    with Store(place, SUBJECT, resume=True) as store:
        assert store.state is not None
        assert 3 < len(store.state["counts"]) < len(ring(2_003))
    assert search(engine, place, space) == ring(2_003)


@pytest.mark.thorough
def test_a_worker_is_killed_and_then_the_program(tmp_path: Path) -> None:
    small = next(depth for depth in range(20) if sum(ring(2_003)[:depth]) > SIZES.small)
    with driver(tmp_path, 1) as process:
        assert process.stdout is not None
        for _ in range(small - 1):
            process.stdout.readline()
        (worker,) = workers_of(psutil.Process(process.pid))
        worker.kill()  # it was just given its first job
        end(process, signal.SIGKILL, 2)
    assert_goes_on(Serial(), tmp_path, Ring(2_003))


@pytest.mark.thorough
@pytest.mark.parametrize(("words", "bounded"), KINDS)
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_no_process_is_left_in_the_end(
    engine: DaskEngine, tmp_path: Path, how: signal.Signals, words: int, bounded: str
) -> None:
    with driver(tmp_path, 2, words, bounded) as process:
        end(process, how, 6)
    assert_goes_on(engine, tmp_path, Ring(2_003, words, bounded == "bounded"))


def test_ctrl_c_is_heard_while_work_is_waited_for(engine: DaskEngine, tmp_path: Path) -> None:
    def jobs() -> Iterator[Path]:
        yield tmp_path
        Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()

    with pytest.raises(KeyboardInterrupt):
        list(engine.map(work_in, jobs()))


def test_the_scheduler_is_gone() -> None:
    """A cluster of threads in this process, which is ended while work is under way."""
    from distributed import LocalCluster  # to load it takes a second of every worker that only looks for tests

    loop = Loop()

    async def begin() -> Any:
        return await LocalCluster(  # type: ignore[no-untyped-call]
            asynchronous=True, n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        )

    cluster = loop.result(loop.begin(begin()), lambda: None)
    try:
        with DaskEngine(scheduler=cluster.scheduler_address) as engine:
            results = engine.map(time.sleep, [0.01, *[0.2] * 300])  # a job that has begun may come to its end
            next(results)
            loop.begin(cluster.close())
            with pytest.raises(BeliefSearchError, match="the connection to the scheduler is lost"):
                list(results)
    finally:
        loop.close()
