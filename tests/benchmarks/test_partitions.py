"""The least mean of guesses, by partitions and by beliefs: `pytest -n 0 tests/benchmarks/test_partitions.py`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from unittest.mock import patch

from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch import Limits, solve
from beliefsearch.engine.guessing import branch_and_bound
from beliefsearch_problems.mastermind import MastermindProblem

# The two below are of one run: their ratio does not depend on the machine.


def test_four_pegs_of_four_colours_by_partitions(benchmark: BenchmarkFixture) -> None:
    """Target: a thirtieth of the time of the other."""
    problem: Any = MastermindProblem(4, 4)
    result: Any = benchmark(lambda: solve(problem, solver="expected-partitions", objective="expected"))
    assert result.cost == Fraction(905, 256)


def test_the_same_by_beliefs(benchmark: BenchmarkFixture) -> None:
    problem: Any = MastermindProblem(4, 4)

    def search() -> Any:
        return solve(problem, solver="expected-and-or", objective="expected")

    result: Any = benchmark.pedantic(search, rounds=1)  # type: ignore[no-untyped-call]  # the library has no types
    assert result.cost == Fraction(905, 256)


def test_four_pegs_of_six_colours(benchmark: BenchmarkFixture) -> None:
    """Target: 2 s."""

    def search() -> Any:
        return solve(MastermindProblem(), objective="expected")

    result: Any = benchmark.pedantic(search, rounds=1)  # type: ignore[no-untyped-call]  # the library has no types
    assert result.cost == Fraction(5625, 1296)


# Bulls and Cows, stopped after as many sets: how far the bounds are apart.


def _gap(benchmark: BenchmarkFixture) -> Fraction:
    problem: Any = MastermindProblem(colours=10, distinct=True)

    def search() -> Any:
        return solve(problem, objective="expected", limits=Limits(expanded=500))

    result: Any = benchmark.pedantic(search, rounds=1)  # type: ignore[no-untyped-call]  # the library has no types
    return Fraction(result.cost - result.lower_bound)


def test_a_large_table_is_closed_in_on_from_both_sides(benchmark: BenchmarkFixture) -> None:
    """Target: half the gap of the other."""
    assert _gap(benchmark) < Fraction(2, 5)


def test_the_same_one_way_after_the_other(benchmark: BenchmarkFixture) -> None:
    with patch.object(branch_and_bound, "_LARGE", 1 << 40):
        assert _gap(benchmark) > Fraction(2, 5)
