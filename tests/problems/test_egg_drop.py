"""The egg drop: the worst case and the mean by recursion on how many floors are in question."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import pytest

from beliefsearch import solve
from beliefsearch_problems.egg_drop import EggDropProblem

from ..contingent_problems import cost_of_plan
from .contingent_brute_force import least_worst_cost
from .layers import assert_solved


@cache
def least_drops(floors: int, eggs: int, in_total: bool = False) -> float:
    """The least number of drops that is always enough, from the recursion that textbooks give; or their least sum.

    The sum is over all the answers, which are one more than the floors in question.
    """
    if not floors:
        return 0
    if not eggs:
        return float("inf")
    parts = ((floor - 1, floors - floor) for floor in range(1, floors + 1))
    ways = ((least_drops(below, eggs - 1, in_total), least_drops(above, eggs, in_total)) for below, above in parts)
    return floors + 1 + min(map(sum, ways)) if in_total else 1 + min(map(max, ways))


@pytest.mark.parametrize(("floors", "eggs"), [(n, e) for n in (0, 1, 2, 3, 6, 7, 10) for e in (1, 2, 3)])
def test_the_worst_case(floors: int, eggs: int) -> None:
    problem = EggDropProblem(floors=floors, eggs=eggs)
    drops = least_drops(floors, eggs)
    assert cost_of_plan(problem, assert_solved(problem, drops).require_conditional_plan()) == drops
    assert sum(comb(int(drops), broken) for broken in range(1, eggs + 1)) >= floors
    if floors < 7:
        assert least_worst_cost(problem) == drops


@pytest.mark.parametrize(("floors", "eggs"), [(3, 1), (6, 2), (12, 2), (9, 3)])
def test_the_mean(floors: int, eggs: int) -> None:
    result = solve(EggDropProblem(floors=floors, eggs=eggs), objective="expected")
    assert result.cost == Fraction(int(least_drops(floors, eggs, in_total=True)), floors + 1)


def test_a_hundred_floors_and_two_eggs() -> None:
    assert [least_drops(100, eggs) for eggs in (1, 2, 3)] == [100, 14, 9]
    assert least_drops(36, 2) == 8
    assert least_drops(41, 3) == 6


def test_an_egg_breaks_above_the_floor_that_it_survives() -> None:
    problem = EggDropProblem(floors=5, eggs=2)
    assert problem.results((3, 2), 3) == ((3, 2),)
    assert problem.results((3, 2), 4) == ((3, 1),)
    assert problem.percepts((3, 1), 4) == ("broken",)
    assert problem.percepts((3, 2), 3) == ("whole",)
    assert list(problem.actions((3, 0))) == []
