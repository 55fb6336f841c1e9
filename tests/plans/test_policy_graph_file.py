"""Policy graphs in plan files: they come back as they were, and what they attain is reckoned from what is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from beliefsearch import solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.model.belief import no_tick
from beliefsearch.model.hook_arrays import PerceptChanceArrays
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.plans.policy import PolicyGraph, PolicyResult
from beliefsearch.plans.policy_files import (
    attained,
    policy_graph_plan,
    relative_gap,
    rounded_out,
)
from beliefsearch.plans.result import Status
from beliefsearch.plugins.files.plan_files import read_policy_graph
from beliefsearch.proofs.hints import elaborator
from beliefsearch.running.limits import Budget
from beliefsearch.solvers.pomdp.array_model import model_of_arrays
from beliefsearch.solvers.pomdp.listing import pomdp_model
from beliefsearch.verify.pomdp_file import PomdpOfFile

from ..examples import examples
from ..random_pomdps import TablePomdp, pomdps

ONE, HALF = Fraction(1), Fraction(1, 2)
# It goes round from 0 to 1 and back; in 1 a bell may ring.
PROBLEM = TablePomdp(
    ((HALF, 0), (HALF, 1)),
    ({"on": (1, ((ONE, 1),))}, {"on": (0, ((ONE, 0),)), "off": (0, ((ONE, 2),))}),
    {(1, "on"): ((HALF, 7), (HALF, 8)), (0, "on"): ((ONE, 7),)},
    (4,),
    HALF,
)
GRAPH = PolicyGraph(
    ["off", "on"], [{}, {7: 1, 8: 1}], [{1: Fraction(2)}, {0: Fraction(4, 3), 1: Fraction(2, 3)}], start=1
)


def test_a_graph_as_it_is_written() -> None:
    plan = policy_graph_plan(GRAPH, PROBLEM)
    assert plan == {
        "kind": "policy-graph",
        "states": [0, 1],
        "percepts": [7, 8],
        "unit": 3,
        "nodes": [["on", [0, 0], [4, 2]], ["off", [None, None], [None, 6]]],
    }
    assert attained(plan, PROBLEM) == 1
    assert attained(policy_graph_plan(PolicyGraph(["off"], [{}], [{1: 2}]), PROBLEM), PROBLEM) is None


@settings(max_examples=examples(30))
@given(pomdps())
def test_graphs_come_back(problem: TablePomdp) -> None:
    graph: Any = solve(problem).policy
    plan = json.loads(json.dumps(policy_graph_plan(graph, problem)))
    again = read_policy_graph(problem, plan)
    assert again.start == 0
    assert [*again.actions] == [*graph.actions]
    assert [{**after} for after in again.successors] == [{**after} for after in graph.successors]
    assert [{**values} for values in again.values] == [{**values} for values in graph.values]
    assert policy_graph_plan(again, problem) == plan


def test_few_values_are_written_with_their_states() -> None:
    plan: Any = policy_graph_plan(GRAPH, PROBLEM)
    as_pairs = {**plan, "nodes": [["on", [0, 0], [[1, 2], [0, 4]]], ["off", [None, None], [[1, 6]]]]}
    assert policy_graph_plan(read_policy_graph(PROBLEM, as_pairs), PROBLEM) == plan
    assert attained(as_pairs, PROBLEM) == 1
    assert PomdpOfFile(PROBLEM, as_pairs, elaborator, no_tick).lower() == 1
    for wrong in ([[0, 4], [0, 2]], [[2, 4]], [[0, 4.0]], [[0, 4], 2], [[True, 4]]):
        changed = {**as_pairs, "nodes": [["on", [0, 0], wrong], as_pairs["nodes"][1]]}
        with pytest.raises(InvalidPlanError, match="node 0"):
            read_policy_graph(PROBLEM, changed)
        with pytest.raises(InvalidPlanError, match="node 0"):
            PomdpOfFile(PROBLEM, changed, elaborator, no_tick).lower()
    ring = TablePomdp(((ONE, 0),), tuple({"on": (0, ((ONE, (n + 1) % 20),))} for n in range(20)), {}, (), HALF)
    long = policy_graph_plan(PolicyGraph(["on"], [{0: 0}], [{3: 1, 1: 2}]), ring)
    assert long["nodes"] == [["on", [0], [[1, 2], [3, 1]]]]


def test_values_without_a_common_unit_are_rounded_down() -> None:
    values = {0: Fraction(1, 3**200), 1: Fraction(-1, 7**200)}
    plan = policy_graph_plan(PolicyGraph(["on"], [{7: 0, 8: 0}], [values]), PROBLEM)
    assert plan["unit"] == 2**64
    assert plan["nodes"] == [["on", [0, 0], [0, -1]]]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda plan: plan.update(states=[0]), "lacks among the states 1, which can come up"),
        (lambda plan: plan.update(percepts=None), "the field 'percepts' of its plan is no list"),
        (lambda plan: plan.update(nodes=3), "the field 'nodes' of its plan is no list"),
        (lambda plan: plan.update(unit=0), "'unit' of its plan should be a whole number above 0, but is 0"),
        (lambda plan: plan.update(unit=True), "a whole number above 0, but is True"),
        (lambda plan: plan["nodes"][0].pop(), "node 0 of its plan has the length 2 and not 3"),
        (lambda plan: plan["nodes"][1].__setitem__(0, "jump"), "node 1 of its plan has an action written"),
        (lambda plan: plan["nodes"][0][1].__setitem__(0, 2), "a next node of node 0 is 2"),
        (lambda plan: plan["nodes"][0][2].__setitem__(0, 0.5), "in node 0 of its plan the value 0.5"),
    ],
)
def test_what_is_no_graph_is_refused(change: Callable[[Any], None], told: str) -> None:
    plan = policy_graph_plan(GRAPH, PROBLEM)
    change(plan)
    with pytest.raises(InvalidPlanError, match=told):
        read_policy_graph(PROBLEM, plan)


def test_a_file_claims_no_more_than_its_policy_attains_and_no_less_than_the_upper_bound() -> None:
    result: PolicyResult[Any, Any] = PolicyResult(
        Status.SOLVED, 2.0, GRAPH, "guess", lower_bound=2.0, upper_bound=Fraction(7, 3)
    )
    document: Any = plan_document(result, PROBLEM, name="bell", parameters={})
    assert (document["value"], document["lower_bound"]) == (1, 1)
    assert Fraction(document["upper_bound"]) > Fraction(7, 3) > Fraction(document["upper_bound"]) - Fraction(1, 10**9)
    precision = Fraction(document["plan"]["precision"])
    assert precision * Fraction(document["upper_bound"]) >= Fraction(document["upper_bound"]) - 1
    assert rounded_out(Fraction(1, 3), Fraction(1, 3)) == (Fraction(1, 3), Fraction(1, 3))
    assert relative_gap(-2, -1) == 0.5
    assert relative_gap(0, 0) == 0


@given(pomdps())
@settings(max_examples=examples(2))
def test_a_search_knows_what_can_come_up(problem: TablePomdp) -> None:
    nothing: Any = PolicyGraph((), (), ())
    model = pomdp_model(problem, Budget())
    assert policy_graph_plan(nothing, problem, model.come_up()) == policy_graph_plan(nothing, problem)


def test_of_arrays_only_what_can_come_up_is_written() -> None:
    """A ring of two states, and a third that leads there; what is perceived there never comes up."""
    numbers = np.array([1, 0, 0])
    arrays: Any = PerceptChanceArrays(
        states=("left", "right", "beyond"),
        start=(np.array([0]), np.array(1)),
        outcomes={"on": (numbers, np.array(1)), "jump": (np.array([0, 0, 2]), np.array(1))},
        rewards={},
        percepts={"on": np.array([0, 1, 2])},
        percept_rows=[[(1, "l")], [(1, "r")], [(1, "b")]],
        applicable={"jump": np.array([False, False, True])},
    )
    assert model_of_arrays(PROBLEM, arrays).come_up() == (["left", "right"], ["l", "r"])
