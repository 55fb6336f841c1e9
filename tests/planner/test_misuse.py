"""What a caller from Python may get wrong: each is answered by an error of ours that says what to give instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from beliefsearch import (
    BeliefProblem,
    BeliefSearchError,
    Limits,
    ProblemError,
    check_plan,
    play_game,
    prove,
    simulate,
    solve,
    trace,
)
from beliefsearch.errors import InvalidPlanError, LimitError, NoSolutionError
from beliefsearch.graph import belief_graph, plan_graph
from beliefsearch.hooks import DistinctActionsHook
from beliefsearch.tools import filtered, sweep
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.nine_tails import NineTailsProblem

from ..toys.made import made

DEVIL: Any = DevilProblem(n=2)
WRONG: Any = 5
NOTHING: Any = None
PLAIN: Any = NineTailsProblem("HHTT", rows=2, cols=2)
GAMBLER: Any = GamblerProblem(goal=4, capital=2)
TAKING_A_PLAN: list[Callable[..., Any]] = [check_plan, play_game, simulate, plan_graph, belief_graph]


@pytest.mark.parametrize("function", TAKING_A_PLAN, ids=lambda function: function.__name__)
def test_who_takes_a_plan_takes_the_result_that_holds_it(function: Callable[..., Any]) -> None:
    result = solve(DEVIL)
    seeded = {"seed": 1} if function in (play_game, simulate) else {}
    given, from_result = (function(DEVIL, answer, **seeded) for answer in (result.plan, result))
    if function in (plan_graph, belief_graph):
        given, from_result = list(given.edges), list(from_result.edges)
    assert given == from_result
    with pytest.raises(NoSolutionError):
        function(DevilProblem(n=3), solve(DevilProblem(n=3)))


def test_what_is_no_action_is_told_from_one() -> None:
    with pytest.raises(InvalidPlanError, match=r"step 1: {0, 1} is no action: it is not hashable"):
        check_plan(DEVIL, [{0, 1}])
    with pytest.raises(InvalidPlanError, match="a plan is a list of actions, and of text each letter is one"):
        check_plan(DEVIL, "push-left")


@pytest.mark.parametrize("happened", [frozenset({0, 1}), "flip", WRONG])
def test_filtering_takes_pairs(happened: Any) -> None:
    with pytest.raises(BeliefSearchError, match="is no pair of an action and a percept; for none there is UNSAID"):
        filtered(DEVIL, [happened])


def test_a_policy_is_taken_out_of_its_result() -> None:
    result = solve(GAMBLER)
    assert simulate(GAMBLER, result, games=5, seed=1) == simulate(GAMBLER, result.policy, games=5, seed=1)
    assert [row.state for row in trace(GAMBLER, result)] == [row.state for row in trace(GAMBLER, result.policy)]
    assert len(trace(DEVIL, solve(DEVIL)).rows) == 4
    with pytest.raises(LimitError):
        simulate(GAMBLER, solve(GAMBLER, limits=Limits(seconds=1e-9)))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: prove(DEVIL, solve(DEVIL).plan), "whole result"),
        (lambda: solve(DEVIL, limits=WRONG), "Limits(seconds=10)"),
        (lambda: solve(DEVIL, tolerance=0.1), "tolerance plays no part in a sensorless problem"),
        (lambda: solve(PLAIN, horizon=3), "horizon plays no part in a plain problem"),
        (lambda: sweep(DEVIL, {"n": [1, 2]}), "DevilProblem, or its name"),
        (lambda: plan_graph(DEVIL, NOTHING), "there is no plan"),
        (lambda: play_game(DEVIL, solve(DEVIL), start="HHH"), "a state that was not possible"),
        (lambda: prove(GAMBLER), "then `verify FILE`"),
    ],
)
def test_a_mistake_is_named(call: Callable[[], Any], words: str) -> None:
    with pytest.raises((BeliefSearchError, InvalidPlanError, ProblemError)) as raised:
        call()
    assert words in str(raised.value)


def test_distinct_actions_that_leave_none_are_a_mistake_and_no_proof() -> None:
    # One step leads out.
    door = made(
        BeliefProblem,
        DistinctActionsHook,
        initial_states=[0, 1],
        actions=["out"],
        results=[2],
        is_goal=lambda state: state == 2,
        percepts=lambda state, _: [state],
        distinct_actions=[],
    )

    for engine in ("naive", "bits"):
        with pytest.raises(ProblemError, match="gave none where actions apply"):
            solve(door, engine=engine)
