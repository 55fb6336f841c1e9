"""The worst case on a table by cores, beside the plain search within bounds, in one run."""

from __future__ import annotations

from time import process_time
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch import solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.guessing.worst_case import search_on_table, table_of_starts
from beliefsearch.model.belief import no_tick
from beliefsearch_problems.mastermind import MastermindProblem


def on_table(problem: Any) -> Any:
    view: Any = BitsetContingentView(problem)
    table = table_of_starts(view, no_tick)
    assert table is not None
    return search_on_table(view, table)


def test_mastermind_on_a_table_against_the_search_within_bounds(benchmark: BenchmarkFixture) -> None:
    problem: Any = MastermindProblem(pegs=4, colours=5)
    on_table(problem)  # compiles
    started = process_time()
    plain = solve(problem, solver="and-or", engine="bits")
    seconds = process_time() - started
    result = benchmark.pedantic(on_table, (problem,), rounds=3)  # type: ignore[no-untyped-call]
    assert result.cost == plain.cost
    assert benchmark.stats is not None
    ratio = seconds / benchmark.stats.stats.median
    benchmark.extra_info["ratio"] = ratio
    print(f"\nwithin bounds {seconds:.1f} s; on the table {ratio:.1f} times as fast")
