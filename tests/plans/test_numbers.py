"""Numbers in files: one way to write them, and one way back."""

from __future__ import annotations

import json
import math
import sys
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.errors import InvalidPlanError, InvalidProofError
from beliefsearch.plans.encoding import exact_to_json, number_from_json, number_to_json
from beliefsearch.plans.plan_reader import PlanFile
from beliefsearch.proofs.hints.list_fields import fraction, limit_of

from ..plan_texts import plan_of_text

finite = st.floats(allow_nan=False, allow_infinity=False)
numbers = st.integers() | st.integers(0, 2000).map(lambda digits: 7**digits) | finite | st.fractions()
amounts = numbers.map(abs)


def in_a_file(written: object) -> Any:
    return json.loads(json.dumps(written, allow_nan=False))


def plan_file(**fields: object) -> PlanFile:
    head: dict[str, object] = {"problem": "devil", "parameters": {}, "plan": None, "version": 1}
    return plan_of_text(json.dumps({**head, **fields}))


@given(numbers)
def test_a_number_is_written_and_read_back(number: int | float | Fraction) -> None:
    read = number_from_json(in_a_file(number_to_json(number)), "it")
    assert read == number
    assert type(read) is type(number)


@given(numbers)
def test_a_number_of_a_proof_is_written_without_rounding(number: int | float | Fraction) -> None:
    written = in_a_file(exact_to_json(number))
    assert type(written) is (int if Fraction(number).denominator == 1 else str)
    assert Fraction(number_from_json(written, "it")) == Fraction(number)


@given(amounts)
def test_costs_and_proofs_read_the_same_numbers(number: int | float | Fraction) -> None:
    assert plan_file(cost=number_to_json(number)).cost == number
    assert fraction(in_a_file(exact_to_json(number))) == number


@pytest.mark.parametrize("write", [number_to_json, exact_to_json])
def test_infinity_which_json_lacks_is_null(write: Any) -> None:
    assert write(math.inf) is None
    assert limit_of({"reach": None}, "reach") == math.inf
    assert plan_file(cost=None).cost is None
    assert number_to_json(None) is None


@pytest.mark.parametrize(
    ("number", "written", "in_a_proof"),
    [
        (3, 3, 3),
        (-3, -3, -3),
        (2.0, 2.0, 2),
        (0.75, 0.75, "3/4"),
        (Fraction(303, 512), "303/512", "303/512"),
        (Fraction(-3, 4), "-3/4", "-3/4"),
        (Fraction(2), "2", 2),
        (10**30, 10**30, 10**30),
    ],
)
def test_how_numbers_look(number: Any, written: object, in_a_proof: object) -> None:
    """As they have looked in every file so far."""
    assert json.dumps([number_to_json(number), exact_to_json(number)]) == json.dumps([written, in_a_proof])


def test_decimals_and_long_fractions_are_read() -> None:
    assert number_from_json("0.75", "it") == Fraction(3, 4)
    assert number_from_json("6/008", "it") == Fraction(3, 4)
    assert number_from_json(f"1/{10**3000}", "it") == Fraction(1, 10**3000)


NONE = [None, True, False, math.inf, -math.inf, math.nan, "", "x", "1/0", "1/00", "1/-2", "1e3", "1e999999999", "+1"]


@pytest.mark.parametrize("written", [*NONE, " 1", "1 ", "1/2\n", "٣", "inf", "nan", ".5", "5.", [1], {}])
def test_what_is_no_number_is_refused(written: object) -> None:
    with pytest.raises(InvalidPlanError, match=r"the price is .*, which is no number"):
        number_from_json(written, "the price")


def test_a_number_of_more_digits_than_python_reads_is_refused() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(1000)
    try:
        with pytest.raises(InvalidPlanError, match="no number"):
            number_from_json("9" * 1001, "it")
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("written", [-1, -0.5, "-3/4", "1e3", True, [1]])
def test_a_cost_is_a_number_that_is_not_negative(written: object) -> None:
    for field in ("cost", "lower_bound"):
        with pytest.raises(InvalidPlanError, match=field):
            plan_file(**{field: written})


@pytest.mark.parametrize("written", [-1, "-3/4", 0.5, "1e3", None, True, [1]])
def test_a_number_of_a_proof_is_exact_and_not_negative(written: object) -> None:
    with pytest.raises(InvalidProofError, match="not negative"):
        fraction(written)
