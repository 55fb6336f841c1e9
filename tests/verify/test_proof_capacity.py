"""Proofs by capacity: never above the least cost, by brute force; published bounds; and what is refused."""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import combinations, islice
from random import Random
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import BeliefProblem, solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.errors import InvalidProofError
from beliefsearch.heuristics.percept_information import capacity
from beliefsearch.hooks import DistinctActionsHook
from beliefsearch.model.adapters import starting_from
from beliefsearch.plans.proof_words import proof_text
from beliefsearch.proofs.check import check_proof
from beliefsearch.proofs.hints.elaborator import proof_table
from beliefsearch.running.limits import TooDear
from beliefsearch.verify import proof as checker
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.hidden_number import HiddenNumberProblem

from ..contingent_problems import SightedTable, sighted_problems, worst_costs
from ..examples import examples, thorough

LISTED = {"kind": "capacity"}
DISTINCT = {"kind": "capacity", "actions": "distinct"}


@given(problem=sighted_problems())
@settings(max_examples=examples(50))
def test_no_bound_is_above_the_least_cost_nor_below_the_estimate(problem: SightedTable) -> None:
    problem = evolve(problem, estimates=None)
    exact = worst_costs(problem)
    bound = check_proof(problem, LISTED)
    assert bound <= exact[frozenset(problem.starts)]
    view: BitsetContingentView[int, str] = BitsetContingentView(problem)
    root = view.initial_node()
    if not problem.twins and not view.is_goal(root):
        with suppress(TooDear):
            assert capacity(view, None)(root) <= bound


@given(problem=sighted_problems(), choices=st.randoms(use_true_random=False))
@settings(max_examples=examples(100))
def test_no_sorts_and_no_states_prove_more_than_is_true(problem: SightedTable, choices: Random) -> None:
    problem = evolve(problem, estimates=None)
    exact = worst_costs(problem)[frozenset(problem.starts)]
    listed = proof_table(problem, LISTED)["states"]
    for _ in range(10):
        states = [*listed]
        if choices.random() < 0.5:
            states = choices.sample([*range(len(problem.table))], choices.randint(1, len(problem.table)))
        sorts = [choices.randrange(len(states)) for _ in states]
        proof = {**LISTED, "states": states, "sorts": sorts, "together": choices.random() < 0.5}
        with suppress(InvalidProofError):
            assert checker.check_proof(problem, proof) <= exact


def test_sorts_are_one_for_each_class_where_actions_are_distinct() -> None:
    problem = HiddenNumberProblem(limit=4, lies=1, questions="sets")
    proof = proof_table(problem, DISTINCT)
    assert len({*proof["sorts"]}) > 1
    apart = {**proof, "sorts": [*range(len(proof["states"]))]}
    with pytest.raises(InvalidProofError, match="states of a class are of two sorts"):
        checker.check_proof(problem, apart)
    for wrong in ("sorts", "states"):
        with pytest.raises(InvalidProofError):
            checker.check_proof(problem, {**proof, wrong: proof[wrong][:-1]})
    with pytest.raises(InvalidProofError, match="a sort is"):
        checker.check_proof(problem, {**proof, "sorts": [-1, *proof["sorts"][1:]]})


# OEIS A286496: the most numbers for so many questions about sets, one answer to which may be a lie. For even numbers
# Berlekamp's bound is met (Pelc, 1987), so one more pair of numbers needs a question more.
@pytest.mark.parametrize(("questions", "most"), [(6, 8), (7, 16), thorough(8, 28)])
def test_ulams_game_has_berlekamps_bound(questions: int, most: int) -> None:
    for limit, least in ((most, questions), (most + 2, questions + 1)):
        problem = HiddenNumberProblem(limit=limit, lies=1, questions="sets")
        assert check_proof(problem, DISTINCT) == least
        view: BitsetContingentView[Any, Any] = BitsetContingentView(problem)
        assert capacity(view, None)(view.initial_node()) == least


def test_all_sets_give_what_the_distinct_ones_do() -> None:
    for limit in (2, 3, 4, 5):
        for lies in (0, 1, 2):
            problem = HiddenNumberProblem(limit=limit, lies=lies, questions="sets")
            assert check_proof(problem, LISTED) == check_proof(problem, DISTINCT)


@pytest.mark.parametrize(("coins", "weighings"), [(12, 3), (13, 4), (39, 4), (40, 5), (120, 5)])
def test_too_many_coins(coins: int, weighings: int) -> None:
    # Dyson, 1946: (3**k - 3) / 2 coins by k weighings.
    assert check_proof(CounterfeitCoinProblem(coins=coins), DISTINCT) == weighings


@pytest.mark.parametrize("most", [7, thorough(20)])  # beliefs of each size; 20 are all
@pytest.mark.parametrize("find", ["coin", "coin-and-kind"])
def test_no_bound_from_a_belief_is_above_the_least_number_of_weighings(find: Any, most: int) -> None:
    coins = CounterfeitCoinProblem(coins=3, find=find, reference=1)
    faults = list(coins.initial_states())
    for belief in (some for size in range(1, len(faults) + 1) for some in islice(combinations(faults, size), most)):
        problem = starting_from(coins, belief)
        cost = solve(problem, engine="naive", heuristic="none").cost
        assert cost is not None
        bound = check_proof(problem, DISTINCT)
        assert check_proof(problem, LISTED) == bound <= cost
        view: BitsetContingentView[Any, Any] = BitsetContingentView(problem)
        root = view.initial_node()
        assert view.is_goal(root) or capacity(view, None)(root) <= bound


def test_noise_that_nobody_can_escape_is_found() -> None:
    # Every answer may be a lie: nothing is ever known.
    sights = {("a", state): ("x", "y") for state in (0, 1)}
    table = SightedTable((0, 1), ({"a": (0,)}, {"a": (1,)}), (frozenset({0}), frozenset({1})), sights)
    assert check_proof(table, LISTED) == math.inf


@frozen
class Silent(BeliefProblem[int, str, str], DistinctActionsHook[int, str]):
    """Two states with unlike actions."""

    def initial_states(self) -> range:
        return range(2)

    def actions(self, state: int) -> tuple[str, ...]:
        return ("ask", "tell")[: state + 1]

    def results(self, state: int, action: str) -> tuple[int]:
        return (state,)

    def percepts(self, state: int, action: str) -> tuple[str]:
        return (str(state),)

    def is_goal(self, state: int) -> bool:
        return True

    def goal_sets(self) -> tuple[frozenset[int], ...]:
        return frozenset({0}), frozenset({1})

    def distinct_actions(self, belief: frozenset[int]) -> tuple[str, ...]:
        return ("ask",)


def test_what_is_not_known_to_be_distinct_is_refused() -> None:
    assert check_proof(Silent(), LISTED) == 1
    with pytest.raises(InvalidProofError, match="the same actions in every state"):
        check_proof(Silent(), DISTINCT)
    table = SightedTable((0,), ({"a": (0,)},), (frozenset(),), {("a", 0): ("x",)})
    with pytest.raises(InvalidProofError, match="does not say which actions are distinct"):
        check_proof(table, DISTINCT)
    with pytest.raises(InvalidProofError, match="should be 'distinct', or left out, but is 'some'"):
        check_proof(table, {"kind": "capacity", "actions": "some"})


def test_what_is_to_be_trusted_is_said() -> None:
    assert "distinct_actions" in proof_text(DISTINCT)
    assert "distinct_actions" not in proof_text(LISTED)
