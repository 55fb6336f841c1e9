"""Filtering: against the definition, step by step, and against the textbook's formula."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import BeliefSearchError
from beliefsearch.model.belief import initial_belief, predict, update
from beliefsearch.simulation.filtering import UNSAID, filtered, possible_actions, possible_percepts
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.twenty_questions import TwentyQuestionsProblem

from ..conftest import Run
from ..contingent_problems import sighted_problems
from ..examples import examples
from ..random_pomdps import pomdps


@given(problem=sighted_problems(), seed=st.integers(0, 10**6))
@settings(max_examples=examples(60))
def test_sets_are_those_of_the_three_stages(problem: Any, seed: int) -> None:
    lot, belief, happened = Random(seed), initial_belief(problem), list[Any]()
    for _ in range(4):
        actions = possible_actions(problem, belief)
        if not actions:
            break
        action = lot.choice(actions)
        percepts = possible_percepts(problem, belief, action)
        percept = lot.choice([*sorted(percepts, key=str), UNSAID])
        belief = predict(problem, belief, action)
        belief = belief if percept is UNSAID else update(problem, belief, action, percept)
        happened.append((action, percept))
        found = filtered(problem, happened)
        assert (frozenset(found.states), found.likelihood) == (belief, None)


@given(problem=pomdps(), seed=st.integers(0, 10**6))
@settings(max_examples=examples(60))
def test_probabilities_are_sums_over_all_ways(problem: Any, seed: int) -> None:
    lot = Random(seed)
    # Every way that the game may have gone: its states, and its probability together with the percepts.
    ways = [(state, Fraction(chance)) for chance, state in problem.initial_distribution()]
    total = sum(chance for _, chance in ways)
    ways = [(state, chance / total) for state, chance in ways]
    happened: list[Any] = []
    for _ in range(3):
        going_on = [(s, c) for s, c in ways if c and not problem.is_terminal(s)]
        actions = possible_actions(problem, [s for s, _ in going_on])
        if not actions:
            break
        action = lot.choice(actions)
        percept = lot.choice([*sorted(possible_percepts(problem, [s for s, _ in going_on], action), key=str), UNSAID])
        further = [(s, c) for s, c in ways if problem.is_terminal(s) and percept is UNSAID]
        for state, chance in going_on:
            odds = list(problem.outcomes(state, action))
            for share, result in odds:
                weight = chance * Fraction(share) / sum(Fraction(p) for p, _ in odds)
                if percept is not UNSAID:
                    seen = [] if problem.is_terminal(result) else list(problem.percept_distribution(result, action))
                    whole = sum((Fraction(p) for p, _ in seen), Fraction(0)) or 1
                    weight *= sum((Fraction(p) for p, o in seen if o == percept), Fraction(0)) / whole
                further.append((result, weight))
        ways = further
        happened.append((action, percept))
        found = filtered(problem, happened)
        total = sum((c for _, c in ways), Fraction(0))
        assert found.likelihood == total
        for state, chance in found.states.items():
            assert chance == sum(c for s, c in ways if s == state) / total
        assert sum(found.states.values()) == 1


def test_the_tiger_by_bayes_rule() -> None:
    twice = filtered(TigerProblem(), [("listen", "growl left"), ("listen", "growl left")])
    assert twice.states["left"] == Fraction(17**2, 17**2 + 3**2)
    apart = filtered(TigerProblem(), [("listen", "growl left"), ("listen", "growl right")])
    assert set(apart.states.values()) == {Fraction(1, 2)}
    assert filtered(TigerProblem(), []).likelihood == 1


def test_who_sees_the_state_knows_it() -> None:
    game = GamblerProblem(goal=4, capital=2, exact=True)
    assert dict(filtered(game, [(1, UNSAID)]).states) == {1: Fraction(3, 5), 3: Fraction(2, 5)}
    seen = filtered(game, [(1, 3)])
    assert (dict(seen.states), seen.likelihood) == ({3: 1}, Fraction(2, 5))
    with pytest.raises(BeliefSearchError, match="comes too late"):
        filtered(game, [(2, UNSAID), (1, UNSAID)])
    assert filtered(TwentyQuestionsProblem(), []).likelihood == 1


def test_percepts_that_may_be_meant_are_in_order(cli: Run) -> None:
    _, _, err = cli("belief", "devil", "--told", "heads", "--after", "{0}; percept 7")
    assert "'7' is no percept here; there are 0, 1, 2, 3, 4\n" in err


@pytest.mark.parametrize(
    ("after", "says"),
    [
        ("lissten", "did you mean 'listen'?"),
        ("listen; percept left", "'left' is no percept here; there are growl left, growl right"),
        ("percept growl left", "stands behind no action"),
        ("listen; percept growl left; percept growl left", "stands behind no action"),
        ("; ;jump", "there are listen"),
    ],
)
def test_what_cannot_happen_is_refused(cli: Run, after: str, says: str) -> None:
    code, out, err = cli("belief", "tiger", "--after", after)
    assert (code, out) == (2, "")
    assert says in err


def test_the_command_in_other_forms(cli: Run) -> None:
    found = json.loads(cli("belief", "tiger", "--after", "listen; percept growl left", "--format", "json")[1])
    assert (found["probabilities"], found["likelihood"]) == (["17/20", "3/20"], "1/2")
    _, out, _ = cli("belief", "devil", "--n", 2, "--after", "01; {0}", "--format", "csv")
    assert out.splitlines() == ["state", "HH", "TT"]
    _, out, _ = cli("belief", "monty-hall", "--after", "door 1", "--format", "csv")
    assert out == 'state,probability\n"picked 1, opened 2",1/2\n"picked 1, opened 3",1/2\n'
    _, out, _ = cli("belief", "random-devil", "--n", 2, "--after", "{0, 1}; {0}")
    assert "HH  3/4 (about 0.75), where the game is over" in out
