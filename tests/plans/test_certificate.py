"""Plan files: what is written is read back, and what is broken is refused with a reason."""

from __future__ import annotations

import json
from enum import Enum
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.plans.encoding import ActionReader, encode_action
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch_problems.devil import DevilProblem

from ..plan_texts import plan_of_text
from ..random_problems import TableProblem

DEVIL = DevilProblem(n=2)


def plan_file() -> dict[str, Any]:
    return plan_document(solve(DEVIL), DEVIL, name="devil", parameters={"n": 2}, blindfold=False)


def test_a_plan_file_is_read_back() -> None:
    data = plan_file()
    read = plan_of_text(json.dumps(data))
    assert (read.problem, read.parameters, read.blindfold, read.cost) == ("devil", {"n": 2}, False, 3)
    assert read.plan == [[0, 1], [0], [0, 1]]
    reader = ActionReader(DEVIL)
    assert [reader.read(entry, ["HH"]) for entry in read.plan] == [{0, 1}, {0}, {0, 1}]


def test_costs_that_json_lacks_are_written_as_text_or_null() -> None:
    data = plan_file()
    for text, cost in (("7/2", Fraction(7, 2)), ("1", Fraction(1)), ("0.5", Fraction(1, 2))):
        data["cost"] = text
        assert plan_of_text(json.dumps(data)).cost == cost
    unsolvable = solve(DevilProblem(n=3))
    document = plan_document(unsolvable, DEVIL, name="devil", parameters={}, blindfold=False)
    assert (document["cost"], document["lower_bound"], document["plan"]) == (None, None, None)
    json.dumps(document, allow_nan=False)


@pytest.mark.parametrize("key", ["version", "problem", "parameters", "plan"])
def test_a_missing_field_is_named(key: str) -> None:
    data = plan_file()
    del data[key]
    with pytest.raises(InvalidPlanError, match=key):
        plan_of_text(json.dumps(data))


class Turn(Enum):
    LEFT = 1


numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
plain = st.none() | st.booleans() | numbers | st.text(max_size=20)
actions = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3), max_leaves=20
)


@given(actions)
def test_an_action_is_written_as_json_and_found_again(action: Any) -> None:
    problem = TableProblem(0, ({action: 0},), frozenset())
    entry = json.loads(json.dumps(encode_action(problem, action), allow_nan=False))
    assert ActionReader(problem).read(entry, [0]) == action


def test_an_action_that_json_cannot_say_is_written_as_its_text() -> None:
    problem: Any = DEVIL
    assert encode_action(TableProblem(0, (), frozenset()), Turn.LEFT) == "Turn.LEFT"  # type: ignore[misc]
    assert encode_action(problem, frozenset({10, 9, 1})) == [1, 9, 10]


def test_two_actions_that_are_written_alike_are_not_mixed_up() -> None:
    pair, both = (0, 1), frozenset({0, 1})
    together: Any = TableProblem(0, ({pair: 0, both: 0},), frozenset())  # type: ignore[dict-item]
    with pytest.raises(InvalidPlanError, match="more than one action"):
        ActionReader(together).read([0, 1], [0])
    apart: Any = TableProblem(0, ({pair: 1}, {both: 0}), frozenset())  # type: ignore[dict-item]
    reader = ActionReader(apart)
    assert [reader.read([0, 1], [state]) for state in (0, 1, 0)] == [pair, both, pair]
