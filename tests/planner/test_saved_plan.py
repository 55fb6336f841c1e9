"""Plans of every kind are written to a document and read back by one function."""

from __future__ import annotations

import json
from typing import Any

import pytest

from beliefsearch import Policy, check_plan, solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.plugins.files.saved import read_plan
from beliefsearch.results import ConditionalPlan

from ..plans.test_plan import DOORS, LINE
from ..verify.test_verify_policy import GAME


def written(problem: Any, result: Any) -> Any:
    """The plan as it stands in a file."""
    return json.loads(json.dumps(plan_document(result, problem, name="it", parameters={})["plan"]))


def test_a_sequence_is_read_back() -> None:
    result = solve(LINE)
    assert read_plan(LINE, written(LINE, result)) == result.plan == ("on", "on")


def test_a_conditional_plan_is_read_back() -> None:
    result = solve(DOORS)
    read = read_plan(DOORS, written(DOORS, result))
    assert isinstance(read, ConditionalPlan)
    assert isinstance(result.plan, ConditionalPlan)
    assert check_plan(DOORS, read).holds
    by_percept = [
        {percept: plan.nodes[plan.follow(0, percept)].action for percept in "lr"} for plan in (read, result.plan)
    ]
    assert by_percept == [{"l": "left", "r": "right"}] * 2


def test_a_sequence_may_be_the_plan_of_a_contingent_problem() -> None:
    assert read_plan(DOORS, ["look", "left"]) == ("look", "left")


def test_a_policy_is_read_back() -> None:
    result = solve(GAME)
    read = read_plan(GAME, written(GAME, result))
    assert isinstance(read, Policy)
    assert result.policy is not None
    assert all(read.action(state) == action for state, action, _ in result.policy.items())


@pytest.mark.parametrize(
    ("problem", "plan"),
    [
        (LINE, {"kind": "conditional", "nodes": [{}]}),
        (LINE, {"kind": "policy", "states": []}),
        (DOORS, {"kind": "policy", "states": []}),
        (DOORS, {"kind": ["conditional"], "nodes": [{}]}),
        (DOORS, {}),
        (GAME, []),
        (GAME, {"kind": "conditional", "nodes": [{}]}),
    ],
)
def test_a_plan_of_another_kind_is_refused(problem: Any, plan: Any) -> None:
    with pytest.raises(InvalidPlanError, match=f"it holds a .*, which is no plan for {type(problem).__name__}"):
        read_plan(problem, plan)


@pytest.mark.parametrize(
    ("problem", "plan", "complaint"),
    [
        (LINE, ["on", "off"], "step 2"),
        (DOORS, {"kind": "conditional", "nodes": []}, "nodes"),
        (GAME, {"kind": "policy", "states": [1]}, "holds no policy"),
        (GAME, {"kind": "policy", "states": []}, "no action that applies"),
    ],
)
def test_a_broken_plan_is_refused(problem: Any, plan: Any, complaint: str) -> None:
    with pytest.raises(InvalidPlanError, match=complaint):
        read_plan(problem, plan)
