"""Plans of every kind are written to a document and read back by one function."""

from __future__ import annotations

from typing import Any

import pytest

from beliefsearch.errors import InvalidPlanError
from beliefsearch.plugins.files.saved import read_plan

from ..plans.test_plan import DOORS, LINE
from ..verify.test_verify_policy import GAME


def test_a_sequence_may_be_the_plan_of_a_contingent_problem() -> None:
    assert read_plan(DOORS, ["look", "left"]) == ("look", "left")


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
