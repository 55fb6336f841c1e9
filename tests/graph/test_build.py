"""The graphs that Python gives: of beliefs, of states and of plans, for every kind of problem."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from beliefsearch import Blindfolded, Limits, ProblemError, Status, solve
from beliefsearch.errors import InvalidPlanError, LimitError
from beliefsearch.graph import belief_graph, plan_graph, state_graph
from beliefsearch.graph.build import GRAPHS
from beliefsearch.kinds import MISSING, Kind
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.riddler_flips import RiddlerFlipsProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem

from ..contingent_problems import SightedTable, sighted_problems
from ..random_problems import TableBeliefProblem, TableProblem, belief_problems


def test_every_kind_has_a_graph_or_a_reason_why_not() -> None:
    for what, builders in GRAPHS.items():
        assert set(builders).isdisjoint(MISSING.get(what, {}))
        assert {*builders, *MISSING.get(what, {})} == set(Kind)


def test_the_graph_of_beliefs_has_the_plan_marked() -> None:
    devil = DevilProblem(n=4)
    plan = solve(devil).require_plan()
    graph = belief_graph(devil, plan)
    assert isinstance(graph, nx.MultiDiGraph)
    # The 22 beliefs and 126 edges are those of the tutorial; tests/cli/test_export.py has them by the definition.
    assert (len(graph), graph.number_of_edges()) == (22, 126)
    assert [data["g"] for _, data in graph.nodes(data=True) if data["on_plan"]] == list(range(16))
    assert not any(data["on_plan"] for _, data in belief_graph(devil).nodes(data=True))


@given(problem=sighted_problems(most_states=4))
def test_a_conditional_plan_is_marked_where_its_own_graph_goes(problem: SightedTable) -> None:
    result = solve(problem)
    if result.status is not Status.SOLVED:
        return
    plan = result.require_conditional_plan()
    whole, steps = belief_graph(problem, plan), plan_graph(problem, plan)
    marked = {frozenset(data["members"]) for _, data in whole.nodes(data=True) if data["on_plan"]}
    assert set().union(*marked) == {member for _, data in steps.nodes(data=True) for member in data["members"]}
    taken = {
        (data["action"], data["percept"])
        for tail, _, data in whole.edges(data=True)
        if data["on_plan"] and whole.nodes[tail]["on_plan"]
    }
    assert taken == {(data["action"], data["percept"]) for _, _, data in steps.edges(data=True)}
    assert len(whole) == len(belief_graph(problem))


@given(problem=belief_problems())
def test_the_graph_of_states_has_every_result(problem: TableBeliefProblem) -> None:
    graph = state_graph(problem)
    found = set(problem.starts)
    while more := {r for s in found for results in problem.table[s].values() for r in results} - found:
        found |= more
    state_of = {node: int(data["members"][0]) for node, data in graph.nodes(data=True)}
    assert sorted(state_of.values()) == sorted(found)
    assert {state_of[n] for n, data in graph.nodes(data=True) if data["g"] == 0} == set(problem.starts)
    assert {state_of[n] for n, data in graph.nodes(data=True) if data["goal"]} == {
        s for s in found if problem.is_goal(s)
    }
    edges = [
        (state_of[t], data["action"], state_of[h], Fraction(data["cost"])) for t, h, data in graph.edges(data=True)
    ]
    assert sorted(edges) == sorted(
        (s, action, result, Fraction(problem.action_cost(s, action)))
        for s in found
        for action, results in problem.table[s].items()
        for result in results
    )


def test_the_states_behind_percepts() -> None:
    sights = {("a", 0): ("x", "y"), ("a", 1): ("z",)}
    lamp = SightedTable((0,), ({"a": (0, 1)}, {}), (frozenset({1}),), sights)
    edges = [(t, h, data["percept"], data["label"]) for t, h, data in state_graph(lamp).edges(data=True)]
    assert sorted(edges) == [(0, 0, "x", "a: x"), (0, 0, "y", "a: y"), (0, 1, "z", "a: z")]


def test_a_plain_problem_without_a_start_has_the_graph_of_all() -> None:
    graph = state_graph(SlidingTilesProblem(rows=2, cols=2))
    assert (len(graph), graph.number_of_edges()) == (12, 22), "in a ring, which the goal is not left from"
    assert {data["g"] for _, data in graph.nodes(data=True)} == {0}
    assert state_graph(NineTailsProblem(), all_starts=True).number_of_edges() == 2304
    assert len(belief_graph(NineTailsProblem(start="HHHTTTHHH"), all_starts=True)) == 512
    assert len(belief_graph(NineTailsProblem(start="HHHTTTHHH"))) < 512
    with pytest.raises(ProblemError, match="starts from one belief"):
        belief_graph(Blindfolded(NineTailsProblem()), all_starts=True)


def test_the_graph_of_a_sequence_is_a_path() -> None:
    table = TableProblem(0, ({"a": 1}, {"b": 2}, {}), frozenset({2}), {(0, "a"): 2, (1, "b"): 3})
    graph = plan_graph(table, ("a", "b"))
    assert [(t, h, data["action"], data["cost"]) for t, h, data in graph.edges(data=True)] == [
        (0, 1, "a", 2),
        (1, 2, "b", 3),
    ]
    assert [data["goal"] for _, data in graph.nodes(data=True)] == [False, False, True]
    devil = DevilProblem(n=4)
    assert len(plan_graph(devil, solve(devil).require_plan())) == 16


def test_the_graph_of_a_policy_is_what_comes_up_along_it() -> None:
    problem = MontyHallProblem()
    policy = solve(problem).require_policy()
    graph = plan_graph(problem, policy)
    # The start, two things the host may do, and then the car or a goat behind another door.
    assert len(graph) == 1 + 2 + 2 * 2
    whole = state_graph(problem, policy)
    assert all(whole.nodes[node] == data for node, data in graph.nodes(data=True))
    for node in graph:
        chances = [Fraction(data["probability"]) for _, _, data in graph.out_edges(node, data=True)]
        assert sum(chances) == (0 if graph.nodes[node]["terminal"] else 1)


@pytest.mark.parametrize(
    ("problem", "plan", "complaint"),
    [
        (TableProblem(0, ({"a": 1}, {}), frozenset({1})), ("b",), "b does not apply"),
        (TableProblem(0, ({"a": 1}, {"a": 0}), frozenset({1})), ("a", "a"), "the game need not be won"),
        (CounterfeitCoinProblem(coins=3), (), "the game need not be won"),
        (MontyHallProblem(), ("switch",), "is a policy"),
    ],
)
def test_what_is_no_plan_is_refused(problem: Any, plan: Any, complaint: str) -> None:
    with pytest.raises(InvalidPlanError, match=complaint):
        plan_graph(problem, plan)


def test_what_is_no_sequence_or_what_a_kind_does_not_have_is_refused() -> None:
    problem = CounterfeitCoinProblem(coins=3)
    first = next(iter(problem.actions(next(iter(problem.initial_states())))))
    with pytest.raises(InvalidPlanError, match="no branch for the percept"):
        plan_graph(problem, (first,))
    with pytest.raises(InvalidPlanError, match="branches"):
        belief_graph(DevilProblem(n=2), solve(problem).require_conditional_plan())
    with pytest.raises(ProblemError, match="sees every state of MontyHallProblem"):
        belief_graph(MontyHallProblem())
    with pytest.raises(ProblemError, match="belief_graph"):
        state_graph(DevilProblem(n=2), solve(DevilProblem(n=2)).require_plan())


@pytest.mark.parametrize(
    "make",
    [
        lambda limits: belief_graph(DevilProblem(n=4), limits=limits),
        lambda limits: belief_graph(CounterfeitCoinProblem(coins=5), limits=limits),
        lambda limits: state_graph(DevilProblem(n=4), limits=limits),
        lambda limits: state_graph(RiddlerFlipsProblem(flips=9), limits=limits),
    ],
)
def test_limits_leave_a_graph_unfinished(make: Any) -> None:
    graph = make(Limits(seconds=1e-9))
    assert not graph.graph["complete"]
    assert "time limit" in graph.graph["stopped"]


def test_limits_and_ctrl_c_are_heard_in_the_middle() -> None:
    devil = DevilProblem(n=4)
    with pytest.raises(LimitError, match="there is no graph: the time limit"):
        plan_graph(devil, solve(devil).require_plan(), limits=Limits(seconds=1e-9))

    class Impatient(TableProblem):
        def result(self, state: int, action: str) -> int:
            if state == 1:
                raise KeyboardInterrupt
            return super().result(state, action)

    graph = state_graph(Impatient(0, ({"a": 1}, {"a": 2}, {}), frozenset({2})))
    assert (len(graph), graph.graph["stopped"]) == (2, "it was interrupted")
