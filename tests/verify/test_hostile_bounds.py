"""Files about POMDPs by somebody who wants a crash, or more believed than is so."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

from beliefsearch.errors import InvalidPlanError
from beliefsearch.proofs.check import check_file
from beliefsearch.verify.verdict import FileVerdict
from tests.random_pomdps import TablePomdp

from ..plan_texts import plan_of_text

# One state, in which 1 is lost for ever: the value is -2.
LOSING = TablePomdp(
    start=((Fraction(1), 0),),
    table=({"a": (-1, ((Fraction(1), 0),))},),
    percepts={},
    utilities=(),
    factor=Fraction(1, 2),
)
FILE: dict[str, Any] = {
    "version": 1,
    "problem": "losing",
    "parameters": {},
    "status": "solved",
    "value": -2,
    "lower_bound": -2,
    "upper_bound": -2,
    "plan": {"kind": "policy-graph", "states": [0], "percepts": [0], "unit": 1, "nodes": [["a", [0], [-2]]]},
    "proof": {"kind": "value-bounds", "unit": 1, "actions": ["a"], "planes": [[-2]], "points": []},
}


def verdict(**fields: Any) -> FileVerdict:
    document = {**deepcopy(FILE), **fields}
    return check_file(LOSING, plan_of_text(json.dumps(document)))


def test_the_file_itself_holds() -> None:
    found = verdict()
    assert found.holds
    assert found.attained == -2
    assert found.unattained == -2


def test_values_that_no_float_holds_are_refused_in_words() -> None:
    plan = {**FILE["plan"], "nodes": [["a", [0], [10**4000]]]}
    found = verdict(plan=plan)
    assert not found.holds
    assert "node 0, state 0: the value is " in found.complaint


def test_a_file_without_a_lower_bound_is_no_more_precise_for_that() -> None:
    """The bound that is missing is not 0, and a value far from the upper bound does not solve anything."""
    fields = {"lower_bound": None, "proof": None, "value": -500, "upper_bound": 0}
    found = verdict(**fields)
    assert not found.holds
    assert "gives only that this is between -500 and 0" in found.complaint
    assert verdict(**{**fields, "value": -2, "upper_bound": -2}).holds


@pytest.mark.parametrize("field", ["value", "lower_bound", "upper_bound"])
def test_claims_of_thousands_of_digits_are_quoted_in_short(field: str) -> None:
    sign = "-" if field == "upper_bound" else ""
    found = verdict(**{field: f"{sign}{'1' * 4000}.{'1' * 4000}"})
    assert not found.holds
    assert len(found.complaint) < 200


def test_a_file_of_empty_nodes_asks_for_no_memory() -> None:
    import tracemalloc

    states = 600
    one = Fraction(1)
    problem = TablePomdp(
        start=((one, 0),),
        table=tuple({"a": (1, ((one, (state + 1) % states),))} for state in range(states)),
        percepts={(state, "a"): ((one, state),) for state in range(states)},
        utilities=(),
        factor=Fraction(1, 2),
    )
    numbers = list(range(states))
    nodes: list[Any] = [["a", [0] * states, [0] * states], *[0] * 50_000]
    plan = {**FILE["plan"], "states": numbers, "percepts": numbers, "nodes": nodes}
    saved = plan_of_text(json.dumps({**FILE, "plan": plan}))
    tracemalloc.start()
    try:
        with pytest.raises(InvalidPlanError, match="node 1 of its plan is no list"):
            check_file(problem, saved)
        assert tracemalloc.get_traced_memory()[1] < 60e6
    finally:
        tracemalloc.stop()
