"""Costs as arrays: they come back as what they were."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

import pytest

from beliefsearch.errors import BeliefSearchError
from beliefsearch.running.number_codec import array_of, numbers_in


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ([], "i"),
        ([3, -1, 2**63 - 1], "i"),
        ([0.5, inf, -0.0], "f"),
        ([3, 0.5, Fraction(1, 3), 2**63], "u"),
        ([2**70], "u"),
    ],
)
def test_numbers_come_back_as_what_they_were(numbers: list[Any], kind: str) -> None:
    array = array_of(numbers)
    assert array.dtype.kind == kind
    assert list(map(repr, numbers_in(array))) == list(map(repr, numbers))


def test_a_number_of_another_kind_is_refused() -> None:
    with pytest.raises(BeliefSearchError, match="a cost of the type complex cannot be kept"):
        array_of([1, 2j])  # type: ignore[list-item]
