"""A search on disk by one process and by workers: `pytest -n 0 tests/benchmarks/test_cluster.py --benchmark-only -s`.

Both are run in turn, so that what else the machine does slows both down; what is printed is their ratio.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from math import factorial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import psutil
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch.engine.counting.cluster import DaskEngine
from beliefsearch.engine.counting.codes import StateSpace
from beliefsearch.engine.counting.disk_layers import DiskLayers
from beliefsearch.engine.counting.executors import Engine, Serial
from beliefsearch.running.store.directory import Store
from beliefsearch_problems.pancakes import PancakesProblem

from .measuring import once

# How many pancakes; 12 takes minutes, and needs 10 GB of disk.
SIZE = int(os.environ.get("PANCAKES", "11"))
MEMORY = 500_000_000


def processor_seconds() -> float:
    """Of this process and of all that it has started and that are still there."""
    family = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(sum(process.cpu_times()[:2]) for process in family)


def search(workers: int) -> tuple[float, float, float]:
    """Seconds until the workers are there, seconds of the search, and seconds of all processors together."""
    began = perf_counter()
    engine: AbstractContextManager[Engine] = DaskEngine(workers) if workers else nullcontext(Serial())
    with TemporaryDirectory() as folder, engine as found, Store(Path(folder), {}, resume=False) as store:
        started, used = perf_counter(), processor_seconds()
        space: Any = StateSpace(PancakesProblem(start=tuple(range(1, SIZE + 1))))
        layers = DiskLayers(space, store, found, MEMORY // max(workers, 1))
        while layers.advance():
            pass
        assert sum(layers.counts) == factorial(SIZE)
        return started - began, perf_counter() - started, processor_seconds() - used


@pytest.mark.parametrize("workers", [2, 4])
def test_workers_against_one_process(benchmark: BenchmarkFixture, workers: int) -> None:
    """Target: 1.2 times as fast with two cores."""
    search(0)  # which loads kernels
    _, alone, alone_used = search(0)
    starting, together, used = once(benchmark, search, workers)
    print(
        f"\npancakes {SIZE}: one process {alone:.1f} s ({alone_used:.1f} s of processors), {workers} workers "
        f"{together:.1f} s ({used:.1f} s of processors) and {starting:.1f} s until they were there: "
        f"{alone / together:.2f} times as fast, {alone / (together + starting):.2f} with their start; load of the "
        f"machine {os.getloadavg()[0]:.1f}"
    )
