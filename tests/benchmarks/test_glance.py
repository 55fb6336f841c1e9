"""A glance at promising actions beside the same search without one, in one run."""

from __future__ import annotations

from time import process_time
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch import solve
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem

COINS = 40


class _Listed(CounterfeitCoinProblem):  # type: ignore[misc]  # mypy does not see the puzzles
    """The same weighings as a list, which says nothing of their order."""

    def distinct_actions(self, belief: frozenset[Any]) -> Any:
        return list(super().distinct_actions(belief))


def test_forty_coins_at_a_glance(benchmark: BenchmarkFixture) -> None:
    def seconds(problem: CounterfeitCoinProblem) -> float:
        began = process_time()
        assert solve(problem, solver="and-or").cost == 5
        return process_time() - began

    def ratio() -> float:
        return seconds(_Listed(coins=COINS)) / seconds(CounterfeitCoinProblem(coins=COINS))

    found = benchmark(ratio)
    print(f"\n{COINS} coins: a glance is {found:.1f} times as fast")
