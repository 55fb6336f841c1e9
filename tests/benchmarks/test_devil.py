"""How much faster than the plain frozenset search; run with `pytest -n 0 tests/benchmarks --benchmark-only -s`."""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch import solve
from beliefsearch_problems.devil import DevilProblem

from .reference import devil


def test_devil_8_as_a_whole_process_against_the_reference(benchmark: BenchmarkFixture) -> None:
    started = perf_counter()
    plan, reached = devil(8)
    reference_seconds = perf_counter() - started
    assert plan is not None
    assert len(plan) == 255

    def whole_process() -> None:
        command = [sys.executable, "-m", "beliefsearch", "run", "devil", "--n", "8", "--quiet"]
        subprocess.run(command, check=True, capture_output=True)

    benchmark.pedantic(whole_process, rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]  # the library has no types
    assert benchmark.stats is not None
    ratio = reference_seconds / benchmark.stats.stats.median
    benchmark.extra_info["ratio"] = ratio
    print(f"\nreference {reference_seconds:.1f} s ({reached} beliefs); whole process {ratio:.0f} times faster")


@pytest.mark.parametrize("engine", ["naive", "bits"])
def test_devil_6_by_engine(benchmark: BenchmarkFixture, engine: str) -> None:
    benchmark(lambda: solve(DevilProblem(n=6), engine=engine))
