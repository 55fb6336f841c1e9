"""Edges of the checkers that no file of a search reaches."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from beliefsearch.errors import InvalidPlanError
from beliefsearch.verify.region import _numbers
from beliefsearch.verify.value_bounds import Point, WrittenBounds
from beliefsearch.verify.value_upper import upper


def test_a_number_of_a_state_or_an_action_is_below_their_count() -> None:
    assert _numbers([0, 2], 3) == [0, 2]
    for entry in ([3], [-1], [True], [0, 0], 7):
        with pytest.raises(InvalidPlanError):
            _numbers(entry, 3)


def test_a_point_with_a_state_that_a_belief_lacks_is_no_part_of_it() -> None:
    """The value of such a point must not count: the planes alone bound the belief."""
    planes, game = [[10, 20, 30]], SimpleNamespace()
    inside, beyond = Point({0: 1, 1: 1}, 2, 3, {}), Point({0: 1, 2: 1}, 2, 3, {})
    bounds: Any = WrittenBounds(planes, [inside, beyond], [10, 20, 30], 1)
    belief = {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert upper(game, bounds, belief, 0) == 3  # type: ignore[arg-type]  # the game plays no part
    assert upper(game, bounds, belief, 1) == 15  # type: ignore[arg-type]
