"""Few starts that a player would have to tell apart: by brute force over all sets of states, and in known puzzles."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given

from beliefsearch import BeliefProblem
from beliefsearch.model.belief import no_tick
from beliefsearch.proofs.explanations import unwinnable_pair as unseeing
from beliefsearch.proofs.explanations.unwinnable_pair import LostStates, find_lost_states
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.reset_word import ResetWordProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..contingent_problems import (
    SightedTable,
    is_won,
    outcomes,
    shared_actions,
    sighted_problems,
    wins_in_the_end,
    worst_costs,
)
from ..problems.contingent_brute_force import least_worst_cost


def check_answers(problem: Any, found: LostStates[Any, Any]) -> None:
    """That every action of every listed set is answered, by what may follow, and by a listed set that is not won."""
    listed = {frozenset(belief.members) for belief in found.beliefs}
    for belief in found.beliefs:
        members = frozenset(belief.members)
        assert not is_won(problem, members)
        assert [action for action, _ in belief.answers] == shared_actions(problem, members)
        for action, answers in belief.answers:
            assert answers
            for percept, following in answers:
                assert outcomes(problem, members, action)[percept] == frozenset(following)
                assert frozenset(following) in listed


@given(sighted_problems())
def test_the_starts_are_as_few_as_can_be(drawn: SightedTable) -> None:
    problem = evolve(drawn, adversary=True)
    costs = worst_costs(problem)
    starts = frozenset(problem.starts)
    lost = [belief for belief in costs if belief <= starts and costs[belief] == math.inf]
    found = find_lost_states(problem, no_tick)
    if not lost:
        assert found is None
        return
    assert found is not None
    assert frozenset(found.starts) in lost
    if found.smallest:
        assert len(found.starts) == min(map(len, lost))
    else:
        assert min(map(len, lost)) > 3
        assert not any(belief < frozenset(found.starts) for belief in lost), "none can be left out"
    for belief in found.beliefs:
        assert costs[frozenset(belief.members)] == math.inf
        assert len(belief.answers) == len(shared_actions(problem, frozenset(belief.members)))
        for action, answers in belief.answers:
            assert len(answers) == 1, "an adversary needs but one"
            for percept, following in answers:
                assert outcomes(problem, frozenset(belief.members), action)[percept] == frozenset(following)
                assert following in {other.members for other in found.beliefs}


@given(sighted_problems())
def test_against_chance_whoever_can_keep_trying_is_not_lost(drawn: SightedTable) -> None:
    problem = evolve(drawn, adversary=False)
    if problem.is_sensorless():
        return
    found = find_lost_states(problem, no_tick)
    if found is None:
        assert wins_in_the_end(problem, in_every_state=False)
        return
    # Whoever wins from every state of the initial belief wins from each of its starts, too.
    assert not wins_in_the_end(problem)
    assert not wins_in_the_end(evolve(problem, starts=found.starts), in_every_state=False)
    for size in range(1, len(found.starts) if found.smallest else 0):
        for fewer in combinations(problem.starts, size):
            assert wins_in_the_end(evolve(problem, starts=fewer), in_every_state=False)
    listed = {frozenset(belief.members) for belief in found.beliefs}
    for belief in listed:
        assert not is_won(problem, belief)
        for action in shared_actions(problem, belief):
            assert listed & set(outcomes(problem, belief, action).values())


def test_an_automaton_that_permutes_its_states(tmp_path: Path) -> None:
    (tmp_path / "turn.txt").write_text("2 4\n1 1\n2 0\n3 2\n0 3\n")  # a round of four; and one that swaps two
    problem: Any = ResetWordProblem(automaton=tmp_path / "turn.txt")
    found = find_lost_states(problem, no_tick)
    assert found is not None
    assert (len(found.starts), found.smallest) == (2, True)
    check_answers(problem, found)


@pytest.mark.parametrize("coins", [1, 2])
def test_too_few_coins_that_are_known(coins: int) -> None:
    problem: Any = CounterfeitCoinProblem(coins=coins)
    found = find_lost_states(problem, no_tick)
    assert found is not None
    assert (len(found.starts), found.smallest) == (2, True)
    assert least_worst_cost(problem, frozenset(found.starts)) == math.inf
    check_answers(problem, found)


def test_where_there_is_a_plan_nothing_is_lost() -> None:
    assert find_lost_states(VacuumProblem(), no_tick) is None


class Names(BeliefProblem[int, int, None]):
    """Any four of five letters can be told of: won is what lies in a goal set, and nothing ever changes."""

    def initial_states(self) -> range:
        return range(6)

    def actions(self, state: int) -> range:
        return range(2)

    def results(self, state: int, action: int) -> tuple[int]:
        return (state,)

    def is_goal(self, state: int) -> bool:
        return True

    def goal_sets(self) -> list[frozenset[int]]:
        return [frozenset(four) for four in combinations(range(6), 4)]


def test_with_more_than_three_none_can_be_left_out() -> None:
    found = find_lost_states(Names(), no_tick)
    assert found is not None
    assert (len(found.starts), found.smallest, len(found.beliefs)) == (5, False, 1)
    check_answers(Names(), found)


def test_where_sets_are_too_many_to_try_starts_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unseeing, "_MOST_SETS", 5)  # less than the six pairs of four starts
    problem: Any = CounterfeitCoinProblem(coins=2)
    found = find_lost_states(problem, no_tick)
    assert found is not None
    assert (len(found.starts), found.smallest) == (2, False)
    check_answers(problem, found)
