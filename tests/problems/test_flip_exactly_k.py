"""Flip exactly k: the published examples, and the formula against brute force."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from beliefsearch import Blindfolded, Status, solve
from beliefsearch.solvers import distance_table
from beliefsearch_problems.flip_exactly_k import FlipExactlyKProblem

from .layers import assert_solved, layers


# Published: Early Family Math, "Coin Flipping - 4".
@pytest.mark.parametrize(("n", "k", "moves"), [(5, 3, 3), (9, 5, 3), (4, 3, 4)])
@pytest.mark.parametrize("coins", ["alike", "numbered"])
def test_published_examples(n: int, k: int, moves: int, coins: str) -> None:
    assert_solved(FlipExactlyKProblem(n, k, coins), moves)


def least_moves(n: int, k: int) -> list[float]:
    """By number of tails: the least number of moves to none, breadth-first over numbers of tails."""

    def following(tails: int) -> list[int]:
        # Of the k coins that are turned, `turned` show tails.
        return [tails + k - 2 * turned for turned in range(k + 1) if turned <= tails and k - turned <= n - tails]

    far = {tails: distance for distance, layer in enumerate(layers([0], following)) for tails in layer}
    return [far.get(tails, math.inf) for tails in range(n + 1)]


@pytest.mark.parametrize("n", range(1, 31))
def test_the_formula_agrees_with_brute_force(n: int) -> None:
    for k in range(1, n + 1):
        problem = FlipExactlyKProblem(n, k)
        assert [problem.heuristic("T" * tails + "H" * (n - tails)) for tails in range(n + 1)] == least_moves(n, k)
        assert (least_moves(n, k)[n] == math.inf) == (n % 2 == 1 and k % 2 == 0)


@pytest.mark.parametrize("n", range(1, 31, 7))
@pytest.mark.parametrize("solver", ["breadth-first", "astar"])
def test_solvers_agree_with_brute_force(n: int, solver: str) -> None:
    for k in range(1, n + 1):
        result = solve(FlipExactlyKProblem(n, k), solver=solver)
        expected = least_moves(n, k)[n]
        assert result.status is (Status.SOLVED if expected < math.inf else Status.UNSOLVABLE)
        assert result.cost == expected


@pytest.mark.parametrize("n", range(1, 8))
def test_numbered_coins_agree_with_coins_that_look_alike(n: int) -> None:
    for k in range(1, n + 1):
        moves = least_moves(n, k)
        alike = distance_table(FlipExactlyKProblem(n, k))
        numbered = distance_table(FlipExactlyKProblem(n, k, "numbered"))
        reached = [tails for tails in range(n + 1) if moves[tails] < math.inf]
        assert alike.histogram() == {
            cost: sum(moves[tails] == cost for tails in reached) for cost in {moves[tails] for tails in reached}
        }
        assert numbered.histogram() == {
            cost: sum(math.comb(n, tails) for tails in reached if moves[tails] == cost)
            for cost in {moves[tails] for tails in reached}
        }


# By the theorem that Cayley graphs of abelian groups have Hamiltonian paths: each move wins from one row at most.
@pytest.mark.few(8)
@pytest.mark.parametrize(("n", "k"), [(n, k) for n in range(1, 5) for k in range(1, n + 1)])
def test_blindfolded_the_moves_are_a_walk_through_all_rows(n: int, k: int) -> None:
    problem = FlipExactlyKProblem(n, k, "numbered")
    result = solve(Blindfolded(problem), solver="breadth-first")
    if n > 1 and (k % 2 == 0 or k == n):
        assert result.status is Status.UNSOLVABLE
        return
    assert result.cost == 2**n - 1
    flipped: set[tuple[int, ...]] = {()}
    here: set[int] = set()
    for turn in result.require_plan():
        here = here.symmetric_difference(turn)
        flipped.add(tuple(sorted(here)))
    assert len(flipped) == 2**n


def test_moves_and_rows_are_read_and_written() -> None:
    alike, numbered = FlipExactlyKProblem(4, 3), FlipExactlyKProblem(4, 3, "numbered")
    assert [alike.format_action(turn) for turn in alike.actions("HTTT")] == ["2 tails and 1 head", "3 tails"]
    assert list(numbered.actions("TTHT")) == list(combinations((1, 2, 3, 4), 3))
    assert numbered.result("TTHT", (1, 2, 4)) == "HHHH"
