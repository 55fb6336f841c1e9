"""Plain search beside networkx and simpleai; run with `pytest -n 0 tests/benchmarks --benchmark-only -s`.

All search the same puzzle, by the puzzle's own methods, and must find plans of the same length. networkx needs a graph:
its time is given with building the graph of all boards that can be reached, and for a graph that is there already.
simpleai searches as we do, a state at a time.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import perf_counter, process_time
from typing import Any

import networkx as nx
import pytest
from attrs import frozen
from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch import solve
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem

from .measuring import once

TARGET = 3  # times faster than the better of the two, graphs being built
FEWEST_ROUNDS, ROUNDS = 5, 50
PATIENCE = 10.0  # seconds; simpleai looks through its whole frontier for every successor, so it may take hours

HARDEST = "8 6 7 2 5 4 3 0 1"
MIDDLE = "7 2 4 5 0 6 8 3 1"
NINE = "HHTTHTTTT"

# Method, name, puzzle, length of the plan: published for the hardest, of breadth-first search for the others.
CASES = [
    ("breadth-first", "8-puzzle, hardest", SlidingTilesProblem(HARDEST), 31),
    ("breadth-first", "8-puzzle, middle", SlidingTilesProblem(MIDDLE), 20),
    ("breadth-first", "nine tails", NineTailsProblem(NINE), 10),
    ("astar", "8-puzzle, hardest, Manhattan", SlidingTilesProblem(HARDEST, estimate="manhattan"), 31),
    ("astar", "8-puzzle, middle, Manhattan", SlidingTilesProblem(MIDDLE, estimate="manhattan"), 20),
    ("astar", "nine tails, no estimate", NineTailsProblem(NINE), 10),
    ("default", "8-puzzle, hardest", SlidingTilesProblem(HARDEST), 31),
    ("default", "8-puzzle, middle", SlidingTilesProblem(MIDDLE), 20),
    ("default", "nine tails", NineTailsProblem(NINE), 10),
]


@frozen
class Row:
    """Processor seconds of one case, by who searched; `simpleai` is infinite where it was not waited for."""

    method: str
    name: str
    ours: float
    networkx: float
    networkx_without_building: float
    simpleai: float

    @property
    def ratio(self) -> float:
        """How many times faster than the better of the two."""
        return min(self.networkx, self.simpleai) / self.ours

    def __str__(self) -> str:
        simpleai = f"{self.simpleai * 1e3:10,.2f}" if self.simpleai < float("inf") else f">{PATIENCE * 1e3:9,.0f}"
        return (
            f"{self.method:13}  {self.name:28}  {self.ours * 1e3:9,.2f}  {self.networkx * 1e3:9,.2f}  "
            f"{self.networkx_without_building * 1e3:9,.2f}  {simpleai}  {self.ratio:7.1f}  "
            f"{self.networkx_without_building / self.ours:7.2f}  {'' if self.ratio >= TARGET else 'below the target'}"
        ).rstrip()


@pytest.fixture(scope="module")
def table() -> Iterator[list[Row]]:
    rows: list[Row] = []
    yield rows
    print("\n\nmilliseconds; ratios: the better of networkx with building and simpleai to ours; networkx built to ours")
    print(f"{'method':13}  {'puzzle':28}  {'ours':>9}  {'networkx':>9}  {'built':>9}  {'simpleai':>10}  ratio    built")
    print("\n".join(map(str, rows)))


@pytest.mark.parametrize(("method", "name", "problem", "length"), CASES, ids=[f"{c[0]}: {c[1]}" for c in CASES])
def test_plain_search_beside_others(
    benchmark: BenchmarkFixture, table: list[Row], method: str, name: str, problem: Any, length: int
) -> None:
    simpleai = pytest.importorskip("simpleai.search", reason="simpleai is not installed; it is in the extra `test`")
    search = {"breadth-first": networkx_breadth_first, "astar": networkx_astar, "default": networkx_default}[method]

    def ours() -> int:
        return len(solve(problem, solver="auto" if method == "default" else method).require_plan())

    beside = {
        "ours": ours,
        "networkx": lambda: search(graph_of(problem), problem),
        "networkx_without_building": partial(search, graph_of(problem), problem),
        "simpleai": lambda: simpleai_search(simpleai, method, problem),
    }
    seconds = once(benchmark, medians, beside, length)
    row = Row(method, name, **seconds)
    benchmark.extra_info["ratio"] = row.ratio
    table.append(row)


def medians(searches: dict[str, Callable[[], int | None]], length: int) -> dict[str, float]:
    """The median of the processor seconds of each search, all by turns: what else the machine does disturbs none.

    Infinite for a search that gives up. Each must find a plan of the right length.
    """
    times: dict[str, list[float]] = {name: [] for name in searches}
    ends = perf_counter() + PATIENCE
    while len(times["ours"]) < FEWEST_ROUNDS or (len(times["ours"]) < ROUNDS and perf_counter() < ends):
        for name, search in searches.items():
            if times[name] == [float("inf")]:
                continue
            gc.collect()
            started = process_time()
            found = search()
            times[name].append(process_time() - started)
            if found is None:
                times[name] = [float("inf")]
            else:
                assert found == length
    return {name: median(taken) for name, taken in times.items()}


def graph_of(problem: Any) -> nx.Graph[Any]:
    """All states that can be reached, as networkx has them added: state by state, in the plainest kind of graph."""
    graph: nx.Graph[Any] = nx.DiGraph() if isinstance(problem, NineTailsProblem) else nx.Graph()
    start = problem.initial_state()
    met, waiting = {start}, [start]
    for state in waiting:  # grows while it is walked
        for action in problem.actions(state):
            child = problem.result(state, action)
            graph.add_edge(state, child)
            if child not in met:
                met.add(child)
                waiting.append(child)
    return graph


def networkx_breadth_first(graph: nx.Graph[Any], problem: Any) -> int:
    start, (goal,) = problem.initial_state(), problem.goal_states()
    parents = {}
    for state, parent in nx.bfs_predecessors(graph, start):
        parents[state] = parent
        if state == goal:
            break
    state, length = goal, 0
    while state != start:
        state, length = parents[state], length + 1
    return length


def networkx_astar(graph: nx.Graph[Any], problem: Any) -> int:
    start, (goal,) = problem.initial_state(), problem.goal_states()
    return len(nx.astar_path(graph, start, goal, lambda state, _: problem.heuristic(state), weight=None)) - 1


def networkx_default(graph: nx.Graph[Any], problem: Any) -> int:
    """What it does when nothing is said: breadth-first from both ends."""
    start, (goal,) = problem.initial_state(), problem.goal_states()
    return len(nx.shortest_path(graph, start, goal)) - 1


def simpleai_search(simpleai: Any, method: str, problem: Any) -> int | None:
    """Its graph search; by default A* where there is an estimate, else breadth-first. None: it took too long."""
    deadline = perf_counter() + PATIENCE

    def actions(state: Any) -> Any:
        if perf_counter() > deadline:
            raise TimeoutError
        return problem.actions(state)

    methods = {name: staticmethod(getattr(problem, name)) for name in ("result", "is_goal", "heuristic")}
    kind = type("Adapted", (simpleai.SearchProblem,), {"actions": staticmethod(actions), **methods})
    informed = method == "astar" or (method == "default" and problem.has_heuristic())
    search = simpleai.astar if informed else simpleai.breadth_first
    try:
        return len(search(kind(problem.initial_state()), graph_search=True).path()) - 1
    except TimeoutError:
        return None
