"""The coin triangle: a third of the coins, by counting overlaps and by brute force."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from beliefsearch import solve
from beliefsearch_problems.coin_triangle import CoinTriangleProblem

from .layers import assert_solved, fewest_steps

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
