"""How much faster than the plain frozenset search; run with `pytest -n 0 tests/benchmarks --benchmark-only -s`."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch import solve
from beliefsearch_problems.devil import DevilProblem

from .measuring import once, timed, times_as_fast
from .reference import devil


def test_devil_8_as_a_whole_process_against_the_reference(benchmark: BenchmarkFixture) -> None:
    (plan, reached), reference_seconds = timed(lambda: devil(8))
    assert plan is not None
    assert len(plan) == 255

    def whole_process() -> None:
        command = [sys.executable, "-m", "beliefsearch", "run", "devil", "--n", "8", "--quiet"]
        subprocess.run(command, check=True, capture_output=True)

    once(benchmark, whole_process, rounds=5, warm=1)
    ratio = times_as_fast(benchmark, reference_seconds)
    print(f"\nreference {reference_seconds:.1f} s ({reached} beliefs); whole process {ratio:.0f} times faster")


@pytest.mark.parametrize("engine", ["naive", "bits"])
def test_devil_6_by_engine(benchmark: BenchmarkFixture, engine: str) -> None:
    benchmark(lambda: solve(DevilProblem(n=6), engine=engine))
