"""Games of policy graphs: their mean is the value, and what is likely follows the definition."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given

from beliefsearch import BeliefSearchError, play_game, simulate, solve, trace
from beliefsearch.errors import InvalidPlanError
from beliefsearch.model.distribution import begin, step
from beliefsearch.plans.policy import PolicyGraph
from beliefsearch.proofs.explanations.trace import MOST_STEPS, action_values
from beliefsearch.simulation.policy_games import Dice
from beliefsearch_problems.machine_repair import MachineRepairProblem
from beliefsearch_problems.tiger import TigerProblem

from ..conftest import Run
from ..random_games import TableGame
from ..random_pomdps import TablePomdp, pomdps
from ..toys.made import derived

TIGER = TigerProblem()
POLICY = solve(TIGER, horizon=4).require_policy_graph()
LISTEN: PolicyGraph[str, str, str] = PolicyGraph(["listen"], [{"growl left": 0, "growl right": 0}], [{}])
MAKE: PolicyGraph[int, str, str] = PolicyGraph(["make"], [{"nothing": 0}], [{}])


def test_the_mean_of_many_games_is_the_value() -> None:
    told = simulate(TIGER, POLICY, games=4_000, seed=1)
    value = float(solve(TIGER, horizon=4).value or 0)
    assert (told.games, told.steps) == (4_000, 16_000)
    assert abs(told.mean - value) < 4 * told.standard_error


def test_a_discounted_game_ends_when_what_follows_is_forgotten() -> None:
    game = play_game(TIGER, LISTEN, seed=1)
    assert 0.95 ** (len(game.turns) - 1) >= 1e-6 > 0.95 ** (len(game.turns) + 1)
    assert float(game.utility or 0) == pytest.approx(-20, abs=1e-4)


def test_a_game_without_discount_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.simulation.policy_games._MOST_TURNS", 1_000)
    game = play_game(MachineRepairProblem(discounted=1), MAKE, seed=1)
    assert len(game.turns) == 1_000


def test_starts_and_percepts_are_drawn_by_their_probabilities() -> None:
    dice: Dice[str, str] = Dice(TIGER, Random(7))
    assert [dice.begin() for _ in range(10_000)].count("left") == pytest.approx(5_000, abs=200)
    heard = [dice.perceive("left", "listen") for _ in range(10_000)]
    assert heard.count("growl left") == pytest.approx(8_500, abs=150)
    thrown: Dice[int, str] = Dice(TableGame(({"go": ((0.1, 1), (0.6, 2), (0.3, 3))},), (0, 1, 2)), Random(7))
    drawn = [thrown.throw(0, "go") for _ in range(20_000)]
    for state, chance in ((1, 0.1), (2, 0.6), (3, 0.3)):
        assert drawn.count(state) / 20_000 == pytest.approx(chance, abs=0.015)


def test_what_is_likely_after_each_turn_is_worked_out_by_the_definition() -> None:
    for seed in range(5):
        game = play_game(TIGER, POLICY, seed=seed, beliefs=True)
        likely = begin(TIGER).percepts[None][1]
        for turn in game.turns:
            likely = step(TIGER, likely, turn.action).percepts[turn.percept][1]
            assert turn.likely == likely
            assert turn.belief == frozenset(likely)
            assert turn.state in likely


def test_a_percept_that_was_not_possible_is_told() -> None:
    # Whoever begins where the game does not begin may perceive what nobody expects.
    left = derived(TigerProblem, initial_distribution=lambda: [(Fraction(1), "left")])
    sure = left(accuracy=1)
    with pytest.raises(InvalidPlanError, match="growl right was not possible"):
        list(play_game_from(sure, LISTEN))


def play_game_from(problem: TigerProblem, graph: PolicyGraph[str, str, str]) -> list[object]:
    from beliefsearch.simulation.policy_games import play_policy

    return list(play_policy(problem, graph, "right", Random(1), beliefs=True).turns)


def test_a_percept_for_which_the_graph_says_nothing_is_told() -> None:
    deaf: PolicyGraph[str, str, str] = PolicyGraph(["listen"], [{"growl left": 0}], [{}])
    with pytest.raises(BeliefSearchError, match="says nothing about the percept"):
        simulate(TIGER, deaf, games=50, seed=1)


@given(pomdps(discounted=False, everywhere=False))
def test_a_course_goes_along_what_is_most_likely(problem: TablePomdp) -> None:
    graph = solve(problem, horizon=3).require_policy_graph()
    rows = trace(problem, graph).rows
    assert len(rows) <= 4
    assert rows[0].likely == begin(problem).percepts[None][1]
    for row, following in pairwise(rows):
        assert row.action is not None
        percepts: Mapping[Any, Any] = step(problem, row.likely, row.action).percepts
        assert row.chance == max(chance for chance, _ in percepts.values())
        assert percepts[row.percept] == (row.chance, following.likely)


def test_a_course_ends_where_the_same_would_come_again() -> None:
    exact = trace(TIGER, LISTEN).rows
    assert len(exact) == MOST_STEPS + 1, "each time one is a little surer"
    again = trace(MachineRepairProblem(wear=0), MAKE).rows
    assert [row.action for row in again] == ["make", None]


def test_what_actions_are_worth_at_the_start() -> None:
    likely = begin(TIGER).percepts[None][1]
    worths = {worth.action: worth for worth in action_values(TIGER, POLICY, likely)}
    assert worths["listen"].value == solve(TIGER, horizon=4).value
    assert worths["listen"].reward == -1
    assert worths["open-left"].reward == -45
    # After a door all is as at the start, with one action less.
    three = solve(TIGER, horizon=3).value
    assert three is not None
    assert worths["open-left"].value is not None
    assert worths["open-left"].value <= -45 + Fraction(95, 100) * Fraction(three)


def test_on_the_command_line_starts_are_drawn_by_their_odds_too(cli: Run, folder: Path) -> None:
    Path("lean.py").write_text(
        "from beliefsearch import StochasticProblem\n\n\n"
        "class Lean(StochasticProblem[str, str, str]):\n"
        '    """Heads nine times in ten."""\n\n'
        "    def initial_distribution(self):\n        return [(0.9, 'heads'), (0.1, 'tails')]\n\n"
        "    def actions(self, state):\n        return ['heads', 'tails']\n\n"
        "    def outcomes(self, state, action):\n        return [(1, 'right' if action == state else 'wrong')]\n\n"
        "    def percept_distribution(self, state, action):\n        return [(1, 'over')]\n\n"
        "    def is_terminal(self, state):\n        return state in ('right', 'wrong')\n\n"
        "    def utility(self, state):\n        return int(state == 'right')\n"
    )
    told = json.loads(cli("simulate", "./lean.py", "--games", 2000, "--seed", 1, "--format", "json")[1])
    assert told["mean"] == pytest.approx(0.9, abs=0.03)
    sure = json.loads(cli("simulate", "./lean.py", "--start", "tails", "--games", 5, "--format", "json")[1])
    assert sure["mean"] == 0
