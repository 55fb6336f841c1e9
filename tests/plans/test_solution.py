"""The invariants of results and limits: the bad ones cannot be built."""

from __future__ import annotations

import math
from typing import Any

import pytest

from beliefsearch import Limits, SearchResult, Status
from beliefsearch.errors import LimitError, NoSolutionError

PLAN = ("a", "b")


def result(**fields: Any) -> SearchResult[str]:
    return SearchResult(**{"solver": "some", **fields})


def test_the_three_verdicts_can_be_built() -> None:
    solved = result(status=Status.SOLVED, plan=PLAN, cost=2, lower_bound=2)
    assert solved.optimal
    assert solved.require_plan() == PLAN
    assert not result(status=Status.SOLVED, plan=PLAN, cost=2, lower_bound=1).optimal
    unsolvable = result(status=Status.UNSOLVABLE, plan=None, cost=math.inf, lower_bound=math.inf)
    undecided = result(status=Status.UNDECIDED, plan=None, cost=None, lower_bound=7, reason="it was interrupted")
    assert not unsolvable.optimal
    assert not undecided.optimal
    with pytest.raises(NoSolutionError):
        unsolvable.require_plan()
    with pytest.raises(LimitError, match="interrupted"):
        undecided.require_plan()


@pytest.mark.parametrize(
    "fields",
    [
        {"status": Status.SOLVED, "plan": None, "cost": 2, "lower_bound": 2},
        {"status": Status.SOLVED, "plan": PLAN, "cost": None, "lower_bound": 2},
        {"status": Status.SOLVED, "plan": PLAN, "cost": math.inf, "lower_bound": 2},
        {"status": Status.SOLVED, "plan": PLAN, "cost": math.nan, "lower_bound": 2},
        {"status": Status.SOLVED, "plan": PLAN, "cost": -1, "lower_bound": -1},
        {"status": Status.SOLVED, "plan": PLAN, "cost": 2, "lower_bound": 3},
        {"status": Status.SOLVED, "plan": PLAN, "cost": 2, "lower_bound": math.nan},
        {"status": Status.UNSOLVABLE, "plan": PLAN, "cost": math.inf, "lower_bound": math.inf},
        {"status": Status.UNSOLVABLE, "plan": None, "cost": None, "lower_bound": math.inf},
        {"status": Status.UNSOLVABLE, "plan": None, "cost": math.inf, "lower_bound": 5},
        {"status": Status.UNDECIDED, "plan": PLAN, "cost": None, "lower_bound": 0},
        {"status": Status.UNDECIDED, "plan": None, "cost": 3, "lower_bound": 0},
        {"status": Status.UNDECIDED, "plan": None, "cost": None, "lower_bound": math.inf},
    ],
)
def test_a_result_against_the_invariants_cannot_be_built(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        result(**fields)


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"seconds": -1}, {"memory": 0}, {"expanded": -1}])
def test_limits_are_positive(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        Limits(**limits)
