"""The checker of conditional plans: what holds is accepted, and what was changed is judged as brute force judges it."""

from __future__ import annotations

import copy
import json
import math
from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import ProblemError, solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.plans.node_plans import GivenPlan, WrittenPlan
from beliefsearch.plans.plan import ConditionalPlan, PlanNode
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.plugins.files.plan_files import read_conditional_plan
from beliefsearch.verify.conditional import check_node_plan
from beliefsearch.verify.plan import check_plan
from beliefsearch.verify.verdict import PlanVerdict

from ..contingent_problems import SIGHTS, SightedTable, cost_of_plan, least_mean_cost, sighted_problems, worst_costs
from ..examples import examples
from ..plan_texts import plan_of_text


def written(problem: SightedTable, **options: Any) -> dict[str, Any]:
    """The plan file of a solution, through JSON."""
    document = plan_document(solve(problem, **options), problem, name="table", parameters={}, blindfold=False)
    read: dict[str, Any] = json.loads(json.dumps(document))
    return read


def check(problem: SightedTable, document: dict[str, Any]) -> PlanVerdict:
    """What the command line checks."""
    saved = plan_of_text(json.dumps(document))
    assert isinstance(saved.plan, dict)
    return check_node_plan(problem, WrittenPlan(problem, saved.plan), saved.cost, saved.objective)


def as_plan(nodes: list[dict[str, Any]]) -> ConditionalPlan[str, str] | None:
    """The plan that JSON says, if it is one; written without the reader."""
    steps = []
    for node in nodes:
        branches = tuple((branch["percept"], branch["node"]) for branch in node.get("branches", []))
        if bool(branches) != ("action" in node):
            return None
        steps.append(PlanNode[str, str](node.get("action"), branches))
    try:
        return ConditionalPlan(tuple(steps))
    except ValueError:
        return None


