"""The devil's game: published answers, and brute force for the variants."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import pytest

from beliefsearch import Status, check_plan, search, solve
from beliefsearch.engine.views import view_of
from beliefsearch.model.belief import Belief, initial_belief, predict
from beliefsearch_problems.devil import DevilProblem

from ..examples import thorough
from .layers import assert_solved

# Published: the notebook's plans, with canonical moves and with all of them.
_ALL, _CROSS, _PAIR = [0, 1, 2, 3], [0, 2], [0, 1]
_HALF = [_ALL, _CROSS, _ALL, _PAIR, _ALL, _CROSS, _ALL]
PLAN_4_CANONICAL = [*_HALF, [0, 1, 2], *_HALF]
PLAN_4_ALL_MOVES = [*_HALF, [0], *_HALF]
PLAN_2 = [[0, 1], [0], [0, 1]]

LENGTHS = {1: 1, 2: 3, 3: None, 4: 15, 5: None, 6: None, 7: None, 8: 255, 9: None, 10: None, 11: None, 12: None}
REACHABLE_BELIEFS = {3: 2, 5: 2, 6: 4, 7: 2, 9: 2, 10: 4, 11: 2, 12: 22}
CANONICAL_SEQUENCES = {1: 2, 2: 3, 3: 4, 4: 6, 5: 8, 6: 14, 7: 20, 8: 36, 9: 60, 10: 108, 11: 188, 12: 352}


def plan_of(**options: Any) -> list[list[int]]:
    return [sorted(move) for move in solve(DevilProblem(**options)).require_plan()]


@pytest.mark.parametrize("engine", ["naive", "bits", "compiled"])
def test_the_published_plans_move_for_move(engine: str) -> None:
    for reduced, plan in ((True, PLAN_4_CANONICAL), (False, PLAN_4_ALL_MOVES)):
        found = solve(DevilProblem(n=4, reduced=reduced), engine=engine).require_plan()
        assert [sorted(move) for move in found] == plan
    assert plan_of(n=2) == plan_of(n=2, reduced=False) == PLAN_2


@pytest.mark.parametrize(("n", "length"), [thorough(*known) if known[0] > 9 else known for known in LENGTHS.items()])
def test_the_published_lengths(n: int, length: int | None) -> None:
    result = assert_solved(DevilProblem(n=n), length)
    if length is None:
        exhausted = solve(DevilProblem(n=n), solver="breadth-first", engine="compiled")
        assert (exhausted.status, exhausted.stats.reached) == (Status.UNSOLVABLE, REACHABLE_BELIEFS[n])
    else:
        assert check_plan(DevilProblem(n=n), result.plan).starts == 2**n


@pytest.mark.parametrize(("n", "count"), CANONICAL_SEQUENCES.items())
def test_the_published_numbers_of_canonical_sequences(n: int, count: int) -> None:
    devil = DevilProblem(n=n)
    assert len(set(map(devil.canonical, devil.initial_states()))) == count
    assert len(devil.actions("H" * n)) == count


@pytest.mark.parametrize("reduced", [True, False])
@pytest.mark.parametrize(
    ("options", "length"),
    [
        ({"group": "reflections", "n": 4}, 15),
        ({"group": "permutations", "n": 2}, 3),
        ({"group": "permutations", "n": 4}, None),
        ({"goal": "all-same", "n": 4}, 7),
        ({"faces": 3, "n": 2}, None),
        ({"faces": 4, "n": 2}, 15),
        ({"faces": 3, "n": 1}, 2),  # by the theorem: f^N - 1
        ({"faces": 3, "n": 3}, 26),
        ({"faces": 3, "n": 3, "goal": "all-same"}, 8),  # by the theorem: f^(N-1) - 1
        ({"n": 1, "goal": "all-same"}, 0),
    ],
)
def test_the_published_variants(options: dict[str, Any], length: int | None, reduced: bool) -> None:
    assert_solved(DevilProblem(reduced=reduced, **options), length)


# Published: f^N - 1 moves for all heads and f^(N-1) - 1 for all the same, where the blind player can win.
@pytest.mark.parametrize("reduced", [True, False])
@pytest.mark.parametrize("group", ["turns", "reflections", "permutations"])
@pytest.mark.parametrize(("n", "faces"), [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (2, 3), (3, 3), (2, 4)])
def test_all_potentials_add_up_to_the_moves_of_the_theorem(n: int, faces: int, group: Any, reduced: bool) -> None:
    for goal, moves in (("all-heads", faces**n - 1), ("all-same", faces ** (n - 1) - 1)):
        devil = DevilProblem(n=n, faces=faces, group=group, goal=goal, reduced=reduced)
        starts = set(map(devil.canonical, devil.initial_states()))
        assert sum(map(devil.potential, starts)) == moves
        assert all(devil.potential(coins) == 0 for coins in starts if devil.is_goal(coins))
        for engine in ("naive", "bits", "compiled"):
            view: Any = view_of(devil, engine=engine)
            assert view.heuristic(view.initial_state()) == moves


@pytest.mark.few(12)
@pytest.mark.parametrize("goal", ["all-heads", "all-same"])
@pytest.mark.parametrize("group", ["turns", "reflections", "permutations"])
@pytest.mark.parametrize(("n", "faces"), [(2, 2), (3, 2), (4, 2), (2, 3), thorough(2, 4)])
def test_no_move_lowers_the_sum_of_potentials_by_more_than_one(n: int, faces: int, group: Any, goal: Any) -> None:
    devil = DevilProblem(n=n, faces=faces, group=group, goal=goal)
    states = sorted(set(map(devil.canonical, devil.initial_states())))
    for chosen in product((False, True), repeat=min(len(states), 9)):
        belief = [state for state, inside in zip(states, chosen, strict=False) if inside]
        before = sum(map(devil.potential, belief))
        for move in devil.actions(states[0]):
            after = {devil.canonical(result) for state in belief for result in devil.results(state, move)}
            assert before - sum(map(devil.potential, after)) <= 1


@pytest.mark.parametrize("options", [{"n": 0}, {"faces": 1}, {"faces": 37}, {"told": "everything"}, {"cost": "time"}])
def test_options_out_of_range_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        DevilProblem(**options)


def test_with_canonical_moves_any_move_is_read_as_the_one_of_its_class() -> None:
    devil = DevilProblem(n=4)
    for text in ("1 3", "02"):
        assert devil.parse_action(text) == {0, 2}
    for text in ("0 3", "12", "{2, 3}"):
        assert devil.parse_action(text) == {0, 1}
    legal = devil.actions("HHHH")
    assert all(devil.parse_action(text) in legal for text in ("3", "123", "0123", "{}"))


# The functions of the notebook, by their names there.


def test_rotations_flip_and_canonical_are_those_of_the_notebook() -> None:
    devil = DevilProblem(n=4)
    assert devil.rotations("HHHT") == ["HHHT", "HHTH", "HTHH", "THHH"]
    assert devil.rotations("HTHT") == ["HTHT", "THTH"]
    assert DevilProblem(n=4, group="permutations").rotations("HHHT") == devil.rotations("HHHT")
    assert {devil.canonical(coins) for coins in devil.rotations("TTHT")} == {"HTTT"}
    assert devil.canonical("HTTT") == "HTTT"
    assert devil.flip("HHHT", {0, 2}) == "THTT"
    assert devil.flip("HHHT", frozenset({3})) == "HHHH"
    assert devil.flip("HHHH", {0, 2}) == "HHHH", "a won position is never left"
    assert DevilProblem(n=3, faces=3).flip("012", (1, 1, 1)) == "120"


def test_one_move_from_all_sixteen_and_the_search_of_the_notebook() -> None:
    devil = DevilProblem(n=4, reduced=False)
    everything = initial_belief(devil)
    assert len(everything) == 16
    assert predict(devil, everything, frozenset({0, 1, 2, 3})) == everything - {"TTTT"}
    moves = devil.actions("HHHH")

    @cache
    def after(coins: str, move: Any) -> Belief[Any]:
        return frozenset(devil.flip(turned, move) for turned in devil.rotations(coins))

    def update(belief: Belief[Any], move: Any) -> Belief[Any]:
        return frozenset().union(*(after(coins, move) for coins in belief))

    found = search(everything, frozenset({"HHHH"}), moves, update)
    assert [sorted(move) for move in found.require_plan()] == PLAN_4_ALL_MOVES
    named = search(start=everything, goal=frozenset({"HHHH"}), actions=moves, result=update)
    assert named.plan == found.plan
