"""Ten heads in the dark: the fewest actions by trying every way to treat every coin."""

from __future__ import annotations

import math
from itertools import combinations, product

import pytest

from beliefsearch_problems.ten_heads import TenHeadsProblem

from .layers import assert_solved


def fewest_actions(coins: int, heads: int, at_once: bool) -> float:
    """Each coin is moved, turned, both or neither; tried for every place of the heads, with numbered coins."""
    best = math.inf
    for treatment in product((0, 1), repeat=2 * coins):
        moved, turned = treatment[:coins], treatment[coins:]
        cost = sum(map(max, moved, turned)) if at_once else sum(treatment)
        if cost < best and all(is_even(coins, up, moved, turned) for up in combinations(range(coins), heads)):
            best = cost
    return best


def is_even(coins: int, up: tuple[int, ...], moved: tuple[int, ...], turned: tuple[int, ...]) -> bool:
    sides = [0, 0]
    for coin in range(coins):
        sides[moved[coin]] += (coin in up) ^ turned[coin]
    return sides[0] == sides[1]


@pytest.mark.few(20)
@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize(("coins", "heads"), [(n, k) for n in range(1, 6) for k in range(n + 1)])
def test_small_tables(coins: int, heads: int, at_once: bool) -> None:
    problem = TenHeadsProblem(coins=coins, heads=heads, at_once=at_once)
    result = assert_solved(problem, fewest_actions(coins, heads, at_once))
    if 0 < heads < coins:
        assert result.cost == (heads if at_once else min(2 * heads, coins))


def test_the_coin_that_is_taken_may_be_any() -> None:
    problem = TenHeadsProblem(coins=3, heads=1)
    start = ((3, 1), (0, 0), (0, 0), (0, 0))
    assert problem.initial_states() == [start]
    one_head = ((2, 0), (0, 0), (1, 1), (0, 0))
    one_tail = ((2, 1), (0, 0), (1, 0), (0, 0))
    assert problem.results(start, (0, 2)) == [one_head, one_tail, one_tail]
    assert problem.results(one_head, (2, 3)) == [((2, 0), (0, 0), (0, 0), (1, 0))]
    assert [problem.format_action(action) for action in problem.actions(one_head)] == [
        "move left",
        "move right",
        "turn left",
        "turn right",
    ]
