"""Contingent problems, two ways in one run: `pytest -n 0 tests/benchmarks/test_contingent.py --benchmark-only -s`."""

from __future__ import annotations

from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch import Limits, solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.compiled.observed_model import observed_model
from beliefsearch.heuristics import pairwise_table as pair_table
from beliefsearch.heuristics.pairwise_table import ObservedPairs
from beliefsearch_problems._mealy.machine import Machine, MachineProblem
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.lost_robot import LostRobotProblem


def corridor(cells: int) -> Machine:
    """A machine that goes to either end, where it says which, and forgets the start: two inputs, all alike between."""
    return {
        str(here): {
            "left": [(str(max(here - 1, 0)), "end" if here == 0 else "")],
            "right": [(str(min(here + 1, cells - 1)), "end" if here == cells - 1 else "")],
        }
        for here in range(cells)
    }


@pytest.mark.parametrize(
    ("problem", "usual", "other"),
    [
        (LostRobotProblem(12, 12, sensors="walls"), {"heuristic": "pairwise"}, {"heuristic": "full-observability"}),
        (MachineProblem(corridor(40), find="start"), {"heuristic": "pairwise"}, {"heuristic": "none"}),
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


def test_states_with_the_same_future_share_their_pairs(benchmark: BenchmarkFixture) -> None:
    """Target: twice as fast as a table of all states, with the same estimate."""
    states = 36
    machine = {
        str(here): {
            put: [(str((here * factor + 1) % states), put + ("!" if here >= states - 3 else ""))]
            for put, factor in (("x", 1), ("y", 5), ("z", 7), ("w", 11))
        }
        for here in range(states)
    }

    def seconds() -> tuple[float, float]:
        view: BitsetContingentView[Any, Any] = BitsetContingentView(MachineProblem(machine, find="start"))
        observed_model(view, view.tick).rows  # noqa: B018  # made before the clock starts
        started = process_time()
        estimate = ObservedPairs(view, None)
        return process_time() - started, float(estimate(view.initial_node()))

    def quickest() -> float:
        return min(seconds()[0] for _ in range(3))

    _, found = benchmark.pedantic(seconds, rounds=1)  # type: ignore[no-untyped-call]  # the library has no types
    ours = quickest()
    with patch.object(pair_table, "first_with_same_future", lambda model, *_: np.arange(len(model.states))):
        assert seconds()[1] == found
        ratio = quickest() / ours
    benchmark.extra_info["ratio"] = ratio
    print(f"\n{ratio:.1f} times as fast")


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