def changed(data: st.DataObject, nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The nodes with one change somewhere."""
    nodes = copy.deepcopy(nodes)
    node = data.draw(st.sampled_from(nodes), label="node")
    if not node.get("branches"):
        node.update(action="a", branches=[{"percept": "x", "node": data.draw(st.integers(0, len(nodes) - 1))}])
        return nodes
    branch = data.draw(st.sampled_from(node["branches"]), label="branch")
    match data.draw(st.sampled_from(["action", "target", "drop", "percept", "end", "add"]), label="change"):
        case "action":
            node["action"] = data.draw(st.sampled_from(["a", "b", "c", "d", None, 1]))
        case "target":
            branch["node"] = data.draw(st.integers(-1, len(nodes)))
        case "drop":
            node["branches"].remove(branch)
        case "percept":
            branch["percept"] = data.draw(st.sampled_from([*SIGHTS, "w", None]))
        case "add":
            node["branches"].append({"percept": data.draw(st.sampled_from(SIGHTS)), "node": 0})
        case _:
            node.clear()
    return nodes


@given(problem=sighted_problems(), data=st.data())
@settings(max_examples=examples(40))
def test_a_changed_plan_holds_only_if_it_really_wins_at_that_cost(problem: SightedTable, data: st.DataObject) -> None:
    document = written(problem)
    if document["plan"] is None:
        return
    assert check(problem, document).holds
    document["plan"]["nodes"] = changed(data, document["plan"]["nodes"])
    plan = as_plan(document["plan"]["nodes"])
    truth = None if plan is None else cost_of_plan(problem, plan)
    claimed = plan_of_text(json.dumps(document)).cost
    try:
        found = check(problem, document)
    except InvalidPlanError:
        assert truth is None, "a plan that wins is one"
        return
    assert found.holds == (truth is not None and claimed in (truth, None))
    assert bool(found.complaint) != found.holds
    if found.holds:
        assert found.cost == truth
        assert found.cyclic == (truth == math.inf)


@given(problem=sighted_problems(), more=st.sampled_from([-1, 1, Fraction(1, 2), Fraction(1, 1000)]))
def test_a_plan_costs_what_it_costs(problem: SightedTable, more: Any) -> None:
    least = worst_costs(problem)[frozenset(problem.starts)]
    if least == math.inf:
        return
    plan = solve(problem).require_conditional_plan()
    assert check_plan(problem, plan, claimed_cost=least).cost == least
    found = check_plan(problem, plan, claimed_cost=least + more)
    assert not found.holds
    assert f"costs {least}, not" in found.complaint
    assert check_plan(problem, plan).holds, "nothing is claimed"


@given(problem=sighted_problems(deterministic=True))
def test_the_mean_is_checked_exactly(problem: SightedTable) -> None:
    least = least_mean_cost(problem)
    if least == math.inf:
        return
    document = written(problem, objective="expected")
    assert document["cost"] == pytest.approx(float(least))
    assert not isinstance(document["cost"], str)
    if Fraction(least).denominator > 1 and problem.twins == 0:
        assert Fraction(document["exact_cost"]) == least
    found = check(problem, document)
    assert (found.holds, found.expected_cost) == (True, least)
    assert found.cost >= least
    for field in ("cost", "exact_cost"):
        if field in document:
            wrong = {**document, field: 1 + document[field] if field == "cost" else str(least + 1)}
            if "exact_cost" in document:
                with pytest.raises(InvalidPlanError, match="'cost' and 'exact_cost' say different things"):
                    check(problem, wrong)
            else:
                assert not check(problem, wrong).holds
    if found.cost != least:
        assert not check(problem, {**document, "objective": "worst"}).holds


LAMP = SightedTable(
    (0, 1),
    ({"a": (0,), "b": (2,)}, {"a": (1,), "b": (1,)}, {}),
    (frozenset({2}), frozenset({1})),
    {**{("a", state): ("xyz"[state],) for state in range(3)}, **{("b", state): ("x",) for state in range(3)}},
)
"""See by a which of two states it is; 1 is won where it is known, and b brings 0 to 2, which is won."""
PLAN: list[dict[str, Any]] = [
    {"action": "a", "branches": [{"percept": "x", "node": 1}, {"percept": "y", "node": 2}]},
    {"action": "b", "branches": [{"percept": "x", "node": 2}]},
    {},
]


def lamp(nodes: Any, **more: Any) -> PlanVerdict:
    plan = {"kind": "conditional", "cyclic": False, "nodes": nodes}
    return check_node_plan(LAMP, WrittenPlan(LAMP, {**plan, **more}), 2, "worst")


def test_the_lamp_is_understood() -> None:
    assert lamp(PLAN) == PlanVerdict(True, "", 2, 2, 2, Fraction(3, 2), False, 2)
    assert read_conditional_plan(LAMP, {"kind": "conditional", "nodes": PLAN}) == as_plan(PLAN)


@pytest.mark.parametrize(
    ("nodes", "complaint"),
    [
        (None, "a list 'nodes' of objects"),
        ([], "a list 'nodes' of objects"),
        ([3], "a list 'nodes' of objects"),
        ([{"branches": [{"percept": "x", "node": 0}]}], "node 0 has branches, but no action"),
        ([{"action": "a", "branches": []}], "node 0 has an action, but no branches"),
        ([{"action": "a", "branches": {}}], "node 0 has an action, but no branches"),
        ([{"action": "a", "branches": "xy"}], "node 0 should have branches such as"),
        ([{"action": "a", "branches": [{"node": 0}]}], "node 0 should have branches such as"),
        ([{"action": "a", "branches": [{"percept": "x", "node": True}]}], "node 0 should have branches such as"),
        ([{"action": "a", "branches": [{"percept": "x", "node": "1"}]}], "node 0 should have branches such as"),
        ([{"action": "a", "branches": [{"percept": "x", "node": 5}]}], "a branch to node 5, and there is none"),
        ([{"action": "a", "branches": [{"percept": "x", "node": 0}] * 2}], "two branches for the percept"),
        ([{"action": "z", "branches": [{"percept": "x", "node": 0}]}], "node 0: there is no action"),
        ([{**PLAN[0], "branches": PLAN[0]["branches"][:1]}, *PLAN[1:]], "the percept y may come, and there is no"),
    ],
)
def test_what_is_no_plan_is_said_in_one_line(nodes: Any, complaint: str) -> None:
    with pytest.raises(InvalidPlanError, match=complaint) as caught:
        lamp(nodes)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["policy", None, 7])
def test_other_kinds_of_plans_are_not_read(kind: Any) -> None:
    with pytest.raises(InvalidPlanError, match="not 'conditional'"):
        lamp(PLAN, kind=kind)


def test_an_unknown_objective_is_not_taken_for_another() -> None:
    plan = as_plan(PLAN)
    assert plan is not None
    with pytest.raises(InvalidPlanError, match="'cheap' is neither 'worst' nor 'expected'"):
        check_node_plan(LAMP, GivenPlan(plan), Fraction(3, 2), "cheap")


def test_a_plan_that_goes_wrong_early_is_read_whole() -> None:
    """The branches behind are no ends, though the plan fails before they are come to."""
    nodes = [
        {"action": "a", "branches": [{"percept": "x", "node": 1}, {"percept": "y", "node": 2}]},
        {},
        {"action": "a", "branches": [{"percept": "y", "node": 3}]},
        {},
    ]
    assert "ends in node 1, where the state may be 0, which is not won" in lamp(nodes).complaint
    assert read_conditional_plan(LAMP, {"kind": "conditional", "nodes": nodes}).steps == 2


def test_going_round_is_wrong_unless_an_end_can_be_reached_from_every_state() -> None:
    loop = ConditionalPlan((PlanNode("a", (("x", 0), ("y", 1))), PlanNode[str, str](None)))
    found = check_plan(LAMP, loop)
    assert "goes round in circles: from node 0, if the state is 0, it never ends" in found.complaint
    slow = evolve(LAMP, table=({"a": (0, 1), "b": (2,)}, *LAMP.table[1:]))
    found = check_plan(slow, loop)
    assert (found.holds, found.cyclic, found.cost, found.expected_cost) == (True, True, math.inf, None)
    assert not check_plan(slow, loop, claimed_cost=7).holds
    assert not check_plan(evolve(slow, adversary=True), loop).holds


def test_mistakes_of_the_author_are_told() -> None:
    plan = as_plan(PLAN)
    assert plan is not None
    with pytest.raises(ProblemError, match="gave no percept"):
        check_plan(evolve(LAMP, sights=dict.fromkeys(LAMP.sights, ())), plan)


@pytest.mark.parametrize("written", [1, True, 1.0])
def test_percepts_that_are_equal_are_one_however_they_are_written(written: Any) -> None:
    class Told(SightedTable):
        def percepts(self, state: int, action: str) -> Any:
            return [(1, True, 1.0)[state]]

    told = Told(LAMP.starts, LAMP.table, (frozenset({0, 1, 2}),), LAMP.sights)
    nodes = [{"action": "a", "branches": [{"percept": written, "node": 1}]}, {}]
    plan = {"kind": "conditional", "cyclic": False, "nodes": nodes}
    assert check_node_plan(told, WrittenPlan(told, plan), 1, "worst").holds
    nodes[0]["branches"].append({"percept": 1, "node": 1})  # type: ignore[attr-defined]
    with pytest.raises(InvalidPlanError, match="two branches for the percept"):
        check_node_plan(told, WrittenPlan(told, plan), 1, "worst")
