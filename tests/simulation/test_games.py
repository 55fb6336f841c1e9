"""Games against chance."""

from __future__ import annotations

from random import Random

import pytest

from beliefsearch import simulate, solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.simulation.plan_games import choose_result, play_plan, possible_starts
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..random_problems import TableBeliefProblem


@pytest.mark.parametrize("reduced", [True, False])
def test_the_devil_loses_every_game_and_each_length_turns_up_about_equally_often(reduced: bool) -> None:
    devil = DevilProblem(n=4, reduced=reduced)
    outcome = simulate(devil, solve(devil).require_plan(), games=100, seed=1, every_start=True)
    assert (outcome.games, outcome.lost_from) == (1600, ())
    assert set(outcome.won_after) == set(range(16))
    # By the published law each of the 16 lengths is equally likely: 100 expected, standard deviation 10.
    assert all(abs(count - 100) < 6 * 10 for count in outcome.won_after.values())


def test_a_seed_repeats_the_games() -> None:
    devil = DevilProblem(n=4)
    plan = solve(devil).require_plan()
    assert simulate(devil, plan, games=50, seed=7) == simulate(devil, plan, games=50, seed=7)
    assert simulate(devil, plan, games=50, seed=7) != simulate(devil, plan, games=50, seed=8)


def test_a_game_is_won_after_the_action_from_which_it_stays_won() -> None:
    # 0 -> 1 (a goal) -> 0 -> 1: won for good only at the end.
    problem = TableBeliefProblem((0,), ({"a": (1,)}, {"a": (0,)}), (frozenset({1}),))
    assert play_plan(problem, "aaa", 0, Random(0)).won_after == 3
    assert play_plan(problem, "aa", 0, Random(0)).won_after is None


def test_lost_games_are_counted_with_their_starts() -> None:
    outcome = simulate(VacuumProblem(2), ["Suck"], games=1, every_start=True, seed=0)
    # One suck leaves the floor clean unless the other square is dirty: four of eight starts.
    assert len(outcome.lost_from) == 4
    assert outcome.games == 8


def test_a_result_listed_twice_is_twice_as_likely() -> None:
    problem = TableBeliefProblem((0,), ({"a": (0, 1, 1)}, {}), (frozenset({1}),))
    chance = Random(0)
    drawn = [choose_result(problem, 0, "a", chance) for _ in range(3000)]
    assert abs(drawn.count(1) - 2000) < 6 * 26  # standard deviation 26


def test_an_action_that_does_not_apply_is_refused() -> None:
    with pytest.raises(InvalidPlanError, match="does not apply"):
        play_plan(NineTailsProblem("TTTTTTTTH"), [(0, 0)], "TTTTTTTTH", Random(0))


def test_a_plain_problem_has_one_start() -> None:
    assert possible_starts(NineTailsProblem("HHHTTTHHH")) == ["HHHTTTHHH"]


def test_where_the_goal_is_to_know_the_state_a_plan_wins_by_its_belief() -> None:
    # In a corridor of three squares, walking right twice tells where one is; walking once does not.
    table: tuple[dict[str, tuple[int, ...]], ...] = ({"right": (1,)}, {"right": (2,)}, {"right": (2,)})
    problem = TableBeliefProblem((0, 1, 2), table, tuple(frozenset({square}) for square in range(3)))
    outcome = simulate(problem, ["right", "right"], games=30, seed=0)
    assert (outcome.won_after, outcome.lost_from) == ({2: 30}, ())
    assert len(simulate(problem, ["right"], games=30, seed=0).lost_from) == 30
