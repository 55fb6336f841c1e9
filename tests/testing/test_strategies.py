"""The strategies: what they draw can come up, everything that can come up is drawn, and hypothesis may be missing."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings

from beliefsearch import BeliefSearchError, ProblemError, testing
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.vacuum import VacuumProblem

VACUUM = VacuumProblem(sensing="local")
GAMBLER = GamblerProblem(goal=4, capital=2)


def test_states_are_those_that_can_come_up() -> None:
    assert set(testing.strategies.reached(DevilProblem(n=2), 100)) == {"HH", "HT", "TH", "TT"}
    assert set(testing.strategies.reached(GAMBLER, 100)) == {0, 1, 2, 3, 4}
    assert len(testing.strategies.reached(DevilProblem(n=4), 7)) == 7


@pytest.mark.parametrize("state", ["HH", "TH", "TT"])
def test_every_state_is_drawn(state: str) -> None:
    drawn_at_once = settings(
        max_examples=300, phases=[Phase.generate]
    )  # the first that fits will do, however it is drawn
    assert find(testing.states(DevilProblem(n=2)), lambda drawn: drawn == state, settings=drawn_at_once) == state


@given(testing.actions(GAMBLER))
def test_actions_apply_in_their_states(pair: tuple[int, int]) -> None:
    state, action = pair
    assert action in GAMBLER.actions(state)
    assert not GAMBLER.is_terminal(state)


@given(testing.walks(VACUUM))
@settings(max_examples=100)
def test_walks_follow_the_results_and_percepts_of_the_problem(walk: testing.Walk[Any, Any, Any]) -> None:
    state = walk.start
    assert state in VACUUM.initial_states()
    for turn in walk.turns:
        assert turn.state in VACUUM.results(state, turn.action)
        assert turn.percept in VACUUM.percepts(turn.state, turn.action)
        assert turn.state in (turn.belief or ())
        state = turn.state


@given(testing.walks(VACUUM, most_turns=6))
def test_a_walk_ends_where_the_player_knows_that_the_game_is_won(walk: testing.Walk[Any, Any, Any]) -> None:
    assert not any(all(map(VACUUM.is_goal, turn.belief or (walk.start,))) for turn in walk.turns[:-1])


@given(testing.beliefs(FourGlassesProblem()))
def test_beliefs_are_sets_that_are_not_empty(belief: frozenset[Any]) -> None:
    assert belief
    assert isinstance(belief, frozenset)


def test_small_beliefs_are_found_behind_large_ones() -> None:
    """By hand: of the four tables of two coins, flipping both leaves HH and the two that are alike."""
    devil = DevilProblem(n=2)
    assert find(testing.beliefs(devil), lambda belief: len(belief) == 3) == {"HH", "HT", "TH"}


def test_a_stochastic_problem_has_no_beliefs() -> None:
    with pytest.raises(ProblemError, match="the player sees every state of GamblerProblem"):
        testing.beliefs(GAMBLER)


def test_without_hypothesis_checks_work_and_strategies_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    testing.check_rules(DevilProblem(n=2))
    with pytest.raises(BeliefSearchError, match=r"need hypothesis: pip install hypothesis"):
        testing.states(DevilProblem(n=2))


def test_the_room_is_imported_without_hypothesis_and_pytest() -> None:
    code = "import sys, beliefsearch.testing; print(sorted({'hypothesis', 'pytest', 'numba'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
