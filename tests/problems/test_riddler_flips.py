"""Riddler Flips: the published value, small games by trying every way to play, and the array hook."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from beliefsearch import ProblemError
from beliefsearch.chance.solving import solve_stochastic
from beliefsearch.options import make_problem
from beliefsearch_problems.riddler_flips import RiddlerFlipsProblem

HALF = Fraction(1, 2)


@cache
def best(left: int, score: int, coins: tuple[tuple[Fraction, int], ...]) -> Fraction:
    """The best chance to win with so many flips left: the definition."""
    if left == 0:
        return Fraction(score > 0)
    return max(p * best(left - 1, score + v, coins) + (1 - p) * best(left - 1, score - v, coins) for p, v in coins)


def test_a_hundred_flips_by_the_published_value_to_all_digits() -> None:
    for use_arrays in (True, False):
        result = solve_stochastic(RiddlerFlipsProblem(), use_arrays=use_arrays)
        assert result.value == 0.6403174472759772
        assert result.require_policy().value((99, 0)) == 0.5
    exact = solve_stochastic(RiddlerFlipsProblem(exact=True)).value
    assert isinstance(exact, Fraction)
    assert float(exact) == 0.6403174472759772


def test_one_fair_coin_alone() -> None:
    assert solve_stochastic(RiddlerFlipsProblem(value_b=1)).value == pytest.approx(0.46020538130641064, abs=1e-15)


@pytest.mark.parametrize(("flips", "value"), [(1, HALF), (4, Fraction(9, 16)), (6, Fraction(37, 64))])
@pytest.mark.parametrize("use_arrays", [True, False])
def test_small_games_by_their_published_fractions(flips: int, value: Fraction, use_arrays: bool) -> None:
    assert solve_stochastic(RiddlerFlipsProblem(flips=flips, exact=True), use_arrays=use_arrays).value == value


@pytest.mark.parametrize("use_arrays", [True, False])
@pytest.mark.parametrize(
    "options",
    [
        {"flips": 0},
        {"flips": 9},
        {"flips": 8, "p_a": Fraction(1, 3), "p_b": Fraction(2, 3)},
        {"flips": 8, "value_a": 6, "value_b": 4},
        {"flips": 7, "value_a": 3, "value_b": 3, "p_b": 1},
        {"flips": 9, "state": (3, -2)},
        {"flips": 6, "p_a": 0, "value_b": 5, "state": (0, 7)},
        {"flips": 5, "state": (5, 1)},
    ],
)
def test_variants_by_the_definition(options: dict[str, Any], use_arrays: bool) -> None:
    problem = RiddlerFlipsProblem(**options, exact=True)
    coins = ((problem.p_a, problem.value_a), (problem.p_b, problem.value_b))
    made, score = problem.initial_state()
    expected = best(problem.flips - made, score, coins)
    assert solve_stochastic(problem, use_arrays=use_arrays).value == expected
    in_floats = solve_stochastic(RiddlerFlipsProblem(**options), use_arrays=use_arrays)
    assert in_floats.value == pytest.approx(float(expected), abs=1e-14)


def test_the_policy_is_the_same_with_arrays_and_with_fractions() -> None:
    exact = RiddlerFlipsProblem(flips=40, exact=True)
    by_fractions = solve_stochastic(exact, use_arrays=False).require_policy()
    for problem in (exact, RiddlerFlipsProblem(flips=40)):
        policy = solve_stochastic(problem).require_policy()
        for state, action, value in by_fractions.items():
            assert policy.action(state) == action, state
            assert float(policy.value(state)) == pytest.approx(float(value), abs=1e-14)


def test_the_states_of_the_arrays_are_numbered_as_they_are_listed() -> None:
    states = RiddlerFlipsProblem(flips=5, value_a=2, value_b=6, state=(1, 3)).arrays().states
    assert list(states) == [states[number] for number in range(len(states))]
    assert states[-1] == list(states)[-1] == (5, 27)
    assert [state for state in states if state[0] == 2] == [(2, score) for score in range(-3, 10, 2)]
    with pytest.raises(IndexError):
        states[len(states)]


def test_a_game_too_wide_for_arrays_is_solved_without() -> None:
    problem = RiddlerFlipsProblem(flips=10, value_b=1_000_003)
    assert problem.arrays() is None
    assert solve_stochastic(problem).value == float(best(10, 0, ((HALF, 1), (HALF, 1_000_003))))


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ({"flips": -1}, "flips"),
        ({"p-a": "1.5"}, "--p-a must be a probability, from 0 to 1, not 3/2"),
        ({"p-b": "-1/2"}, "--p-b must be a probability"),
        ({"p-b": "nan"}, "--p-b"),
        ({"value-a": 0}, "value_a"),
        ({"state": "5"}, "'5' is not F,S"),
        ({"state": "101,0"}, "must be from 0 to 100"),
    ],
)
def test_parameters_out_of_range_are_told(written: dict[str, object], told: str) -> None:
    with pytest.raises(ProblemError, match=told):
        make_problem(RiddlerFlipsProblem, written)


def test_texts() -> None:
    problem = RiddlerFlipsProblem()
    assert problem.parse_action(" b ") == problem.parse_action("coin B") == "B"
    assert problem.parse_state("(3, -2)") == (3, -2)
    with pytest.raises(ValueError, match="neither A nor B"):
        problem.parse_action("C")
