"""Games of conditional plans against chance."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from beliefsearch import Status, simulate, solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.plans.plan import ConditionalPlan, PlanNode
from beliefsearch.simulation.plan_games import play_plan

from ..contingent_problems import SightedTable, moves, sighted_problems

# Pushing opens the door in one case of three.
DOOR = SightedTable(
    (0,), ({"a": (0, 1, 2)}, {"a": (0, 1, 2)}, {}), (frozenset({2}),), {("a", s): ("xxy"[s],) for s in range(3)}
)
PUSH = ConditionalPlan((PlanNode("a", (("x", 0), ("y", 1))), PlanNode[str, str](None)))


def test_chance_is_repeatable_and_fair() -> None:
    assert simulate(DOOR, PUSH, games=50, seed=7) == simulate(DOOR, PUSH, games=50, seed=7)
    found = simulate(DOOR, PUSH, games=6_000, seed=1)
    assert (found.games, found.lost_from) == (6_000, ())
    # One push is enough in a third of the games: 2,000 give or take 5 standard deviations of 36.5.
    assert abs(found.won_after[1] - 2_000) < 183
    mean = sum(pushes * games for pushes, games in found.won_after.items()) / 6_000
    assert mean == pytest.approx(3, abs=5 * (6 / 6_000) ** 0.5)  # the variance of the geometric law is 6


def test_a_game_is_given_up_after_so_many_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("beliefsearch.simulation.plan_games._MOST_TURNS", 1)
        game = play_plan(DOOR, PUSH, 0, Random(4))
    assert len(game.turns) == 1
    assert game.lost == (game.turns[0].percept != "y")
    never = ConditionalPlan((PlanNode("a", (("x", 0), ("y", 0))), PlanNode[str, str](None)))
    with pytest.raises((InvalidPlanError, KeyError)):
        play_plan(DOOR, never, 0, Random(1))


def test_a_percept_without_a_branch_ends_the_game_with_an_error() -> None:
    blind = ConditionalPlan((PlanNode("a", (("y", 1),)), PlanNode[str, str](None)))
    with pytest.raises(InvalidPlanError, match="after a the percept x came, and the plan has no branch for it"):
        simulate(DOOR, blind, games=100, seed=0)


def test_ending_without_knowing_is_losing() -> None:
    hasty = ConditionalPlan((PlanNode("a", (("x", 1), ("y", 1))), PlanNode[str, str](None)))
    found = simulate(DOOR, hasty, games=300, seed=2)
    assert set(found.lost_from) == {0}
    assert 0 < found.won_after[1] < 300


@given(sighted_problems())
def test_every_turn_is_one_that_may_come(problem: SightedTable) -> None:
    result = solve(problem)
    if result.status is not Status.SOLVED:
        return
    plan = result.require_conditional_plan()
    for start in problem.starts:
        game = play_plan(problem, plan, start, Random(start))
        assert (game.start, game.lost) == (start, False)
        state = start
        for turn in game.turns:
            assert (turn.percept, turn.state) in set(moves(problem, state, turn.action))
            state = turn.state
