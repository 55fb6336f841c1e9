"""Pancakes: the stacks that take longest, and every stack of few by brute force."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from beliefsearch import Blindfolded
from beliefsearch.solvers import distance_table
from beliefsearch_problems.pancakes import PancakesProblem

from .layers import assert_solved, fewest_steps, layers

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
    assert_solved(PancakesProblem(start=tuple(range(-1, -count - 1, -1)), burnt=True), turns)


def fewest_blindfolded(count: int, burnt: bool) -> float:
    """The length of a shortest sequence that passes the sorted stack from every start: breadth first over sets."""
    done = tuple(range(1, count + 1))

    def turned(stack: tuple[int, ...], size: int) -> tuple[int, ...]:
        upper = reversed(stack[:size])
        return stack if stack == done else (*(-pancake if burnt else pancake for pancake in upper), *stack[size:])

    def following(stacks: frozenset[tuple[int, ...]]) -> Iterator[frozenset[tuple[int, ...]]]:
        return (frozenset(turned(stack, size) for stack in stacks) for size in done)

    return fewest_steps([frozenset(distances(count, burnt))], following, lambda stacks: stacks == {done})


@pytest.mark.parametrize(
    ("count", "burnt", "stacks"), [(1, False, 1), (2, False, 2), (3, False, 6), (1, True, 2), (2, True, 8)]
)
def test_blindfolded_a_plan_leads_through_all_stacks(count: int, burnt: bool, stacks: int) -> None:
    problem = Blindfolded(PancakesProblem(start=tuple(range(1, count + 1)), burnt=burnt))
    assert fewest_blindfolded(count, burnt) == stacks - 1
    assert_solved(problem, stacks - 1)


def test_what_a_turn_does() -> None:
    assert PancakesProblem().result((2, 4, 1, 3, 5), 3) == (1, 4, 2, 3, 5)
    assert PancakesProblem(burnt=True).result((2, -4, 1, 3, 5), 2) == (4, -2, 1, 3, 5)
    assert PancakesProblem().result((5, 4, 3, 2, 1), 5) == (1, 2, 3, 4, 5)
    assert list(PancakesProblem(start=(1,)).actions((1,))) == []
    assert PancakesProblem(burnt=True).draw_state((-2, 1)) == "###\n = "
