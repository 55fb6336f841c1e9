"""Nine Tails, Lights Out and the vacuum world: published answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from math import inf

import pytest

from beliefsearch import ProblemError, Status, solve
from beliefsearch.solvers import distance_table
from beliefsearch_problems.lights_out import LightsOutProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..random_problems import least_costs


def path_of(problem: NineTailsProblem) -> list[str]:
    states = [problem.initial_state()]
    for action in solve(problem).require_plan():
        states.append(problem.result(states[-1], action))
    return states


def test_the_textbook_path_of_three_boards() -> None:
    assert path_of(NineTailsProblem("HHHTTTHHH")) == ["HHHTTTHHH", "HHHTHTTTT", "TTTTTTTTT"]


def test_node_numbers_and_flips_of_the_textbook() -> None:
    problem = NineTailsProblem(legal="any")
    assert problem.node_number("HHHHHHHHT") == 1
    assert problem.node_number("TTTTTTTTT") == 511
    assert problem.node_number(problem.result(problem.state_of_node(56), (0, 0))) == 408
    assert problem.node_number(problem.result(problem.state_of_node(56), (2, 0))) == 30
    assert all(problem.node_number(problem.state_of_node(node)) == node for node in range(512))


@cache
def brute_force_distances(legal: str, weights: str) -> dict[str, float]:
    """By every board of 3 x 3."""

    def ways(board: str) -> Iterator[tuple[int, list[str]]]:
        for r, c in product(range(3), repeat=2):
            cross = [3 * y + x for y, x in product(range(3), repeat=2) if abs(y - r) + abs(x - c) <= 1]
            if legal == "any" or board[3 * r + c] == "H":
                flipped = "".join("HT"[(f == "H")] if i in cross else f for i, f in enumerate(board))
                yield 1 if weights == "none" else len(cross), [flipped]

    return least_costs(map("".join, product("HT", repeat=9)), ways, lambda board: board == "T" * 9)


@pytest.mark.parametrize("legal", ["heads", "any"])
@pytest.mark.parametrize("weights", ["none", "flips"])
def test_the_distance_table_agrees_with_brute_force(legal: str, weights: str) -> None:
    exact = brute_force_distances(legal, weights)
    problem = NineTailsProblem(legal=legal, weights=weights)
    assert distance_table(problem).distances == {board: cost for board, cost in exact.items() if cost < inf}
    for board in ("HHHTTTHHH", "HHHHHHHHH", "THTHTHTHT"):
        start = NineTailsProblem(board, legal=legal, weights=weights)
        assert solve(start).cost == exact[board]


def test_a_start_may_be_written_in_rows_and_in_small_letters() -> None:
    assert NineTailsProblem("hhh ttt hhh").initial_state() == "HHHTTTHHH"
    assert NineTailsProblem(rows=2).initial_state() == "HHHHHH"
    assert NineTailsProblem("56").initial_state() == "HHHTTTHHH", "its node, where T is 1"
    assert {NineTailsProblem(str(n), rows=1, cols=2).initial_state() for n in range(4)} == {"HH", "HT", "TH", "TT"}
    with pytest.raises(ValueError, match="512"):
        NineTailsProblem("512")
    assert SlidingTilesProblem().initial_state() == SlidingTilesProblem(start="8 6 7 2 5 4 3 0 1").initial_state()
    with pytest.raises(ProblemError, match="--start"):
        SlidingTilesProblem(rows=2).initial_state()


def test_nullity_and_hardest_patterns_of_lights_out() -> None:
    # Published: 3 x 3 has nullity 0 and takes at most 9 presses; 2 x 3 has nullity 2, at most 3, in two patterns.
    three = distance_table(LightsOutProblem(rows=3, cols=3)).histogram()
    assert (max(three), sum(three.values())) == (9, 512)
    two = distance_table(LightsOutProblem(rows=2, cols=3)).histogram()
    assert (max(two), two[3], sum(two.values())) == (3, 2, 64 // 4)


def test_the_heuristic_of_lights_out_is_the_exact_distance() -> None:
    for rows, cols in ((2, 3), (3, 3), (1, 5), (4, 2)):
        problem = LightsOutProblem(rows=rows, cols=cols)
        distances = distance_table(problem).distances
        for state in problem.possible_starts():
            assert problem.heuristic(state) == distances.get(state, inf)


def test_all_lamps_are_a_hardest_five_by_five_pattern() -> None:
    # Published: 15 presses, for 7,350 of 2^23 patterns; `test_counts.py` counts them.
    assert LightsOutProblem().heuristic("1" * 25) == 15


def test_a_pattern_that_cannot_be_put_out_is_proved_so_with_and_without_algebra() -> None:
    problem = LightsOutProblem(rows=2, cols=3, start="100000")
    for solver in ("astar", "breadth-first", "bidirectional"):
        assert solve(problem, solver=solver).status is Status.UNSOLVABLE


def test_a_large_board_with_many_idle_sets_is_still_solved() -> None:
    # 4 x 4 has nullity 4; a single press of a corner must be found again as one press.
    corner = LightsOutProblem(4, 4).result("0" * 16, (0, 0))
    assert solve(LightsOutProblem(4, 4, corner)).cost == 1
    wide = LightsOutProblem(19, 19)  # nullity 16: the weaker estimate
    state = wide.result(wide.result("0" * 361, (0, 0)), (9, 9))
    assert solve(LightsOutProblem(19, 19, state)).cost == 2


# Published: 3n - 2 actions for n squares.
@pytest.mark.parametrize("squares", [1, 2, 3, 4, 5])
def test_the_vacuum_world_takes_as_long_as_published(squares: int) -> None:
    result = solve(VacuumProblem(squares))
    assert (result.cost, result.optimal) == (3 * squares - 2, True)


def test_the_plan_of_the_book_works_in_the_vacuum_world() -> None:
    from beliefsearch import check_plan

    assert check_plan(VacuumProblem(2), ["Right", "Suck", "Left", "Suck"]).holds
    for shorter in (plan for k in range(4) for plan in product(["Left", "Right", "Suck"], repeat=k)):
        assert not check_plan(VacuumProblem(2), shorter).holds


def test_every_set_of_at_most_two_presses_is_undone_by_as_many() -> None:
    problem = LightsOutProblem(5, 5)
    cells = list(problem.actions("0" * 25))
    for pair in list(combinations(cells, 2))[::17]:
        state = problem.result(problem.result("0" * 25, pair[0]), pair[1])
        assert solve(LightsOutProblem(start=state)).cost == 2
