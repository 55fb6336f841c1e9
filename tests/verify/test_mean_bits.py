"""Counting for many actions at once leaves out no action that costs too little."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch.verify import mean_bits
from beliefsearch.verify.asked_game import AskedGame
from beliefsearch.verify.checker import Counting
from beliefsearch.verify.mean_bits import BitCounting

from ..contingent_problems import SightedTable, sighted_problems
from ..examples import examples
from ..table_mutants import certain_problems


@settings(max_examples=examples(100))
@given(
    st.one_of(certain_problems(), sighted_problems(deterministic=True)),
    st.integers(0, 2**32),
    st.sampled_from((255, 3, 2)),
)
def test_no_action_is_left_out_that_costs_less_by_counting(problem: SightedTable, seed: int, many: int) -> None:
    """Also if percepts are too many to be told apart, or if actions cost more or do not apply everywhere."""
    chance = Random(seed)
    if not all(len(sights) == 1 for sights in problem.sights.values()):
        return
    prices = {(s, a): chance.choice((1, 1, 2, Fraction(1, 2))) for s, row in enumerate(problem.table) for a in row}
    problem = evolve(problem, costs=chance.choice((None, prices)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mean_bits, "_MANY", many)
        counting = BitCounting(AskedGame(problem))
    plain = Counting(AskedGame(problem))
    assert (plain.see, plain.to, plain.least) == (counting.see, counting.to, counting.least)
    for _ in range(10):
        places = chance.sample(range(len(plain.place)), chance.randint(1, len(plain.place)))
        belief = dict.fromkeys(places, 1)
        while plain.merge and sum(belief.values()) < len(problem.starts) and chance.random() < 0.5:
            belief[chance.choice(places)] += 1
        if sum(belief.values()) > len(problem.starts):
            continue
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mean_bits, "_MANY", many)
            costs = {action: cost(plain, action, belief) for action in plain.cheap(belief, 0)}
            for total in {*costs.values()}:
                dear = costs.keys() - {*counting.cheap(belief, total + 1)}
                assert all(costs[action] > total for action in dear)
                assert costs.keys() >= {*counting.cheap(belief, total)}


def cost(counting: Counting, action: int, belief: dict[int, int]) -> Any:
    """By counting."""
    paid, parts = counting.after(action, belief)
    return paid + sum(counting.cheapest * counting.least[sum(part.values())] for part in parts.values())
