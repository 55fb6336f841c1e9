"""Games against chance agree with what the policy says."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from beliefsearch import simulate, solve
from beliefsearch.simulation.policy_games import Dice, play_policy

from ..random_games import TableGame

THIRD = Fraction(1, 3)
GAME = TableGame(({"again": ((THIRD, 0), (THIRD, 1), (THIRD, 2))},), (0, 6))


def test_the_mean_of_many_games_is_the_value() -> None:
    result = solve(GAME)
    assert result.policy is not None
    told = simulate(GAME, result.policy, games=20_000, seed=1)
    assert told.games == 20_000
    assert list(told.utilities) == [0, 6]
    assert abs(told.mean - 3) < 4 * told.standard_error
    # Utilities of 0 and 6, equally likely, have the standard deviation 3.
    assert told.standard_error == pytest.approx(3 / 20_000**0.5, rel=0.01)
    # One step in three stays where it is.
    assert told.steps / told.games == pytest.approx(1.5, abs=0.05)


def test_a_seed_makes_games_repeatable() -> None:
    policy = solve(GAME).policy
    assert policy is not None
    first, again, other = (simulate(GAME, policy, games=50, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert play_policy(GAME, policy, None, Random(3)) == play_policy(GAME, policy, None, Random(3))


def test_a_game_is_a_path_to_its_end() -> None:
    policy = solve(GAME).policy
    assert policy is not None
    game = play_policy(GAME, policy, None, Random(5))
    states = [game.start, *(turn.state for turn in game.turns)]
    assert states[0] == 0
    for before, turn in zip(states, game.turns, strict=False):
        assert turn.state in {result for _, result in GAME.outcomes(before, turn.action)}
    assert GAME.is_terminal(states[-1])
    assert game.utility == GAME.utility(states[-1])


def test_outcomes_are_drawn_by_their_probabilities() -> None:
    game = TableGame(({"go": ((0.1, 1), (0.6, 2), (0.3, 3))},), (0, 1, 2))
    dice: Dice[int, str] = Dice(game, Random(7))
    drawn = [dice.throw(0, "go") for _ in range(20_000)]
    for state, chance in ((1, 0.1), (2, 0.6), (3, 0.3)):
        assert drawn.count(state) / 20_000 == pytest.approx(chance, abs=0.015)
