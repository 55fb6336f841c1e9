"""The knights' swap: the number of moves by brute force over the squares of the knights."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

import pytest

from beliefsearch.solvers import distance_table
from beliefsearch_problems.knights_swap import KnightsSwapProblem

from ..examples import thorough
from .layers import assert_solved, fewest_steps

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
