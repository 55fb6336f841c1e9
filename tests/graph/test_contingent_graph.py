"""Graphs of conditional plans, and of all beliefs that can come up where there are percepts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from beliefsearch import Status, solve
from beliefsearch.belief_space.contingent import FrozensetContingentView
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.graph.and_or_graph import conditional_plan_graph
from beliefsearch.graph.graph_files import FORMATS
from beliefsearch.plans.plan import ConditionalPlan

from ..contingent_problems import SightedTable, is_won, outcomes, sighted_problems
from .built import and_or_graph, graph_text

# See which of 0 and 1 it is; 1 is won where it is known, and b brings 0 to 2.
LAMP = SightedTable(
    (0, 1),
    ({"a": (0,), "b": (2,)}, {"a": (1,), "b": (1,)}, {}),
    (frozenset({2}), frozenset({1})),
    {**{("a", state): ("xyz"[state],) for state in range(3)}, **{("b", state): ("x",) for state in range(3)}},
)


def beliefs_at_the_end(problem: SightedTable, plan: ConditionalPlan[str, str]) -> set[frozenset[int]]:
    """Every belief in which the plan may end, by walking through it."""
    places = [(0, frozenset(problem.starts))]
    for number, belief in places:  # grows while it is walked
        node = plan.nodes[number]
        if node.action is not None:
            after = outcomes(problem, belief, node.action)
            places += [p for sight, to in after.items() if (p := (dict(node.branches)[sight], to)) not in places]
    return {belief for number, belief in places if plan.nodes[number].is_end}


def test_a_plan_as_a_graph() -> None:
    plan = solve(LAMP).require_conditional_plan()
    graph = conditional_plan_graph(BitsetContingentView(LAMP), plan)
    assert {number: graph.nodes[number] for number in graph} == {
        0: {"members": ["0", "1"], "size": 2, "g": 0, "goal": False, "on_plan": True, "action": "a", "label": "a"},
        1: {"members": ["0"], "size": 1, "g": 1, "goal": False, "on_plan": True, "action": "b", "label": "b"},
        2: {"members": ["1"], "size": 1, "g": 1, "goal": True, "on_plan": True, "action": "", "label": "done"},
        3: {"members": ["2"], "size": 1, "g": 2, "goal": True, "on_plan": True, "action": "", "label": "done"},
    }
    assert [
        (tail, head, data["action"], data["percept"], data["cost"]) for tail, head, data in graph.edges(data=True)
    ] == [(0, 1, "a", "x", 1), (0, 2, "a", "y", 1), (1, 3, "b", "x", 1)]


def test_a_plan_that_keeps_trying_has_an_edge_back() -> None:
    slow = SightedTable((0,), ({"a": (0, 1)}, {}), (frozenset({1}),), {("a", 0): ("x",), ("a", 1): ("y",)})
    graph = conditional_plan_graph(FrozensetContingentView(slow), solve(slow).require_conditional_plan())
    assert sorted((tail, head) for tail, head, _ in graph.edges(data=True)) == [(0, 0), (0, 1)]


@pytest.mark.parametrize("kind", [FrozensetContingentView, BitsetContingentView])
@given(problem=sighted_problems(most_states=4))
def test_the_graph_has_every_belief_and_every_outcome(kind: Any, problem: SightedTable) -> None:
    if problem.twins:
        return  # brute force tells copies apart
    graph = and_or_graph(kind(problem))
    beliefs = [frozenset(problem.starts)]
    edges: list[tuple[frozenset[int], str, str, frozenset[int]]] = []
    for belief in beliefs:  # grows while it is walked
        shared = set.intersection(*(set(problem.table[state]) for state in belief))
        for action in set() if is_won(problem, belief) else shared:
            for sight, after in outcomes(problem, belief, action).items():
                edges.append((belief, action, sight, after))
                if after not in beliefs:
                    beliefs.append(after)
    members = {number: frozenset(map(int, data["members"])) for number, data in graph.nodes(data=True)}
    assert members[0] == beliefs[0]
    assert set(members.values()) == set(beliefs)
    assert len(members) == len(beliefs)
    assert {number for number, data in graph.nodes(data=True) if data["goal"]} == {
        number for number, belief in members.items() if is_won(problem, belief)
    }
    found = [(members[t], data["action"], data["percept"], members[h]) for t, h, data in graph.edges(data=True)]
    assert sorted(found, key=repr) == sorted(edges, key=repr)


@given(problem=sighted_problems())
def test_every_graph_can_be_written(problem: SightedTable) -> None:
    view: BitsetContingentView[int, str] = BitsetContingentView(problem)
    result = solve(problem)
    graph = and_or_graph(view)
    if result.status is Status.SOLVED:
        plan = result.require_conditional_plan()
        graph = conditional_plan_graph(view, plan)
        steps = {number for number, data in graph.nodes(data=True) if data["action"]}
        assert len(steps) == plan.steps
        # Each belief in which the game may end is a leaf of its own.
        ends = [frozenset(data["members"]) for number, data in graph.nodes(data=True) if number not in steps]
        assert len(ends) == len(set(ends))
        if not problem.twins:
            assert set(ends) == {frozenset(map(str, belief)) for belief in beliefs_at_the_end(problem, plan)}
    for form in FORMATS:
        assert graph_text(graph, form)
