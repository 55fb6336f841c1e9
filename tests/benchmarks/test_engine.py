"""Large searches: seconds, memory and exact counts; run with `pytest -n 0 tests/benchmarks --benchmark-only -s`.

Whole processes are measured, start-up and the loading of kernels included. The first run of all may have to
compile kernels, so each command is run once before it is timed.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from statistics import median
from time import perf_counter
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.compiled.and_or_graph import ArrayGraphSearch
from beliefsearch.engine.compiled.bidirectional import array_bidirectional_search
from beliefsearch.engine.compiled.bitmap_visited import MappedBeliefs
from beliefsearch.engine.compiled.breadth_first import array_breadth_first_search
from beliefsearch.engine.compiled.frontier import array_sides
from beliefsearch.engine.compiled.sensorless import CompiledView
from beliefsearch.solvers.contingent.and_or_graph import and_or_graph_search
from beliefsearch.solvers.path.regression import bidirectional_belief_search
from beliefsearch.tools import load_problem_class
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.reset_word import ResetWordProblem

from ..toys import path_of
from .measuring import once, timed, times_as_fast
from .reference import devil

# The command, its target in seconds, and the cost.
WHOLE_PROCESSES = [
    ("devil --n 16 --solver astar", 20, 65_535),
    ("reset-word --cerny 24 --solver breadth-first", 1.5, 529),
    ("reset-word --cerny 28 --solver breadth-first", 15, 729),
    ("reset-word --cerny 30 --solver breadth-first", 60, 841),
    ("reset-word --cerny 50", 5, 2_401),
    ("reset-word --cerny 100", 60, 9_801),
    ("reset-word --random 150 --letters 2", 2, None),
    ("reset-word --random 200 --letters 2", 4, 40),
    ("vacuum --squares 7", 10, 19),
    ("vacuum --squares 8", 10, 22),
    ("lost-robot --rows 32 --cols 32 --goal 16,16", 10, 92),
    ("lost-robot --rows 32 --cols 32 --sensors walls --find place", 6, 59),
    (f"{path_of('rocks')} --n 6 --engine compiled", 2, None),
    (f"{path_of('obstacle')} --n 8 --engine compiled", 1, 12),
]


def run(words: str) -> dict[str, Any]:
    """The JSON of a run of the command."""
    command = [sys.executable, "-m", "beliefsearch", "run", *words.split(), "--quiet", "--format", "json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.parametrize(("words", "target", "cost"), WHOLE_PROCESSES, ids=[words for words, _, _ in WHOLE_PROCESSES])
def test_whole_process(benchmark: BenchmarkFixture, words: str, target: float, cost: int | None) -> None:
    answer = once(benchmark, run, words, warm=1)
    assert answer["optimal"]
    assert cost in (None, answer["cost"])
    assert benchmark.stats is not None
    seconds = benchmark.stats.stats.median
    stats = answer["stats"]
    rate = stats["generated"] / stats["seconds"]
    # The most of any child of this process so far: the commands that need most come first.
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**10
    print(
        f"\nrun {words}: {answer['cost']} actions, {seconds:.2f} s (target {target}), {stats['reached']:,} reached, "
        f"{stats['generated']:,} generated, {rate:,.0f} a second; peak so far {peak:,.0f} MiB"
    )


def test_random_automata_of_100_states(benchmark: BenchmarkFixture) -> None:
    run("reset-word --random 100 --letters 2")

    def all_seeds() -> list[float]:
        seconds = []
        for seed in range(20):
            started = perf_counter()
            assert run(f"reset-word --random 100 --letters 2 --seed {seed}")["optimal"]
            seconds.append(perf_counter() - started)
        return seconds

    seconds = once(benchmark, all_seeds)
    print(f"\nrandom automata of 100 states, 20 seeds: median {median(seconds):.2f} s, most {max(seconds):.2f} s")


def test_reset_words_under_an_upper_bound_against_layer_by_layer(benchmark: BenchmarkFixture) -> None:
    def seconds(search: Any, **options: Any) -> float:
        took = 0.0
        for seed in (1, 2, 3):
            view = CompiledView(ResetWordProblem(random=150, letters=2, seed=seed))
            started = perf_counter()
            costs.setdefault(seed, set()).add(search(view, **options).cost)
            took += perf_counter() - started
        return took

    costs: dict[int, set[Any]] = {}
    seconds(array_bidirectional_search)  # loads the kernels
    layers = seconds(bidirectional_belief_search, sides=array_sides)
    bounded = once(benchmark, seconds, array_bidirectional_search)
    assert all(len(both) == 1 for both in costs.values())
    ratio = layers / bounded
    print(f"\nreset words of 150 states: bounded {bounded:.2f} s, layer by layer {layers:.2f} s, {ratio:.1f} times")


def test_devil_8_in_the_kernel_alone_against_the_reference(benchmark: BenchmarkFixture) -> None:
    (plan, reached), reference_seconds = timed(lambda: devil(8))
    assert plan is not None
    view = CompiledView(DevilProblem(n=8))
    array_breadth_first_search(view)  # builds the tables and compiles
    result = once(benchmark, array_breadth_first_search, view, rounds=20)
    assert result.cost == len(plan)
    ratio = times_as_fast(benchmark, reference_seconds)
    print(
        f"\nreference {reference_seconds:.1f} s ({reached} beliefs), kernel {result.stats.reached}: {ratio:,.0f} times"
    )


def test_a_map_of_beliefs_against_a_list_of_them(benchmark: BenchmarkFixture) -> None:
    view = CompiledView(ResetWordProblem(cerny=22))
    mapped = once(benchmark, array_breadth_first_search, view, rounds=3, warm=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MappedBeliefs, "pays", lambda *_: False)
        listed, seconds = timed(lambda: array_breadth_first_search(view))
    assert mapped.plan == listed.plan
    counts = [(found.stats.expanded, found.stats.generated, found.stats.reached) for found in (mapped, listed)]
    assert counts[0] == counts[1]
    ratio = times_as_fast(benchmark, seconds)
    print(f"\nreset-word --cerny 22, {mapped.stats.reached:,} beliefs: a map is {ratio:.1f} times as fast as a list")


def test_the_graph_on_arrays_against_the_plain_one(benchmark: BenchmarkFixture) -> None:
    kind: Any = load_problem_class(str(path_of("obstacle")))
    problem = kind(n=7)
    plain, plain_seconds = timed(lambda: and_or_graph_search(BitsetContingentView(problem)))
    on_arrays = once(benchmark, lambda: ArrayGraphSearch(BitsetContingentView(problem))(), rounds=5, warm=1)
    assert (on_arrays.cost, on_arrays.stats.generated) == (plain.cost, plain.stats.generated)
    ratio = times_as_fast(benchmark, plain_seconds)
    print(f"\nplain {plain_seconds:.2f} s, {plain.stats.reached:,} beliefs; on arrays {ratio:,.0f} times as fast")
