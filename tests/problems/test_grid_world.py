"""The 4 x 3 world: utilities and changes of the best policy, as the textbook has them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from beliefsearch import solve
from beliefsearch_problems.grid_world import GridWorldProblem

# Russell and Norvig, 4th edition, figure 17.3, by row from the top.
UTILITIES = {
    (0, 0): 0.8516, (0, 1): 0.9078, (0, 2): 0.9578,
    (1, 0): 0.8016, (1, 2): 0.7003,
    (2, 0): 0.7453, (2, 1): 0.6953, (2, 2): 0.6514, (2, 3): 0.4279,
}  # fmt: skip


def best_policy(**options: Any) -> dict[Any, str]:
    world = GridWorldProblem(**options)
    found = solve(world).require_policy()
    return {cell: found.action(cell) for cell in found.states if not world.is_terminal(cell)}


def test_the_utilities_of_the_fourth_edition() -> None:
    found = solve(GridWorldProblem(edition=4)).require_policy()
    assert {cell: round(float(found.value(cell)), 4) for cell in UTILITIES} == UTILITIES


def test_those_of_the_third_are_less_by_the_last_step() -> None:
    found = solve(GridWorldProblem()).require_policy()
    assert {cell: round(float(found.value(cell)) + 0.04, 4) for cell in UTILITIES} == UTILITIES


@pytest.mark.parametrize("step", [-1.6497, -0.7311, -0.4526, -0.0274])
def test_the_best_policy_changes_where_figure_17_2_says(step: float) -> None:
    less, more = (best_policy(edition=4, step=Fraction(str(round(step + by, 4)))) for by in (-0.0002, 0.0002))
    assert sum(less[cell] != more[cell] for cell in less) == 1


@pytest.mark.parametrize("step", [-1.5, -0.6, -0.04, -0.01])
def test_it_does_not_change_elsewhere(step: float) -> None:
    less, more = (best_policy(edition=4, step=Fraction(str(round(step + by, 4)))) for by in (-0.0002, 0.0002))
    assert less == more


def test_there_are_two_editions() -> None:
    with pytest.raises(ValueError, match="edition"):
        GridWorldProblem(edition=2)
