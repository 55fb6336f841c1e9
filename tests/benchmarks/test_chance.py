"""Stochastic problems: `pytest -n 0 tests/benchmarks/test_chance.py --benchmark-only`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch import solve
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.riddler_flips import RiddlerFlipsProblem

from .measuring import once

WIN = 0.6403174472759772


def test_the_whole_grid_of_a_hundred_flips(benchmark: BenchmarkFixture) -> None:
    """Target: 50 ms."""
    result: Any = benchmark(lambda: solve(RiddlerFlipsProblem()))
    assert result.value == WIN


def test_a_sweep_of_a_thousand_probabilities(benchmark: BenchmarkFixture) -> None:
    """Target: 5 s."""

    def sweep() -> list[Any]:
        return [solve(RiddlerFlipsProblem(p_a=Fraction(step, 1000))).value for step in range(1001)]

    values: Any = once(benchmark, sweep)
    assert values[500] == WIN
    assert values == sorted(values), "a better coin is never worse"


def test_the_same_without_arrays(benchmark: BenchmarkFixture) -> None:
    result: Any = benchmark(lambda: solve(RiddlerFlipsProblem(), use_arrays=False))
    assert result.value == WIN


def test_the_same_with_fractions(benchmark: BenchmarkFixture) -> None:
    result: Any = benchmark(lambda: solve(RiddlerFlipsProblem(exact=True)))
    assert float(result.value) == WIN


def test_the_gambler_exactly(benchmark: BenchmarkFixture) -> None:
    result: Any = benchmark(lambda: solve(GamblerProblem(exact=True)))
    assert result.value == Fraction(2, 5)
