"""Short forms for what benchmarks do: run something once, and say how many times as fast it is as something else."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture


def once(benchmark: BenchmarkFixture, search: Callable[..., Any], *given: Any, rounds: int = 1, warm: int = 0) -> Any:
    """What a search finds, which is timed once or in a few rounds."""
    return benchmark.pedantic(search, given, rounds=rounds, warmup_rounds=warm)  # type: ignore[no-untyped-call]  # the library has no types


def timed(search: Callable[[], Any]) -> tuple[Any, float]:
    """What a search finds, and the processor seconds that it took."""
    started = process_time()
    return search(), process_time() - started


def times_as_fast(benchmark: BenchmarkFixture, seconds: float) -> float:
    """How many times as fast the benchmark was as something that took so many seconds."""
    assert benchmark.stats is not None
    ratio = seconds / float(benchmark.stats.stats.median)
    benchmark.extra_info["ratio"] = ratio
    return ratio
