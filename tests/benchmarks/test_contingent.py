"""Contingent problems, two ways in one run: `pytest -n 0 tests/benchmarks/test_contingent.py --benchmark-only -s`."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch import Limits, solve
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.lost_robot import LostRobotProblem

from ..toys.machines import Distinguish, Machine


def corridor(cells: int) -> Machine:
    """A machine that goes to either end, where it says which, and forgets the start: two inputs, all alike between."""
    return {
        str(here): {
            "left": (str(max(here - 1, 0)), "end" if here == 0 else ""),
            "right": (str(min(here + 1, cells - 1)), "end" if here == cells - 1 else ""),
        }
        for here in range(cells)
    }


@pytest.mark.parametrize(
    ("problem", "usual", "other"),
    [
        (LostRobotProblem(12, 12, sensors="walls"), {"heuristic": "pairs"}, {"heuristic": "perfect-sight"}),
        (Distinguish(corridor(40)), {"heuristic": "pairs"}, {"heuristic": "none"}),
    ],
    ids=["pairs in a room", "pairs of a machine"],
)
def test_a_lever_against_the_search_without_it(
    benchmark: BenchmarkFixture, problem: Any, usual: dict[str, Any], other: dict[str, Any]
) -> None:
    """Target: a ratio of processor times above 1 each, and the same cost."""
    limits = Limits(seconds=60)

    def timed(**options: Any) -> tuple[Any, float]:
        started = process_time()
        return solve(problem, limits=limits, solver="and-or", **options), process_time() - started

    def quickest(**options: Any) -> float:
        return min(timed(**options)[1] for _ in range(3))

    result: Any = benchmark.pedantic(lambda: timed(**usual), rounds=1)  # type: ignore[no-untyped-call]  # no types
    plain, _ = timed(**other)
    assert plain.cost == result[0].cost
    ratio = quickest(**other) / quickest(**usual)
    benchmark.extra_info["ratio"] = ratio
    counts = f"{result[0].stats.expanded:,} expanded, without the lever {plain.stats.expanded:,}"
    print(f"\n{counts}: {ratio:.1f} times as fast")


def test_a_short_search_within_bounds_against_the_graph(benchmark: BenchmarkFixture) -> None:
    """Target: 20 times as fast as drawing the graph, which `auto` began with before."""
    started = process_time()
    drawn = solve(CounterfeitCoinProblem(12), solver="and-or-graph")
    without = process_time() - started
    started = process_time()
    result: Any = benchmark.pedantic(  # type: ignore[no-untyped-call]  # the library has no types
        lambda: solve(CounterfeitCoinProblem(12)), rounds=1
    )
    benchmark.extra_info["ratio"] = ratio = without / (process_time() - started)
    assert (result.cost, result.stats.expanded) == (drawn.cost, 7)
    print(f"\n{ratio:.0f} times as fast as the graph of {drawn.stats.expanded:,} beliefs")
