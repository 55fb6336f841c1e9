"""The gambler's problem, by the values of bold and of timid play."""

from __future__ import annotations

from fractions import Fraction

import pytest

from beliefsearch import solve
from beliefsearch_problems.gambler import GamblerProblem


def bold(capital: int, goal: int, p: Fraction, digits: int = 200) -> Fraction:
    """The chance of bold play, to so many stakes; Dubins and Savage: none is better when p is below 1/2."""
    chance, weight = Fraction(0), Fraction(1)
    for _ in range(digits):
        if 2 * capital >= goal:  # stake what is missing
            chance, weight, capital = chance + weight * p, weight * (1 - p), 2 * capital - goal
        else:
            weight, capital = weight * p, 2 * capital
        if capital == 0:
            break
    return chance


@pytest.mark.parametrize("solver", ["policy-iteration", "value-iteration"])
def test_the_textbook_game(solver: str) -> None:
    policy = solve(GamblerProblem(), solver=solver).require_policy()
    for capital, value in ((25, 0.16), (50, 0.4), (75, 0.64)):
        assert policy.value(capital) == pytest.approx(value, abs=1e-12)
    for capital in range(1, 100):
        assert policy.value(capital) == pytest.approx(float(bold(capital, 100, Fraction(2, 5))), abs=1e-11)


def test_exactly() -> None:
    policy = solve(GamblerProblem(exact=True)).require_policy()
    assert [policy.value(capital) for capital in (25, 50, 75)] == [Fraction(4, 25), Fraction(2, 5), Fraction(16, 25)]
    for capital in range(1, 100):
        # What bold play may still win after 200 stakes is less than this.
        assert 0 <= policy.value(capital) - bold(capital, 100, Fraction(2, 5)) <= Fraction(3, 5) ** 200


def test_a_fair_coin_makes_all_stakes_equal() -> None:
    problem = GamblerProblem(goal=12, capital=5, p=0.5, exact=True)
    policy = solve(problem).require_policy()
    for capital in range(1, 12):
        assert policy.value(capital) == Fraction(capital, 12)
        assert policy.best_actions(problem, capital) == list(problem.actions(capital))


def test_with_a_good_coin_timid_play_is_best() -> None:
    result = solve(GamblerProblem(goal=20, capital=3, p=0.6, exact=True))
    ratio = Fraction(2, 3)
    for capital in range(1, 20):
        assert result.require_policy().value(capital) == (1 - ratio**capital) / (1 - ratio**20)
        assert result.require_policy().action(capital) == 1
