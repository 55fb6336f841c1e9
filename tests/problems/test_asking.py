"""Eggs and battleships: the worst case and the mean by recursion over what is known."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import pytest

from beliefsearch import solve
from beliefsearch_problems.battleship import BattleshipProblem
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


def fewest_shots(cells: int, ship: int, goal: str, in_total: bool = False) -> int:
    """The least most shots, or the least sum over all places; what is known are the shots and who they leave."""
    places = {first: frozenset(range(first, first + ship)) for first in range(cells - ship + 1)}

    def is_over(left: frozenset[int], shots: frozenset[int]) -> bool:
        return len(left) == 1 if goal == "locate" else all(places[first] <= shots for first in left)

    @cache
    def least(left: frozenset[int], shots: frozenset[int]) -> int:
        if is_over(left, shots):
            return 0
        ways = []
        for cell in set(range(cells)) - shots:
            hit = frozenset(first for first in left if cell in places[first])
            if hit or len(left) < len(places):  # without knowledge a shot beside every ship is silly, and endless
                after = [least(part, shots | {cell}) for part in (hit, left - hit) if part]
                ways.append(len(left) + sum(after) if in_total else 1 + max(after))
        return min(ways)

    return least(frozenset(places), frozenset())


SMALL = [(1, 1), (4, 1), (3, 2), (5, 2), (4, 3), (7, 3), (6, 4), (5, 5)]


@pytest.mark.parametrize("goal", ["sink", "locate"])
@pytest.mark.parametrize(("cells", "ship"), SMALL)
def test_the_worst_case_and_the_mean(cells: int, ship: int, goal: str) -> None:
    problem = BattleshipProblem(cells=cells, ship=ship, goal=goal)
    result = assert_solved(problem, fewest_shots(cells, ship, goal))
    assert cost_of_plan(problem, result.require_conditional_plan()) == result.cost
    mean = solve(problem, objective="expected").cost
    assert mean == Fraction(fewest_shots(cells, ship, goal, in_total=True), cells - ship + 1)
    if cells < 5:
        assert least_worst_cost(problem) == result.cost


def test_the_answers_of_the_catalogue() -> None:
    for known in BattleshipProblem.known_answers:
        problem = BattleshipProblem(**known.options)
        assert fewest_shots(problem.cells, problem.ship, problem.goal) == known.answer


def test_what_a_shot_does() -> None:
    problem = BattleshipProblem()
    assert problem.results((4, ()), 6) == ((4, (6,)),)
    assert problem.results((4, (6,)), 5) == ((4, (5, 6)),)
    assert problem.results((4, (6,)), 6) == problem.results((4, (6,)), 7) == ((4, (6,)),)
    assert problem.percepts((4, (6,)), 6) == ("hit",)
    assert problem.percepts((4, (6,)), 7) == ("miss",)
    assert BattleshipProblem(goal="locate").results((4, ()), 6) == ((4, ()),)


def test_a_row_and_its_mirror_image_are_alike() -> None:
    problem = BattleshipProblem(cells=7)
    assert problem.belief_class(frozenset({(1, (2,)), (2, (2,))})) == problem.belief_class(
        frozenset({(5, (6,)), (4, (6,))})
    )
    assert problem.belief_class(frozenset({(1, (2,))})) != problem.belief_class(frozenset({(5, (7,))}))


def test_the_drawing_in_letters() -> None:
    assert BattleshipProblem().draw_state((4, (5,))) == "...oxo...."
