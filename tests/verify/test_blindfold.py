"""A plain problem played blindfolded, which solver and checker see through one adapter: by brute force on its table."""

from __future__ import annotations

from math import inf

from attrs import evolve
from hypothesis import given, settings

from beliefsearch import Blindfolded, check_plan, check_proof, prove, solve

from ..examples import examples
from ..random_problems import TableProblem, plain_problems


def fewest_turns(problem: TableProblem) -> float:
    """The fewest turns after which a bell has rung from every start, by the rules of the game and nothing else.

    In a won state the game has stopped; an action that is illegal in a state does nothing there.
    """
    names = sorted({action for row in problem.table for action in row})
    here = {frozenset(problem.possible_starts())}
    met = set(here)
    turns = 0
    while here:
        if any(all(problem.is_goal(state) for state in belief) for belief in here):
            return turns
        turns += 1
        after = {
            frozenset(
                problem.result(state, name) if name in problem.table[state] and not problem.is_goal(state) else state
                for state in belief
            )
            for belief in here
            for name in names
        }
        here = after - met
        met |= after
    return inf


@given(plain_problems())
@settings(max_examples=examples(60))
def test_blindfolded_games_are_those_of_the_rules(problem: TableProblem) -> None:
    blind = Blindfolded(evolve(problem, costs=None, estimates=None))
    turns = fewest_turns(problem)
    result = solve(blind)
    assert result.cost == turns
    if result.plan is not None:
        assert check_plan(blind, result.plan, claimed_cost=turns).holds
    proof = prove(blind, result)
    assert proof.data is None or check_proof(blind, proof.data) == turns
