"""Monty Hall, by listing every place of the car and every choice of the host."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from beliefsearch import solve
from beliefsearch_problems.monty_hall import MontyHallProblem


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
