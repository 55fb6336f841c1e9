"""Rewards on the way and discounts where every state is seen, against trying every policy."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import StochasticProblem, save, solve, verify_file
from beliefsearch.plans.encoding import exact_to_json
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.proofs.check import check_policy_file

from ..examples import examples
from ..random_games import worth
from ..random_pomdps import RewardTable, shares
from ..toys.made import made


@frozen
class RewardGame(RewardTable, StochasticProblem[int, str]):
    """By state: its actions, each with its reward and outcomes; the states after these are terminal."""

    table: tuple[dict[str, tuple[Any, Any]], ...]
    utilities: tuple[int, ...]
    factor: Any

    def initial_state(self) -> int:
        return 0

    def with_floats(self) -> RewardGame:
        table = tuple(
            {name: (float(reward), [(float(p), s) for p, s in row]) for name, (reward, row) in actions.items()}
            for actions in self.table
        )
        return evolve(self, table=table, factor=float(self.factor))


@st.composite
def games(draw: st.DrawFn, discounted: bool) -> RewardGame:
    """Small games; without a discount nothing is won on the way, and each action may end the game."""
    count, terminal = draw(st.integers(1, 3)), draw(st.integers(0 if discounted else 1, 2))
    numbers = list(range(count + terminal))
    most = 5 if discounted else 0
    ends = Fraction(0) if discounted else Fraction(1, 5)
    table = tuple(
        {name: (draw(st.integers(-5, most)), shares(draw, numbers, ends, count)) for name in "ab"} for _ in range(count)
    )
    utilities = tuple(draw(st.integers(-5, 5)) for _ in range(terminal))
    factor = draw(st.sampled_from((Fraction(1, 2), Fraction(9, 10), Fraction(999, 1000)))) if discounted else 1
    return RewardGame(table, utilities, factor)


def value_by_all_policies(game: RewardGame) -> Fraction:
    """The greatest value of the start over all policies, each from its equations."""
    states = range(len(game.table))
    return max(worth(game, choices, states)[0] for choices in product("ab", repeat=len(states)))


@given(games(discounted=True) | games(discounted=False))
@settings(max_examples=examples(60))
def test_exact_values_are_those_of_the_best_policy(game: RewardGame) -> None:
    assert solve(game).value == value_by_all_policies(game)


@given(games(discounted=True) | games(discounted=False))
@settings(max_examples=examples(40))
def test_floats_come_near(game: RewardGame) -> None:
    value = float(value_by_all_policies(game))
    for solver in ("policy-iteration", "value-iteration"):
        found = solve(game.with_floats(), solver=solver).value
        assert found == pytest.approx(value, rel=1e-6, abs=1e-6)


@given(games(discounted=True) | games(discounted=False))
@settings(max_examples=examples(40))
def test_the_checker_accepts_what_is_found_and_nothing_better(game: RewardGame) -> None:
    for some in (game, game.with_floats()):
        result = solve(some, solver="policy-iteration")
        document = plan_document(result, some, name="game", parameters={})
        plan = json.loads(json.dumps(document["plan"]))
        assert check_policy_file(some, plan, document["value"]).holds
        worth: Any = result.value
        better: Any = None
        for entry in plan["states"]:
            if entry[0] == 0:
                entry[2] = better = exact_to_json(worth + (Fraction(1, 1000) if some is game else 0.001))
        wrong = check_policy_file(some, plan, better)
        assert not wrong.holds


def test_rewards_that_can_be_collected_for_ever_are_told() -> None:
    game = RewardGame(({"stay": (1, ((1, 0),)), "go": (0, ((1, 1),))},), (0,), 1)
    for solver in ("auto", "policy-iteration"):
        with pytest.raises(Exception, match="collected for ever"):
            solve(game, solver=solver)
    assert solve(evolve(game, factor=Fraction(1, 2))).value == 2


def test_a_game_without_an_end_needs_a_discount() -> None:
    game = RewardGame(({"stay": (-1, ((1, 0),))},), (), 1)
    with pytest.raises(Exception, match="never ends"):
        solve(game)
    assert solve(evolve(game, factor=Fraction(3, 4))).value == -4


def test_expected_steps_are_the_cost_1() -> None:
    game = RewardGame(({"try": (-1, ((Fraction(1, 6), 1), (Fraction(5, 6), 0)))},), (0,), 1)
    assert solve(game).value == -6


# Whoever rests pays nothing; values that begin below come near 0 without end.
REST = made(
    StochasticProblem,
    initial_state=0,
    actions=["rest", "pay"],
    outcomes=lambda state, _: [(0.5, state), (0.5, 1 - state)],
    reward=lambda _, action: -1e9 if action == "pay" else 0.0,
    discount=0.9,
)


def test_a_game_worth_nothing_is_worth_0(tmp_path: Path) -> None:
    result = solve(REST, solver="value-iteration")
    assert result.value == 0
    save(result, tmp_path / "rest.json")
    verdict = verify_file(tmp_path / "rest.json", problem=REST)
    assert verdict.holds, verdict.complaint
