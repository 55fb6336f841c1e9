"""Pieces on boards and in stacks (knights, the coin triangle, pancakes): published answers, and brute force."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

import pytest

from beliefsearch import Blindfolded, solve
from beliefsearch.solvers import distance_table
from beliefsearch_problems.coin_triangle import CoinTriangleProblem
from beliefsearch_problems.knights_swap import KnightsSwapProblem
from beliefsearch_problems.pancakes import PancakesProblem

from ..examples import thorough
from .layers import assert_solved, fewest_steps, layers

Squares = frozenset[tuple[int, int]]
Board = tuple[Squares, Squares]


def leaps(rows: int, cols: int, board: Board) -> Iterator[Board]:
    """All moves of a knight, to a square that is free."""
    one, other = board
    for (y, x), (v, u) in product(one | other, set(product(range(rows), range(cols))) - one - other):
        if (v - y) ** 2 + (u - x) ** 2 == 5:
            leap = {(y, x), (v, u)}
            yield (one ^ leap, other) if (y, x) in one else (one, other ^ leap)


def fewest_moves(rows: int, cols: int, whole_rows: bool) -> float:
    """Breadth first over pairs of sets of squares, white and black; shares nothing with the puzzle."""
    columns = range(cols) if whole_rows else (0, cols - 1)
    top, bottom = (frozenset((row, col) for col in columns) for row in (0, rows - 1))
    return fewest_steps([(top, bottom)], partial(leaps, rows, cols), lambda board: board == (bottom, top))


@pytest.mark.parametrize(
    ("rows", "cols", "place"),
    [
        (3, 3, "corners"),
        (2, 2, "corners"),
        (3, 2, "corners"),
        (2, 5, "corners"),
        (3, 4, "corners"),
        (3, 3, "rows"),
        thorough(4, 3, "rows"),
    ],
)
def test_small_boards(rows: int, cols: int, place: str) -> None:
    problem = KnightsSwapProblem(rows=rows, cols=cols, place=place)
    assert_solved(problem, fewest_moves(rows, cols, place == "rows"))


def test_guarini() -> None:
    problem = KnightsSwapProblem()
    assert fewest_moves(3, 3, False) == 16
    table = distance_table(problem)
    assert len(table.distances) == 280  # four knights on the ring in an order that never changes
    assert all(problem.heuristic(state) <= distance for state, distance in table.distances.items())


def test_how_a_knight_moves() -> None:
    problem = KnightsSwapProblem()
    assert [problem.format_action(move) for move in problem.actions(problem.initial_state())] == [
        *("a3-c2", "a3-b1", "c3-b1", "c3-a2", "a1-b3", "a1-c2", "c1-a2", "c1-b3")
    ]
    assert problem.format_state(problem.result("b.b...w.w", (6, 1))) == "bwb/.../..w"
    assert ("b.b...w.w", (6, 1)) in problem.predecessors("bwb.....w")


Spots = frozenset[tuple[int, int]]


def pointing(rows: int, upwards: bool, shift: tuple[int, int] = (0, 0)) -> Spots:
    """A triangle in slanted coordinates: a spot touches (1, 0), (0, 1), (1, -1) and their opposites."""
    sums = range(rows) if upwards else range(rows - 1, 2 * rows - 1)
    spots = ((a, b) for a, b in product(range(rows), repeat=2) if a + b in sums)
    return frozenset((a + shift[0], b + shift[1]) for a, b in spots)


def fewest_lacking(rows: int) -> int:
    """How many coins the best of all triangles that point the other way lacks."""
    start = pointing(rows, upwards=True)
    shifts = product(range(-2 * rows, 2 * rows), range(-2 * rows, 2 * rows))
    return min(len(pointing(rows, False, shift) - start) for shift in shifts)


def fewest_moves_touching(rows: int) -> float:
    """Breadth first on the plane, with every coin put down where it touches two others."""
    steps = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, -1), (-1, 1))

    def following(coins: Spots) -> Iterator[Spots]:
        for coin in coins:
            rest = coins - {coin}
            near = [(a + x, b + y) for a, b in rest for x, y in steps]
            yield from (rest | {spot} for spot in set(near) - coins if near.count(spot) >= 2)

    return fewest_steps([pointing(rows, upwards=True)], following, lambda coins: points_down(coins, rows))


def points_down(coins: Spots, rows: int) -> bool:
    corner = (min(a for a, _ in coins), min(b for _, b in coins))
    return coins == pointing(rows, False, corner)


@pytest.mark.parametrize(("rows", "moved"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 5), (6, 7)])
def test_a_third_of_the_coins(rows: int, moved: int) -> None:
    assert fewest_lacking(rows) == moved == rows * (rows + 1) // 6
    for rule, board in product(("anywhere", "touching"), ("star", "wide")):
        assert_solved(CoinTriangleProblem(rows=rows, rule=rule, board=board), moved)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_every_coin_touches_two_others_where_it_is_put(rows: int) -> None:
    for board in ("star", "wide"):
        result = solve(CoinTriangleProblem(rows=rows, rule="touching", board=board), solver="breadth-first")
        assert result.cost == fewest_moves_touching(rows)


def test_which_moves_there_are() -> None:
    problem = CoinTriangleProblem(rows=2)
    start = problem.initial_state()
    assert problem.format_state(start) == ".o./oo/."
    assert len(problem.actions(start)) == 3 * 3
    touching = CoinTriangleProblem(rows=2, rule="touching")
    assert [touching.format_action(move) for move in touching.actions(start)] == ["2 to 6", "4 to 3", "5 to 1"]
    assert problem.is_goal(problem.result(start, (1, 5)))
    assert problem.draw_state(start) == ". o .\n o o\n  ."


def test_boards() -> None:
    assert CoinTriangleProblem().format_state(CoinTriangleProblem().initial_state()) == "o/.oo./ooo/oooo/."
    assert CoinTriangleProblem(rows=2, board="wide").format_state("...o..oo....") == "../.o./.oo./..."


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
