"""Contingent problems, two ways in one run: `pytest -n 0 tests/benchmarks/test_contingent.py --benchmark-only -s`.

Their ratios do not depend on the machine.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch import Limits, solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.compiled.observed_model import observed_model
from beliefsearch.engine.guessing import branch_and_bound
from beliefsearch.engine.guessing.worst_case import search_on_table, table_of_starts
from beliefsearch.heuristics import pairwise_table as pair_table
from beliefsearch.heuristics.pairwise_table import ObservedPairs
from beliefsearch.model.belief import no_tick
from beliefsearch.proofs import symmetries
from beliefsearch.proofs.check import check_proof
from beliefsearch.proofs.mean import mean_proof
from beliefsearch.running.run import Run
from beliefsearch_problems._mealy.machine import MachineProblem
from beliefsearch_problems._mealy.reader import Machine
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.lost_robot import LostRobotProblem
from beliefsearch_problems.mastermind import MastermindProblem

from .measuring import once, timed, times_as_fast


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

    def search(options: dict[str, Any]) -> Any:
        return solve(problem, limits=limits, solver="and-or", **options)

    def quickest(options: dict[str, Any]) -> float:
        return min(timed(partial(search, options))[1] for _ in range(3))

    result = once(benchmark, search, usual)
    plain = search(other)
    assert plain.cost == result.cost
    ratio = quickest(other) / quickest(usual)
    benchmark.extra_info["ratio"] = ratio
    counts = f"{result.stats.expanded:,} expanded, without the lever {plain.stats.expanded:,}"
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

    _, found = once(benchmark, seconds)
    ours = quickest()
    with patch.object(pair_table, "first_with_same_future", lambda model, *_: np.arange(len(model.states))):
        assert seconds()[1] == found
        ratio = quickest() / ours
    benchmark.extra_info["ratio"] = ratio
    print(f"\n{ratio:.1f} times as fast")


def test_a_short_search_within_bounds_against_the_graph(benchmark: BenchmarkFixture) -> None:
    """Target: 20 times as fast as drawing the graph, which `auto` began with before."""
    drawn, seconds = timed(lambda: solve(CounterfeitCoinProblem(12), solver="and-or-graph"))
    result = once(benchmark, lambda: solve(CounterfeitCoinProblem(12)))
    assert (result.cost, result.stats.expanded) == (drawn.cost, 7)
    ratio = times_as_fast(benchmark, seconds)
    print(f"\n{ratio:.0f} times as fast as the graph of {drawn.stats.expanded:,} beliefs")


class _Listed(CounterfeitCoinProblem):  # type: ignore[misc]  # mypy does not see the puzzles
    """The same weighings as a list, which says nothing of their order."""

    def distinct_actions(self, belief: frozenset[Any]) -> Any:
        return list(super().distinct_actions(belief))


def test_forty_coins_at_a_glance_at_promising_actions(benchmark: BenchmarkFixture) -> None:
    def seconds(problem: CounterfeitCoinProblem) -> float:
        result, took = timed(lambda: solve(problem, solver="and-or"))
        assert result.cost == 5
        return took

    ratio = benchmark(lambda: seconds(_Listed(coins=40)) / seconds(CounterfeitCoinProblem(coins=40)))
    print(f"\n40 coins: a glance is {ratio:.1f} times as fast")


def on_table(problem: Any) -> Any:
    view: Any = BitsetContingentView(problem)
    table = table_of_starts(view, no_tick)
    assert table is not None
    return search_on_table(view, table)


def test_mastermind_on_a_table_by_cores_against_the_search_within_bounds(benchmark: BenchmarkFixture) -> None:
    problem: Any = MastermindProblem(pegs=4, colours=5)
    on_table(problem)  # compiles
    plain, seconds = timed(lambda: solve(problem, solver="and-or", engine="bits"))
    assert once(benchmark, on_table, problem, rounds=3).cost == plain.cost
    print(f"\nwithin bounds {seconds:.1f} s; on the table {times_as_fast(benchmark, seconds):.1f} times as fast")


# The least mean of guesses, by partitions and by beliefs.


def least_mean(problem: Any, **options: Any) -> Any:
    return solve(problem, objective="expected", **options)


def test_four_pegs_of_four_colours_by_partitions(benchmark: BenchmarkFixture) -> None:
    """Target: a thirtieth of the time of the next."""
    result: Any = benchmark(lambda: least_mean(MastermindProblem(4, 4), solver="expected-partitions"))
    assert result.cost == Fraction(905, 256)


def test_the_same_by_beliefs(benchmark: BenchmarkFixture) -> None:
    result = once(benchmark, lambda: least_mean(MastermindProblem(4, 4), solver="expected-and-or"))
    assert result.cost == Fraction(905, 256)


def test_four_pegs_of_six_colours(benchmark: BenchmarkFixture) -> None:
    """Target: 2 s."""
    assert once(benchmark, least_mean, MastermindProblem()).cost == Fraction(5625, 1296)


def _gap(benchmark: BenchmarkFixture) -> Fraction:
    """How far the bounds of Bulls and Cows are apart, stopped after as many sets."""
    problem = MastermindProblem(colours=10, distinct=True)
    result = once(benchmark, lambda: least_mean(problem, limits=Limits(expanded=500)))
    return Fraction(result.cost - result.lower_bound)


def test_a_large_table_is_closed_in_on_from_both_sides(benchmark: BenchmarkFixture) -> None:
    """Target: half the gap of the next."""
    assert _gap(benchmark) < Fraction(2, 5)


def test_the_same_one_way_after_the_other(benchmark: BenchmarkFixture) -> None:
    with patch.object(branch_and_bound, "_LARGE", 1 << 40):
        assert _gap(benchmark) > Fraction(2, 5)


# Proofs of a least mean, with and without symmetries.


def test_a_proof_with_symmetries(benchmark: BenchmarkFixture) -> None:
    """Target: a tenth of the time of the next."""
    proof: Any = benchmark(lambda: mean_proof(MastermindProblem(3, 4), Fraction(103, 32), Run()))
    assert check_proof(MastermindProblem(3, 4), proof) == Fraction(103, 32)


def test_the_same_without_symmetries(benchmark: BenchmarkFixture) -> None:
    with patch.object(symmetries, "_given", lambda game: iter(())):
        test_a_proof_with_symmetries(benchmark)


def test_the_proof_for_four_pegs_of_six_colours(benchmark: BenchmarkFixture) -> None:
    """Target: 12 s."""
    proof = once(benchmark, lambda: mean_proof(MastermindProblem(), Fraction(5625, 1296), Run()))
    assert len(proof["beliefs"]) < 3000
