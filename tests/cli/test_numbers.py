"""Numbers in columns: one form for all of them, and no more than were there."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.cli.renderers.text import number_column
from beliefsearch.plans.encoding import is_alike
from beliefsearch.plans.wording import number_order
from beliefsearch.simulation.policy_games import _without_rounding


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [
        ([1, Fraction(1, 2), 3], ["1", "1/2", "3"]),
        ([0.5, 0.625, 1.0], ["0.500", "0.625", "1.000"]),
        ([Fraction(1, 2), 0.25], ["0.50", "0.25"]),
        ([-20.0, 10.0], ["-20", "10"]),
        ([1 / 3, 0], ["0.333333", "0.000000"]),
        ([1e9, 1.5], ["1e+09", "1.5"]),
        ([1.0, 1e-7], ["1", "1e-07"]),
        ([inf, 1.5], ["inf", "1.5"]),
        ([10**400], ["a number too large for a float"]),
        ([0.0, 0.0], ["0", "0"]),
        ([], []),
    ],
)
def test_a_column_has_one_form(numbers: list[Any], texts: list[str]) -> None:
    assert number_column(numbers) == texts


@given(st.lists(st.one_of(st.floats(-1e6, 1e6), st.integers(-1000, 1000), st.fractions(-10, 10)), min_size=1))
def test_each_is_near_its_number(numbers: list[Any]) -> None:
    most = max(abs(float(number)) for number in numbers)
    for number, text in zip(numbers, number_column(numbers), strict=True):
        assert float(Fraction(text)) == pytest.approx(float(number), rel=1e-5, abs=1e-5 * most)


def test_sums_that_differ_by_rounding_count_as_one() -> None:
    counts: dict[Any, int] = {-20.0: 2, -19.999999999999996: 3, 1: 4, Fraction(1, 3): 1, 0.1 + 0.2: 1, 0.3: 1}
    assert _without_rounding(counts) == {-20.0: 5, 0.3: 2, Fraction(1, 3): 1, 1: 4}


@pytest.mark.parametrize(
    ("text", "known", "alike"),
    [
        ("{1,0}", "{0, 1}", True),
        ("1 0", "{0, 1}", True),
        ("1", "{1}", True),
        ("A1  b2", "a1 b2", True),
        ("1", "{0, 1}", False),
        ("b2 a1", "a1 b2", False),
        ("", "{}", True),
    ],
)
def test_an_action_may_be_typed_otherwise(text: str, known: str, alike: bool) -> None:
    assert is_alike(text, known) == alike


@pytest.mark.parametrize(
    "texts",
    [
        ["1", "2", "10", "A"],
        ["-10", "-2", "0", "3"],
        ["1, 9 lies", "2, 0 lies", "2, 10 lies"],
        ["0.25", "0.3", "1.5", "10.25"],
        ["s2", "s10"],
        ["x-2", "x-10"],
        ["01", "1"],
        ["9" * 30, "1" + "0" * 30],
        ["HH", "HT"],
    ],
)
def test_texts_with_numbers_stand_in_their_order(texts: list[str]) -> None:
    assert [*map(number_order, texts)] == sorted(map(number_order, texts))
