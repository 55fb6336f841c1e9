"""Riddler Flips: the published value, small games by trying every way to play, and the array hook."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any, Literal

import pytest

from beliefsearch import solve
from beliefsearch_problems.riddler_flips import RiddlerFlipsProblem

from ..examples import thorough

HALF = Fraction(1, 2)


@cache
def best(left: int, score: int, coins: tuple[tuple[Fraction, int], ...]) -> Fraction:
    """The best chance to win with so many flips left: the definition."""
    if left == 0:
        return Fraction(score > 0)
    return max(p * best(left - 1, score + v, coins) + (1 - p) * best(left - 1, score - v, coins) for p, v in coins)


@pytest.mark.parametrize("use_arrays", [True, thorough(False)])
def test_a_hundred_flips_by_the_published_value_to_all_digits(use_arrays: bool) -> None:
    result = solve(RiddlerFlipsProblem(), use_arrays=use_arrays)
    assert result.value == 0.6403174472759772
    assert result.require_policy().value((99, 0)) == 0.5


@pytest.mark.thorough
def test_so_does_the_exact_value() -> None:
    exact = solve(RiddlerFlipsProblem(exact=True)).value
    assert isinstance(exact, Fraction)
    assert float(exact) == 0.6403174472759772


def test_one_fair_coin_alone() -> None:
    assert solve(RiddlerFlipsProblem(value_b=1)).value == pytest.approx(0.46020538130641064, abs=1e-15)


@pytest.mark.parametrize("only", ["a", "b"])
@pytest.mark.parametrize("use_arrays", [True, False])
def test_one_coin_alone_by_counting_the_ways_it_may_fall(only: Literal["a", "b"], use_arrays: bool) -> None:
    for flips, p in ((40, HALF), (7, Fraction(2, 3)), (1, Fraction(1, 5))):
        more = range(flips // 2 + 1, flips + 1)  # wins that are more than half of the flips
        expected = sum(comb(flips, wins) * p**wins * (1 - p) ** (flips - wins) for wins in more)
        problem = RiddlerFlipsProblem(flips=flips, p_a=p, p_b=p, only=only, exact=True)
        result = solve(problem, use_arrays=use_arrays)
        assert result.value == expected
        assert {action for _, action, _ in result.require_policy().items()} == {only.upper(), None}
    if use_arrays:
        assert solve(RiddlerFlipsProblem(only=only)).value == 0.46020538130641064


@pytest.mark.parametrize("values", [(1, 2), (2, 6), (3, 3), (5, 3)])
def test_a_start_is_taken_if_and_only_if_it_can_come_up(values: tuple[int, int]) -> None:
    coins: dict[Literal["a", "b"] | None, tuple[int, ...]] = {None: values, "a": values[:1], "b": values[1:]}
    for only, steps in coins.items():
        scores = {0}
        for made in range(5):
            for score in range(-30, 31):
                options: dict[str, Any] = {"flips": 4, "value_a": values[0], "value_b": values[1], "only": only}
                if score in scores:
                    assert RiddlerFlipsProblem(**options, state=(made, score)).initial_state() == (made, score)
                else:
                    with pytest.raises(ValueError, match="cannot come up"):
                        RiddlerFlipsProblem(**options, state=(made, score))
            scores = {score + sign * step for score in scores for step in steps for sign in (1, -1)}


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
        {"flips": 6, "p_a": 0, "value_b": 5, "state": (2, -6)},
        {"flips": 5, "state": (5, 1)},
    ],
)
def test_variants_by_the_definition(options: dict[str, Any], use_arrays: bool) -> None:
    problem = RiddlerFlipsProblem(**options, exact=True)
    coins = ((problem.p_a, problem.value_a), (problem.p_b, problem.value_b))
    made, score = problem.initial_state()
    expected = best(problem.flips - made, score, coins)
    assert solve(problem, use_arrays=use_arrays).value == expected
    in_floats = solve(RiddlerFlipsProblem(**options), use_arrays=use_arrays)
    assert in_floats.value == pytest.approx(float(expected), abs=1e-14)


def test_the_policy_is_the_same_with_arrays_and_with_fractions() -> None:
    exact = RiddlerFlipsProblem(flips=20, exact=True)
    by_fractions = solve(exact, use_arrays=False).require_policy()
    for problem in (exact, RiddlerFlipsProblem(flips=20)):
        policy = solve(problem).require_policy()
        for state, action, value in by_fractions.items():
            assert policy.action(state) == action, state
            assert float(policy.value(state)) == pytest.approx(float(value), abs=1e-14)


def test_the_states_of_the_arrays_are_numbered_as_they_are_listed() -> None:
    states = RiddlerFlipsProblem(flips=5, value_a=2, value_b=6, state=(1, 2)).arrays(lambda states: None).states
    assert list(states) == [states[number] for number in range(len(states))]
    assert states[-1] == list(states)[-1] == (5, 26)
    assert [state for state in states if state[0] == 2] == [(2, score) for score in range(-4, 9, 2)]
    with pytest.raises(IndexError):
        states[len(states)]


def test_a_game_too_wide_for_arrays_is_solved_without() -> None:
    problem = RiddlerFlipsProblem(flips=10, value_b=1_000_003)
    assert problem.arrays(lambda states: None) is None
    assert solve(problem).value == float(best(10, 0, ((HALF, 1), (HALF, 1_000_003))))
