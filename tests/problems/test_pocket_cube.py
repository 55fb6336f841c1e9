"""The pocket cube: beside the stickers walks a cube of pieces and twists, as textbooks of the cube number them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
import pytest

from beliefsearch import Blindfolded, check_plan, solve
from beliefsearch.tools import explore
from beliefsearch_problems.pocket_cube import PocketCubeProblem

from .layers import layers

Pieces: TypeAlias = tuple[tuple[int, int], ...]
"""By place, in the order URF, UFL, ULB, UBR, DFR, DLF, DBL, DRB: the piece there, and its twist."""

HOME: Pieces = tuple((piece, 0) for piece in range(8))
# By face: which piece comes to each place by a quarter turn, and how it is twisted (H. Kociemba, "Cube Explorer").
QUARTERS: dict[str, Pieces] = {
    "U": ((3, 0), (0, 0), (1, 0), (2, 0), (4, 0), (5, 0), (6, 0), (7, 0)),
    "R": ((4, 2), (1, 0), (2, 0), (0, 1), (7, 1), (5, 0), (6, 0), (3, 2)),
    "F": ((1, 1), (5, 2), (2, 0), (3, 0), (0, 2), (4, 1), (6, 0), (7, 0)),
}
TIMES = {"": 1, "2": 2, "'": 3}

# OEIS A079761 (D. R. Hofstadter, "Metamagical Themas", 1985) and A079762 (M. Longridge; J. Scherphuis).
PUBLISHED = {
    "any": (1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644),
    "quarter": (1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276),
}


def turned(cube: Pieces, turn: str) -> Pieces:
    for _ in range(TIMES[turn[1:]]):
        cube = tuple((cube[place][0], (cube[place][1] + twist) % 3) for place, twist in QUARTERS[turn[0]])
    return cube


@pytest.mark.parametrize(("turns", "most"), [("any", 4), ("quarter", 5), ("half", 9)])
def test_stickers_and_pieces_go_together(turns: str, most: int) -> None:
    problem = PocketCubeProblem(turns=turns)
    (goal,) = problem.goal_states()

    def following(pair: tuple[str, Pieces]) -> Iterator[tuple[str, Pieces]]:
        return ((problem.result(pair[0], turn), turned(pair[1], turn)) for turn in problem.actions(pair[0]))

    found = list(islice(layers([(goal, HOME)], following), most + 1))
    met = [pair for layer in found for pair in layer]
    assert len({state for state, _ in met}) == len({cube for _, cube in met}) == len(met)
    assert tuple(map(len, found)) == PUBLISHED.get(turns, (1, 3, 6, 9, 5))[: most + 1]


def test_what_a_turn_does() -> None:
    """By hand: which colours the stickers round the face that is turned have then."""
    problem = PocketCubeProblem()
    (solved,) = problem.goal_states()

    def net(turn: str) -> Any:
        return problem.draw_state(problem.result(solved, turn))

    assert net("U") == "   UU\n   UU\nFF RR BB LL\nLL FF RR BB\n   DD\n   DD"
    assert net("R") == "   UF\n   UF\nLL FD RR UB\nLL FD RR UB\n   DB\n   DB"
    assert net("F") == "   UU\n   LL\nLD FF UR BB\nLD FF UR BB\n   RR\n   DD"
    assert net("U2") == "   UU\n   UU\nRR BB LL FF\nLL FF RR BB\n   DD\n   DD"
    for face in "URF":
        assert PocketCubeProblem(scramble=(face, face + "'", face + "2", face, face)).initial_state() == solved


def test_half_turns_alone_are_counted_by_states_and_by_codes() -> None:
    for backward in (False, True):
        for engine in ("naive", "compiled"):
            found = explore(PocketCubeProblem(scramble=("R2",), turns="half"), backward=backward, engine=engine)
            assert found.layers == (1, 3, 6, 9, 5)


@pytest.mark.thorough
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("turns", PUBLISHED)
def test_all_positions_are_as_many_as_published(turns: str, backward: bool) -> None:
    found = explore(PocketCubeProblem(turns=turns), backward=backward)
    assert (found.layers, found.total) == (PUBLISHED[turns], 3_674_160)


def test_every_number_is_a_position() -> None:
    problem = PocketCubeProblem()
    codes = np.arange(0, problem.code_bound(), 997, dtype=np.uint64)[:, None]
    states = problem.states_of(codes)
    assert len(set(states)) == len(states)
    np.testing.assert_array_equal(problem.codes(states), codes)
    assert [problem.parse_state(state) for state in states[::40]] == states[::40]
    for turn in problem.all_actions():
        results, applies = problem.results_of(codes, turn)
        assert applies is None
        assert problem.states_of(results) == [problem.result(state, turn) for state in states]
        np.testing.assert_array_equal(problem.origins_of(results, turn), codes)


def test_blindfolded_a_plan_leads_through_all_positions() -> None:
    problem = PocketCubeProblem(turns="half")
    starts = list(problem.possible_starts())
    assert len(set(starts)) == len(starts) == 24
    blind = Blindfolded(problem)
    plan = solve(blind, solver="breadth-first", engine="compiled").require_plan()
    assert len(plan) == 23
    assert check_plan(blind, plan).holds


def test_pictures_and_texts() -> None:
    # With all turns there are too many positions to look at each.
    anything = PocketCubeProblem()
    for turn in anything.actions(anything.initial_state()):
        assert anything.parse_action(turn.lower()) == turn
        assert anything.svg_action(turn).shapes()
    assert anything.describe_action("F'") == "Turn the front face counterclockwise"
    assert "?" in anything.svg_belief(["U" * 24, "R" * 24]).svg()
