"""The whole AND-OR graph on arrays: the same as the one in plain Python, node by node and pass by pass."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import Limits, Status, solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.compiled import belief_graph_builder as unfolding
from beliefsearch.engine.compiled.and_or_graph import ArrayGraphSearch
from beliefsearch.engine.compiled.belief_graph import BeliefGraph, keep_trying, least_costs, price_in
from beliefsearch.engine.compiled.belief_graph_builder import Unfolding
from beliefsearch.engine.compiled.bitset_words import mask_of_words
from beliefsearch.engine.compiled.hashed_visited import Outcome
from beliefsearch.engine.compiled.observed_model import ObservedModel
from beliefsearch.errors import BeliefSearchError
from beliefsearch.hooks import DistinctActionsHook
from beliefsearch.model.belief import no_tick
from beliefsearch.planner import contingent
from beliefsearch.planner import interleaved_and_or as whole_graph
from beliefsearch.running.limits import EffortExceeded
from beliefsearch.running.observer import Observer
from beliefsearch.running.run import Record
from beliefsearch.solvers.contingent.and_or_graph import AndOrGraph
from beliefsearch.tools import Count, describe, load_problem_class
from beliefsearch_problems.lost_robot import LostRobotProblem

from ..contingent_problems import SightedTable, sighted_problems
from ..examples import examples
from ..toys import path_of


class Distinct(SightedTable, DistinctActionsHook[int, str]):
    """In beliefs of several states the author leaves out the last action, where there are several."""

    def distinct_actions(self, belief: frozenset[int]) -> list[str] | None:
        shared = sorted(set.intersection(*({*self.table[state]} for state in belief)))
        return shared[: max(1, len(shared) - 1)] if len(belief) > 1 else None


def unfolded(view: Any, most_steps: int = 1 << 30) -> Unfolding:
    growing = Unfolding(ObservedModel(view))
    while growing.go_on(1 << 30, most_steps) is not Outcome.EXHAUSTED:
        pass
    return growing


@pytest.mark.parametrize("kind", [SightedTable, Distinct])
@given(problem=sighted_problems(), most_steps=st.sampled_from([1, 7, 1 << 30]))
@settings(max_examples=examples(40))
def test_the_graph_and_its_passes_are_those_of_plain_search(kind: Any, most_steps: int, problem: SightedTable) -> None:
    view: Any = BitsetContingentView(
        kind(problem.starts, problem.table, problem.goals, problem.sights, problem.costs, twins=problem.twins)
    )
    growing = unfolded(view, most_steps)
    graph = growing.graph()
    record: Record[Any, Any] = Record("and-or-graph", view)
    expected = AndOrGraph(view, [view.initial_node()], record)
    assert list(map(mask_of_words, graph.beliefs)) == expected.nodes
    assert graph.won.tolist() == expected.goals
    assert [options_of(graph, node) for node in range(len(graph.won))] == [
        list(expected.children_of(node)) for node in range(len(expected.nodes))
    ]
    stats = record.unsolvable().stats
    assert growing.tally == (stats.expanded, stats.generated, stats.max_frontier)
    assert growing.max_size() == max(map(int.bit_count, expected.nodes))

    def action_of(option: int) -> Any:
        return growing.model.actions[graph.actions[option]]

    first, costs = expected.least_costs()
    chosen, cost_of = least_costs(graph, price_in(graph, growing.model), no_tick)
    assert {node: cost_of(node) for node in range(len(graph.won)) if cost_of(node) is not None} == costs
    assert {node: action_of(option) for node, option in enumerate(chosen) if option >= 0} == first
    chosen, lost = keep_trying(graph, no_tick)
    assert {node: action_of(option) for node, option in enumerate(chosen) if option >= 0} == expected.strong_cyclic()[0]
    assert {node: rank for node, rank in enumerate(lost.tolist()) if rank} == expected.strong_cyclic()[1]


def options_of(graph: BeliefGraph, node: int) -> list[tuple[int, ...]]:
    options = range(graph.first_option[node], graph.first_option[node + 1])
    return [tuple(graph.children[slice(*graph.first_child[option:][:2])].tolist()) for option in options]


def test_arrays_that_grow_hold_what_they_held(monkeypatch: pytest.MonkeyPatch) -> None:
    problem: Any = LostRobotProblem(9, 9, sensors="walls", find="place")
    at_once = unfolded(BitsetContingentView(problem)).graph()
    monkeypatch.setattr(unfolding, "_FIRST_CAPACITY", 2)
    in_pieces = unfolded(BitsetContingentView(problem), most_steps=10).graph()
    assert len(at_once.won) == 876
    for name in ("beliefs", "won", "first_option", "actions", "first_child", "children"):
        assert getattr(at_once, name).tolist() == getattr(in_pieces, name).tolist()


# As of S. Junges, N. Jansen and S. Seshia (2021); states are as many as they say, less the one before the start.
LARGER = [("obstacle", 6, 36, 10, (5_979, 46_375, 5_980)), ("rocks", 4, 330, float("inf"), (722, 6_241, 794))]


@pytest.mark.parametrize(("name", "n", "states", "cost", "counts"), LARGER)
def test_plans_and_counts_of_other_problems(
    name: str, n: int, states: int, cost: float, counts: tuple[int, ...]
) -> None:
    kind: Any = load_problem_class(str(path_of(name)))
    problem = kind(n=n)
    compiled = solve(problem, engine="compiled")
    assert describe(problem).states == Count(states)
    assert (compiled.status, compiled.cost, compiled.engine) == (Status.SOLVED, cost, "compiled")
    assert (compiled.stats.expanded, compiled.stats.generated, compiled.stats.reached) == counts
    if name == "rocks":
        plain = solve(problem, solver="and-or-graph", engine="bits")
        assert plain.plan == compiled.plan
        assert evolve(plain.stats, seconds=0) == evolve(compiled.stats, seconds=0)


def test_a_search_that_is_left_goes_on_where_it_was() -> None:
    problem: Any = LostRobotProblem(9, 9, sensors="walls", find="place")
    search = ArrayGraphSearch(BitsetContingentView(problem))
    with pytest.raises(EffortExceeded):
        search(most_steps=1000)
    with pytest.raises(EffortExceeded):
        search(most_bytes=1000)
    result = search()
    expected = solve(problem, solver="and-or-graph", engine="bits")
    assert (result.cost, result.plan) == (expected.cost, expected.plan)
    assert result.stats.expanded == expected.stats.expanded


# When `auto` goes over to arrays.


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_graph, "_SMALL", 100)
    for name in ("_TINY", "_SMALL"):
        monkeypatch.setattr(contingent, name, 1_000)
    for name, count in (("_FIRST", 2), ("_WITHIN_BOUNDS", 2), ("_LATER", 3)):
        turns = getattr(contingent, name)
        short = [turn._replace(allowance=1_000) for turn in turns[:count]]
        monkeypatch.setattr(contingent, name, (*short, *turns[count:]))


ROOM: Any = LostRobotProblem(4, 4, sensors="walls", find="place")


@pytest.mark.usefixtures("soon")
def test_auto_goes_over_to_arrays_where_the_graph_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    for solver in ("auto", "and-or-graph"):
        result = solve(ROOM, solver=solver)
        assert (result.solver, result.engine, result.cost) == ("and-or-graph", "compiled", 3)
    assert solve(ROOM, solver="and-or-graph", engine="bits").engine == "bits"
    walked: Any = SightedTable(*(getattr(HOPS, name) for name in ("starts", "table", "goals", "sights")))
    assert solve(walked, solver="and-or-graph").engine == "compiled"
    monkeypatch.setattr(whole_graph, "_MOST_PAIRS", 5)
    assert solve(walked, solver="and-or-graph").engine == "bits"


HOPS = SightedTable(
    tuple(range(9)),
    tuple({"a": (max(0, state - 1),), "b": (min(8, state + 1),)} for state in range(9)),
    (frozenset({8}),),
    {(action, state): ("end" if state in (0, 8) else "on",) for action in "ab" for state in range(9)},
)


@pytest.mark.usefixtures("soon")
def test_where_arrays_are_not_wanted_auto_stays_as_it_is() -> None:
    class Listener(Observer):
        def expanded(self, state: Any, g: Any) -> None:
            """Hear of every belief."""

    assert solve(ROOM, solver="and-or-graph", observer=Listener()).engine == "bits"
    distinct = Distinct(HOPS.starts, HOPS.table, HOPS.goals, HOPS.sights)
    assert solve(distinct, solver="and-or-graph").engine == "bits"
    assert solve(ROOM, solver="and-or-graph", limits=Limits(memory=2**27)).engine == "bits"


def test_limits_are_heard() -> None:
    large: Any = LostRobotProblem(24, 24, sensors="walls", find="place")
    few = solve(large, engine="compiled", limits=Limits(expanded=1000))
    assert (few.status, few.stats.expanded, few.engine) == (Status.UNDECIDED, 1000, "compiled")
    assert few.reason == "the limit of 1000 expanded states was reached"
    short = solve(large, engine="compiled", limits=Limits(seconds=0.05))
    assert (short.status, short.reason) == (Status.UNDECIDED, "the time limit of 0.05 s was reached")


def test_too_many_states_for_arrays_are_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.engine.compiled.observed_model._MOST_PAIRS", 10)
    with pytest.raises(BeliefSearchError, match=r"LostRobotProblem has too many states and actions.*; choose bits"):
        solve(ROOM, engine="compiled")
