"""Gymnasium both ways: values against value iteration on its tables, games in it, and our problems as environments."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from attrs import evolve, frozen
from gymnasium.utils.env_checker import check_env
from hypothesis import given

from beliefsearch import BeliefSearchError, StochasticProblem, simulate, solve
from beliefsearch.errors import DataWarning
from beliefsearch.interop.gym import GymProblem, ProblemEnv, as_gym, from_gym
from beliefsearch_problems.romania import RomaniaProblem

from ..answers import assert_one_line, stdout
from ..conftest import Run
from ..random_pomdps import TablePomdp, pomdps, value_between

PAGE = Path(__file__).parents[2] / "docs" / "howto-gymnasium.md"
ROW = re.compile(r"^\| `([^`]+)`[^|]* \| `([^`]+)` \| (?:([-\d/]+),? )?(?:about (\S+) )?\|$", re.MULTILINE)
TEN = ROW.findall(PAGE.read_text("utf-8"))


def iterated(env: Any, discount: float) -> float:
    """Return the value of an environment by value iteration on its table, with NumPy."""
    table = env.unwrapped.P
    size, acts = len(table), len(table[0])
    chances, goes_on, earned = np.zeros((size, acts, size)), np.zeros((size, acts, size)), np.zeros((size, acts))
    for state in range(size):
        for action in range(acts):
            for chance, after, reward, ends in table[state][action]:
                chances[state, action, after] += chance
                earned[state, action] += chance * reward
                goes_on[state, action, after] += 0 if ends else chance
    values = np.zeros(size)
    for _ in range(20_000):
        better = (earned + discount * goes_on @ values).max(axis=1)
        if np.abs(better - values).max() < 1e-13:
            break
        values = better
    return float(env.unwrapped.initial_state_distrib @ values)


def made(name: str, **options: Any) -> Any:
    return gymnasium.make(name, **options)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        yield


def test_the_page_has_ten_instances() -> None:
    assert len(TEN) == 10


@pytest.mark.parametrize(("name", "line", "exact", "about"), TEN, ids=[line for _, line, *_ in TEN])
def test_each_certified_value_is_the_answer_and_that_of_value_iteration(
    cli: Run, name: str, line: str, exact: str, about: str, tmp_path: Path
) -> None:
    path = tmp_path / "c.json"
    said = stdout(cli("run", *line.split(), "--exact", "--certificate", str(path), "--format", "json"))
    value = Fraction(str(json.loads(said)["value"]))
    if exact:
        assert value == Fraction(exact)
    assert not about or f"{float(value):.10f}" == about
    if line.startswith("gym:"):
        discount = float(line.partition("--discount ")[2] or 1)
        env = made(name, **({"is_slippery": False} if "is_slippery" in line else {}))
        assert float(value) == pytest.approx(iterated(env, discount), abs=1e-8)
    assert "holds" in stdout(cli("verify", str(path)))


def test_games_are_played_in_the_environment_itself() -> None:
    env = made("CliffWalking-v1")
    problem = from_gym(env)
    policy = solve(problem).policy
    steps: list[Any] = []
    theirs = env.unwrapped.step

    def counted(action: Any) -> Any:
        steps.append(action)
        return theirs(action)

    env.unwrapped.step = counted
    outcome = simulate(problem, policy, games=3, seed=1)
    assert dict(outcome.utilities) == {-13: 3}
    assert len(steps) == 39


def test_an_environment_that_contradicts_its_table_is_told() -> None:
    env = made("CliffWalking-v1")
    problem = from_gym(env)
    policy = solve(problem).policy
    env.unwrapped.step = lambda action: (7, -1, False, False, {})
    with pytest.raises(
        BeliefSearchError, match="action 0 led from 36 to 7 with reward -1, which its table P does not say"
    ):
        simulate(problem, policy, games=1)


class Tabled(gymnasium.Env[Any, Any]):
    """An environment with a table and no more."""

    def __init__(self, table: Any, starts: Any = None) -> None:
        self.P = table
        if starts is not None:
            self.initial_state_distrib = starts
        self.observation_space, self.action_space = gymnasium.spaces.Discrete(3), gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        return 1, {}


def test_probabilities_are_fractions_next_to_the_floats_or_the_floats() -> None:
    odd = 0.1234567890123
    table = [[[(1 / 3, 0, 0, False), (2 / 3, 1, 1, True)]], [[(odd, 0, 0.1, False), (1 - odd, 1, 0.1, True)]]]
    with pytest.warns(DataWarning, match="floats are taken for .*0.3333333333333333 for 1/3.*"):
        problem = from_gym(Tabled(table, [0.5, 0.5]))
    assert [chance for chance, _ in problem.outcomes(0, 0)] == [Fraction(1, 3), Fraction(2, 3)]
    assert [chance for chance, _ in problem.outcomes(1, 0)] == [
        Fraction(chance) / (Fraction(odd) + Fraction(1 - odd)) for chance in (odd, 1 - odd)
    ]
    assert problem.reward(1, 0) == Fraction(1, 10)
    assert problem.reward(0, 0) == Fraction(2, 3)


def test_without_starts_it_begins_where_a_reset_leads() -> None:
    with pytest.warns(DataWarning, match="does not say where it begins, so that is 1"):
        problem = from_gym(Tabled([[[(1.0, 0, 0, True)]], [[(1.0, 0, 2, True)]]]))
    assert problem.initial_distribution() == ((Fraction(1), 1),)


def test_an_end_and_a_state_of_the_same_number_are_two() -> None:
    problem = from_gym(Tabled([[[(0.5, 0, 1, False), (0.5, 0, 5, True)]]], [1.0]))
    assert solve(problem).value == 6  # v = 3 + v / 2


@pytest.mark.parametrize("make", [from_gym, lambda env: GymProblem("own", env=env)])
def test_a_warning_points_to_the_caller(make: Any) -> None:
    env = Tabled([[[(1.0, 0, 0, True)]], [[(1.0, 0, 2, True)]]])
    with pytest.warns(DataWarning) as found:
        make(env)
    assert [warning.filename for warning in found] == [__file__]


def test_a_discount_is_a_number_or_its_text() -> None:
    env = Tabled([[[(0.5, 0, 1, False), (0.5, 0, 5, True)]]], [1.0])
    assert from_gym(env, discount="9/10").discounted == from_gym(env, discount=0.9).discounted == Fraction(9, 10)
    for wrong in ("1/0", "x", float("nan")):
        with pytest.raises(ValueError, match="is no number such as"):
            from_gym(env, discount=wrong)


BAD_TABLES = {
    "P[0][0] has probabilities that sum to 0.9": [[[(0.9, 0, 0, True)]]],
    "P[0][0] has a probability that is not between 0 and 1": [[[(float("nan"), 0, 0, True)]]],
    "P[0][0] leads to 4, which is no state": [[[(1.0, 4, 0, True)]]],
    "P[0][0] is no list of entries": [[[(1.0, 0)]]],
    "P[0][0] has a probability or a reward that is no number: could not convert string to float: 'x'": [
        [[(1.0, 0, "x", True)]]
    ],
    "P[0][0] has a reward that is no finite number": [[[(1.0, 0, float("inf"), True)]]],
    "it must show the number of its state": [[[(1.0, 0, 0, True)]]] * 9,
    "has no table P": [],
}


@pytest.mark.parametrize(("told", "table"), BAD_TABLES.items())
def test_bad_tables(told: str, table: Any) -> None:
    with pytest.raises(BeliefSearchError, match=re.escape(told)):
        from_gym(Tabled(table, [1.0]))


BAD_LINES = {
    "gym": "needs the option --name; say gym:NAME",
    "gym:Taxi-v3": "did you mean 'Taxi-v4'?",
    "gym:CartPole-v1": "has no table P",
    "gym:os:Taxi-v4": "would import a module",
    "gym:FrozenLake-v1 --set slip": "write NAME=VALUE",
    "gym:FrozenLake-v1 --set slip=1": "it has no argument 'slip'; did you mean 'is_slippery'?",
    "gym:FrozenLake-v1 --set slippery=False": "it has no argument 'slippery'; did you mean 'is_slippery'?",
    "gym:FrozenLake-v1 --set wind=1": "it has no argument 'wind'; it has desc, map_name, is_slippery",
    "gym:FrozenLake-v1 --set map_name=9x9": "gym:FrozenLake-v1 cannot be made: it knows no map_name '9x9'",
    "gym:FrozenLake-v1 --set map_name=os:path": "must not contain a colon",
    "gym:FrozenLake-v1 --set render_mode=human": "render_mode",
    "gym:FrozenLake-v1 --set is_slippery=maybe": "=maybe: it is true or false, such as is_slippery=False",
    "gym:FrozenLake-v1 --set is_slippery=none": "it is true or false",
    "gym:FrozenLake-v1 --discount 2": "is above 0 and at most 1, not 2",
}


@pytest.mark.parametrize(("line", "told"), BAD_LINES.items())
def test_bad_names_and_arguments(cli: Run, line: str, told: str) -> None:
    assert_one_line(cli("run", *line.split()), told)


@pytest.mark.parametrize("word", ["false", "FALSE", "False", "0"])
def test_truth_is_read_in_any_case(word: str) -> None:
    problem = GymProblem("FrozenLake-v1", f"is_slippery={word}")
    assert {len(problem.outcomes(0, action)) for action in problem.actions(0)} == {1}


def test_a_sweep_warns_once(cli: Run) -> None:
    said = cli("sweep", "gym:FrozenLake-v1", "--discount", "0.5,0.6,0.7")
    assert len(said[1].splitlines()) == 4
    assert said[2].count("warning") == 1


def test_a_file_is_about_one_environment(cli: Run, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    stdout(cli("run", "gym:CliffWalking-v1", "--output", str(path)))
    assert "is about CliffWalking-v1, and not about Taxi-v4" in cli("verify", str(path), "--problem", "gym:Taxi-v4")[2]


# By name and options: one of each kind, and one that is won by knowing.
KINDS = {
    "romania": {},
    "devil": {"n": 2},
    "vacuum": {},
    "counterfeit-coin": {"coins": 3},
    "grid-world": {},
    "tiger": {},
}


@pytest.mark.parametrize("beliefs", [False, True])
@pytest.mark.parametrize(("name", "options"), KINDS.items())
def test_problems_are_environments(name: str, options: Any, beliefs: bool) -> None:
    env = made(f"beliefsearch/{name}-v0", beliefs=beliefs, **options)
    check_env(env.unwrapped)
    own: ProblemEnv = env.unwrapped
    for seed in range(3):
        shown, info = env.reset(seed=seed)
        chance = Random(seed)
        for _ in range(20):
            assert own.observation_space.contains(shown)
            applies = [number for number, mark in enumerate(info["action_mask"]) if mark]
            action = chance.randrange(own.action_space.n)
            shown, _, ended, _, info = env.step(action)
            assert info["action"] == (action if action in applies else applies[0])
            if beliefs and not ended:
                assert shown.sum() == pytest.approx(1)
            if ended:
                break


def test_an_optimal_policy_earns_the_value() -> None:
    env = as_gym(RomaniaProblem())
    plan = list(solve(RomaniaProblem()).plan.as_sequence())
    env.reset(seed=1)
    steps = [env.step(env.actions.index(action)) for action in plan]
    assert sum(step[1] for step in steps) == -418  # Russell and Norvig, section 3.5
    assert [step[2] for step in steps] == [False] * (len(plan) - 1) + [True]
    with pytest.raises(BeliefSearchError, match="call reset"):
        env.step(0)


def test_an_environment_goes_there_and_back() -> None:
    problem = from_gym(made("CliffWalking-v1"))
    env, policy = as_gym(problem), solve(problem).policy
    assert policy is not None
    shown, _ = env.reset(seed=1)
    earned, ended = 0.0, False
    while not ended:
        action = policy.action(env.percepts[shown])
        shown, reward, ended, _, _ = env.step(env.actions.index(action))
        earned += reward
    assert earned == -13


def test_beliefs_are_those_of_bayes() -> None:
    env = as_gym("tiger", beliefs=True)
    env.reset(seed=5)
    heard = [env.step(env.actions.index("listen"))[0] for _ in range(2)]
    assert max(heard[0]) == pytest.approx(0.85)
    assert max(heard[1]) in (pytest.approx(0.5), pytest.approx(0.85**2 / (0.85**2 + 0.15**2)))


def test_what_cannot_be_an_environment_says_so() -> None:
    with pytest.raises(BeliefSearchError, match="more than 10 pairs of a state and an action"):
        as_gym("romania", most_pairs=10)
    with pytest.raises(BeliefSearchError, match="more than 250,000 starts"):
        as_gym("devil", n=99)
    with pytest.raises(BeliefSearchError, match="render_mode is one of"):
        as_gym("romania", render_mode="human")


def test_the_game_of_an_environment_begins_where_it_does() -> None:
    """Of the four starts of two coins one is won; from the others 1, 2 and 3 flips win, by the only plan.

    Of 16 starts of four coins one is won, so what they take on average, 15/2, is that of the others times 15/16.
    """
    assert solve(as_gym("devil", n=2, canonical=False).game).value == -2
    assert solve(as_gym("random-devil", n=4).game).value == -8


@given(pomdps(ended=True))
def test_the_optimum_of_an_environment_is_that_of_its_starts(problem: TablePomdp) -> None:
    """The bounds are by all that may happen from the starts in which the game goes on."""
    left = [(chance, state) for chance, state in problem.start if not problem.is_terminal(state)]
    if not left:
        with pytest.raises(BeliefSearchError, match="TablePomdp: the game is over in every start"):
            as_gym(problem)
        return
    total = sum(chance for chance, _ in left)
    start = tuple((chance / total, state) for chance, state in left)
    game = as_gym(problem).game
    assert (game is problem) == (len(left) == len(problem.start))
    assert sorted(game.initial_distribution()) == sorted(start)
    least, most = value_between(evolve(problem, start=start), 4)
    result = solve(game)
    assert result.lower_bound <= most
    assert least <= result.upper_bound
    assert result.upper_bound - result.lower_bound < 0.1


@frozen
class Stalls(StochasticProblem[str, str]):
    """Two of three starts are no game; "stay" comes to where nothing applies, "go" to the end, and pays less."""

    def initial_distribution(self) -> list[tuple[Fraction, str]]:
        return [(Fraction(1, 3), state) for state in ("begun", "stuck", "over")]

    def actions(self, state: str) -> list[str]:
        return ["go", "stay"] if state == "begun" else []

    def outcomes(self, state: str, action: str) -> list[tuple[int, str]]:
        return [(1, "stuck" if action == "stay" else "over")]

    def reward(self, state: str, action: str) -> int:
        return -1 if action == "stay" else -4

    def is_terminal(self, state: str) -> bool:
        return state == "over"

    def utility(self, state: str) -> int:
        return 2


def test_where_nothing_applies_an_episode_ends_and_so_does_its_game() -> None:
    env = as_gym(Stalls())
    result = solve(env.game)
    assert result.value == -1
    env.reset(seed=1)
    _, reward, ended, _, info = env.step(env.actions.index(result.policy.action("begun")))
    assert (reward, ended, info["stuck"]) == (-1, True, True)


def test_actions_that_there_are_not_are_refused() -> None:
    env = as_gym("tiger")
    env.reset(seed=1)
    for action in (99, -1):
        with pytest.raises(gymnasium.error.InvalidAction, match="none of the actions 0 to 2"):
            env.step(action)


class Ring(gymnasium.Env[int, int]):
    """Two states, and the same two actions in both."""

    def __init__(self, table: Any, starts: Any = (1.0, 0.0)) -> None:
        self.P, self.initial_state_distrib = table, starts
        self.observation_space: Any = gymnasium.spaces.Discrete(2)
        self.action_space: Any = gymnasium.spaces.Discrete(2)


@pytest.mark.parametrize(
    ("table", "starts", "told"),
    [
        ({0: {0: [(1.0, 1, 0, True)], 1: [(1.0, 1, 1, True)]}, 1: {0: [(1.0, 1, 0, True)]}}, (1.0, 0.0), "has not the"),
        ({0: {0: [(1.0, 1, 0, True)], 1: [(1.0, 1, 1, True)]}, 1: {}}, (1.0,), "has 1 entries for 2 states"),
        (
            {0: {0: [(1.0, 1, 0, True)], 1: [(1.0, 1, 1, True)]}, 1: {}},
            (1.0, 0.1),
            "distrib has probabilities that sum",
        ),
    ],
)
def test_tables_that_are_not_whole_are_refused(table: Any, starts: Any, told: str) -> None:
    with pytest.raises(BeliefSearchError, match=told):
        from_gym(Ring(table, starts))


def test_an_environment_that_is_another_one_each_time_is_refused(cli: Run) -> None:
    assert_one_line(cli("run", "gym:FrozenLake-v1", "--set", "map_name=None"), "is another one each time it is made")
