"""Games of chance: the gambler's problem, by the values of bold and of timid play, and Monty Hall, by listing all."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from beliefsearch import solve
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.monty_hall import MontyHallProblem


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


# Monty Hall, by listing every place of the car and every choice of the host.


def chance(doors: int, opened: int, host: str, *, change: bool) -> Fraction:
    """Of all games in which door 0 is picked, those that are won by staying, or by changing to any other door."""
    won = Fraction(0)
    for car in range(doors):
        others = [door for door in range(1, doors) if host == "ignorant" or door != car]
        choices = list(combinations(others, opened))
        for choice in choices:
            closed = [door for door in range(1, doors) if door not in choice]
            share = Fraction(1, doors * len(choices))
            won += share * (Fraction(car in closed, len(closed)) if change else int(car == 0))
    return won


@pytest.mark.parametrize("host", ["knowing", "ignorant"])
@pytest.mark.parametrize(("doors", "opened"), [(3, 0), (3, 1), (4, 1), (4, 2), (5, 2), (6, 4)])
def test_the_value_is_that_of_the_better_way_to_play(doors: int, opened: int, host: str) -> None:
    ways = {change: chance(doors, opened, host, change=change) for change in (False, True)}
    result = solve(MontyHallProblem(doors=doors, opened=opened, host=host))
    assert result.value == max(ways.values())
    if host == "knowing":
        assert result.value == Fraction(doors - 1, doors * (doors - 1 - opened))
    policy = result.require_policy()
    if opened and host == "knowing":
        state = (1, tuple(range(2, 2 + opened)), "")
        assert policy.action(state) != 1, "it is better to change"
