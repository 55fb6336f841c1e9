"""Pancakes: the stacks that take longest, and every stack of few by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from itertools import product

import pytest

from beliefsearch import Blindfolded, check_plan, solve
from beliefsearch.solvers import distance_table
from beliefsearch_problems.pancakes import PancakesProblem

from .layers import layers

UNBURNT = [0, 1, 3, 4, 5, 7]  # OEIS A058986
BURNT = [1, 4, 6, 8]  # OEIS A078941


def distances(count: int, burnt: bool) -> dict[tuple[int, ...], int]:
    """Breadth first from the sorted stack; a turn undoes itself."""

    def following(stack: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for turned in range(1, count + 1):
            upper = stack[turned - 1 :: -1]
            yield tuple(-size if burnt else size for size in upper) + stack[turned:]

    found = enumerate(layers([tuple(range(1, count + 1))], following))
    return {stack: distance for distance, layer in found for stack in layer}


@pytest.mark.parametrize(("burnt", "most"), [(False, UNBURNT), (True, BURNT)])
def test_the_longest_are_as_published_and_all_are_as_by_brute_force(burnt: bool, most: list[int]) -> None:
    for count, longest in enumerate(most, 1):
        expected = distances(count, burnt)
        problem = PancakesProblem(start=tuple(range(1, count + 1)), burnt=burnt)
        table = distance_table(problem)
        assert max(expected.values()) == longest
        assert sorted(problem.possible_starts()) == sorted(expected)
        for stack, distance in expected.items():
            assert table.distances[stack] == distance >= problem.heuristic(stack)


@pytest.mark.parametrize(("count", "turns"), [(1, 1), (2, 4), (3, 6), (4, 8), (5, 10), (6, 12)])
def test_a_sorted_stack_that_is_all_burnt_side_up(count: int, turns: int) -> None:
    problem = PancakesProblem(start=tuple(range(-1, -count - 1, -1)), burnt=True)
    result = solve(problem)
    assert (result.cost, result.optimal) == (turns, True)
    assert check_plan(problem, result.require_plan()).holds


def fewest_blindfolded(count: int, burnt: bool) -> int:
    """The length of a shortest sequence that passes the sorted stack from every start, by trying them all."""
    starts = list(distances(count, burnt))
    turns = range(1, count + 1)
    return next(
        size
        for size in itertools.count()
        if any(sorts_all(starts, plan, burnt) for plan in product(turns, repeat=size))
    )


def sorts_all(starts: list[tuple[int, ...]], plan: tuple[int, ...], burnt: bool) -> bool:
    return all(passes(list(start), plan, burnt) for start in starts)


def passes(stack: list[int], plan: tuple[int, ...], burnt: bool) -> bool:
    for turned in plan:
        if stack == sorted(map(abs, stack)):
            return True
        stack = [-size if burnt else size for size in reversed(stack[:turned])] + stack[turned:]
    return stack == sorted(map(abs, stack))


@pytest.mark.parametrize(
    ("count", "burnt", "stacks"), [(1, False, 1), (2, False, 2), (3, False, 6), (1, True, 2), (2, True, 8)]
)
def test_blindfolded_a_plan_leads_through_all_stacks(count: int, burnt: bool, stacks: int) -> None:
    problem = Blindfolded(PancakesProblem(start=tuple(range(1, count + 1)), burnt=burnt))
    result = solve(problem)
    assert result.cost == stacks - 1 == fewest_blindfolded(count, burnt)
    assert check_plan(problem, result.require_plan()).holds


def test_what_a_turn_does() -> None:
    assert PancakesProblem().result((2, 4, 1, 3, 5), 3) == (1, 4, 2, 3, 5)
    assert PancakesProblem(burnt=True).result((2, -4, 1, 3, 5), 2) == (4, -2, 1, 3, 5)
    assert PancakesProblem().result((5, 4, 3, 2, 1), 5) == (1, 2, 3, 4, 5)
    assert list(PancakesProblem(start=(1,)).actions((1,))) == []
    assert PancakesProblem(burnt=True).draw_state((-2, 1)) == "###\n = "
