"""Sliding tiles: published answers, and a brute force that knows the board only as rows of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice, permutations
from math import inf
from typing import TypeAlias

import pytest

from beliefsearch import Blindfolded, Status, solve
from beliefsearch.solvers import distance_table
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem

from ..examples import thorough
from .layers import assert_solved, fewest_steps, layers

Rows: TypeAlias = tuple[tuple[int, ...], ...]

ESTIMATES = ["linear-conflict", "manhattan", "misplaced"]
HARDEST = ["8 6 7 2 5 4 3 0 1", "6 4 7 8 5 0 3 2 1"]

# Published: the numbers of boards 0, 1, 2, ... slides away from the goal with the gap in a corner (OEIS A089473).
EIGHT_PUZZLE = [
    *(1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878),
    *(16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2),
]


def neighbours(board: Rows) -> list[Rows]:
    """The boards one slide away: the gap changes places with each cell beside it."""
    row, col = next((r, line.index(0)) for r, line in enumerate(board) if 0 in line)
    found = []
    for other_row, other_col in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
        if 0 <= other_row < len(board) and 0 <= other_col < len(board[0]):
            cells = [list(line) for line in board]
            cells[row][col], cells[other_row][other_col] = cells[other_row][other_col], 0
            found.append(tuple(map(tuple, cells)))
    return found


@cache
def brute_force(rows: int, cols: int) -> dict[bytes, int]:
    """How many slides each board is from the goal, by walking away from it layer by layer."""
    order = [*range(1, rows * cols), 0]
    goal = tuple(tuple(order[row * cols : (row + 1) * cols]) for row in range(rows))
    found = enumerate(layers([goal], neighbours))
    return {bytes(tile for line in board for tile in line): slides for slides, layer in found for board in layer}


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 2), (1, 5), (4, 1), (2, 2), (2, 3), (3, 2), thorough(2, 4)])
def test_the_distance_table_agrees_with_brute_force(rows: int, cols: int) -> None:
    assert distance_table(SlidingTilesProblem(rows=rows, cols=cols)).distances == brute_force(rows, cols)


@pytest.mark.parametrize(
    ("start", "estimate"),
    [
        (HARDEST[0], "linear-conflict"),
        (HARDEST[1], "manhattan"),
        *(thorough(HARDEST[number], ESTIMATES[1 - number]) for number in (0, 1)),
        *(thorough(start, "misplaced") for start in HARDEST),
    ],
)
def test_the_hardest_boards_take_31_slides(start: str, estimate: str) -> None:
    assert assert_solved(SlidingTilesProblem(start, estimate=estimate), 31).solver == "astar"


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3), (3, 2), thorough(3, 3), thorough(2, 4)])
@pytest.mark.parametrize("estimate", ESTIMATES)
def test_estimates_are_admissible_and_consistent_on_every_board(rows: int, cols: int, estimate: str) -> None:
    problem = SlidingTilesProblem(rows=rows, cols=cols, estimate=estimate)
    estimates = {board: problem.heuristic(board) for board in brute_force(rows, cols)}
    assert all(estimates[board] <= distance for board, distance in brute_force(rows, cols).items())
    for board, estimated in estimates.items():
        for slide in problem.actions(board):
            assert estimated <= 1 + estimates[problem.result(board, slide)]


def test_each_estimate_says_at_least_as_much_as_the_next() -> None:
    linear, manhattan, misplaced = (SlidingTilesProblem(estimate=estimate).heuristic for estimate in ESTIMATES)
    for board in map(bytes, islice(permutations(range(9)), 0, None, 101)):
        if not SlidingTilesProblem().can_be_put_in_order(board):
            continue
        assert linear(board) >= manhattan(board) >= misplaced(board)
        # By definition.
        places = [(tile, place) for place, tile in enumerate(board) if tile]
        assert misplaced(board) == sum(tile != place + 1 for tile, place in places)
        assert manhattan(board) == sum(
            abs((tile - 1) // 3 - place // 3) + abs((tile - 1) % 3 - place % 3) for tile, place in places
        )


# By hand: 3 2 1 have all to pass each other, so two of them leave the row: 4 slides more than the 4 they are away.
@pytest.mark.parametrize(
    ("board", "manhattan", "linear"),
    [
        ("3 2 1 4 5 6 7 8 0", 4, 8),
        ("2 1 3 4 5 6 7 8 0", 2, 4),
        ("1 2 3 7 5 6 4 8 0", 2, 4),
        ("1 2 3 4 5 6 7 0 8", 1, 1),
    ],
)
def test_linear_conflicts_are_counted_in_rows_and_columns(board: str, manhattan: int, linear: int) -> None:
    problem = SlidingTilesProblem(estimate="manhattan")
    assert problem.heuristic(problem.parse_state(board)) == manhattan
    assert SlidingTilesProblem().heuristic(problem.parse_state(board)) == linear


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), thorough(2, 4)])
def test_exactly_the_boards_that_can_be_reached_can_be_put_in_order(rows: int, cols: int) -> None:
    problem = SlidingTilesProblem(rows=rows, cols=cols)
    reachable = brute_force(rows, cols)
    for board in map(bytes, permutations(range(rows * cols))):
        assert problem.can_be_put_in_order(board) == (board in reachable)
    assert sorted(problem.possible_starts()) == sorted(reachable)


def test_a_start_of_the_wrong_parity_is_proved_unsolvable_at_once_and_by_walking() -> None:
    for start in ("1 2 3 4 5 6 8 7 0", "6 8 7 2 5 4 3 0 1"):
        quick = solve(SlidingTilesProblem(start))
        assert (quick.status, quick.stats.expanded) == (Status.UNSOLVABLE, 0)
    walked = solve(SlidingTilesProblem("2 1 3 4 5 0", rows=2), solver="breadth-first")
    assert (walked.status, walked.stats.expanded) == (Status.UNSOLVABLE, 360)
    assert SlidingTilesProblem("2 1 3 0", 2, 2).heuristic(bytes([2, 1, 3, 0])) == inf


def test_large_boards_are_solved_too() -> None:
    # One slide after another along the edge: 3 tiles up, then 3 to the left.
    start = "1 2 3 0 5 6 7 4 9 10 11 8 13 14 15 12"
    assert solve(SlidingTilesProblem(start, 4, 4)).cost == 3
    wide = SlidingTilesProblem(" ".join(map(str, [*range(1, 254), 0, 254, 255])), 16, 16)
    assert solve(wide).cost == 2


def test_blindfolded_the_shortest_plan_is_as_long_as_sets_of_boards_say() -> None:
    # By brute force over sets of boards: an impossible slide does nothing, and the goal is never left.
    problem = SlidingTilesProblem(rows=2, cols=2)
    goal = bytes([1, 2, 3, 0])
    moves = {"up": (2, 3, -1, -1), "down": (-1, -1, 0, 1), "left": (1, -1, 3, -1), "right": (-1, 0, -1, 2)}

    def after(board: bytes, sources: tuple[int, ...]) -> bytes:
        gap = board.index(0)
        if board == goal or sources[gap] < 0:
            return board
        cells = list(board)
        cells[gap], cells[sources[gap]] = cells[sources[gap]], 0
        return bytes(cells)

    def following(boards: frozenset[bytes]) -> Iterator[frozenset[bytes]]:
        return (frozenset(after(board, sources) for board in boards) for sources in moves.values())

    expected = fewest_steps([frozenset(brute_force(2, 2))], following, lambda boards: boards == {goal})
    assert solve(Blindfolded(problem)).cost == expected


def test_boards_and_slides_are_shown_and_read() -> None:
    problem = SlidingTilesProblem(rows=3, cols=4)
    board = problem.parse_state("1 2 3 4 5 6 7 8 9 0 10 11")
    assert problem.draw_state(board) == " 1  2  3  4\n 5  6  7  8\n 9  _ 10 11"
    assert problem.format_state(board) == "1 2 3 4 5 6 7 8 9 0 10 11"
    assert problem.describe_step(board, "left", problem.result(board, "left")) == "10 slides left"
    assert problem.parse_action("L") == "left"
