"""Problems that begin with another belief, against brute force, and how their states are read."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import BeliefSearchError, Status, solve
from beliefsearch.hooks import ArrayHook, BeliefClassHook, ConstructionHook, DistinctActionsHook, PotentialHook
from beliefsearch.model.adapters import Blindfolded, SamePlay, handed_on, read_state, starting_from
from beliefsearch.proofs.check import check_proof
from beliefsearch.proofs.finder import find_proof
from beliefsearch.running.run import Run
from beliefsearch.simulation.plan_games import wins_by_state
from beliefsearch.verify.plan import check_plan
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..examples import thorough
from ..problems.layers import layers
from ..random_problems import TableBeliefProblem, TableProblem, belief_problems, exact_belief_costs
from ..toys.made import derived


@given(belief_problems(), st.data())
def test_the_least_cost_is_that_of_the_belief(problem: TableBeliefProblem, data: st.DataObject) -> None:
    states = range(len(problem.table))
    belief = data.draw(st.lists(st.sampled_from(states), min_size=1, max_size=3, unique=True))
    exact = exact_belief_costs(problem)[frozenset(belief)]
    other = starting_from(problem, belief)
    for options in ({}, {"engine": "naive"}, {"heuristic": "none"}):
        result = solve(other, **options)  # type: ignore[call-overload]
        assert (result.cost if result.status is Status.SOLVED else float("inf")) == exact
        if result.status is Status.SOLVED:
            assert check_plan(other, result.require_plan(), claimed_cost=result.cost).holds


@pytest.mark.parametrize("belief", [["HHHT"], ["HTHT", "THTH"], ["HHTT", "HTHT"], ["TTTT"]], ids=" ".join)
@pytest.mark.parametrize("engine", ["naive", "bits", "compiled"])
def test_the_devil_from_a_belief_that_is_known_costs_what_brute_force_says(belief: list[str], engine: str) -> None:
    devil = DevilProblem(n=4)
    other = starting_from(devil, belief)
    result = solve(other, engine=engine)
    game = DevilProblem(n=4, reduced=False)

    def following(states: frozenset[str]) -> list[frozenset[str]]:
        return [frozenset(r for s in states for r in game.results(s, move)) for move in game.actions("HHHH")]

    found = layers([frozenset(belief)], following)
    assert result.cost == next(depth for depth, layer in enumerate(found) if {"HHHH"} in layer)
    assert check_plan(other, result.require_plan()).holds


def test_a_construction_stays_behind_and_a_proof_is_about_the_belief() -> None:
    other = starting_from(DevilProblem(n=4), ["HTHT", "THTH"])
    assert not isinstance(other, ConstructionHook)
    cost = solve(other).cost
    assert cost is not None
    proof = find_proof(other, cost, Run())
    assert proof is not None
    assert check_proof(other, proof) == cost


def test_hooks_that_were_given_are_seen_to_be_given_and_others_are_not() -> None:
    devil = starting_from(DevilProblem(n=2), ["HT"])
    assert (type(devil).__name__, wins_by_state(devil), devil.is_sensorless()) == ("DevilProblem", True, True)
    assert isinstance(devil, PotentialHook)
    assert not devil.has_heuristic()
    assert devil.has_unit_costs()
    assert isinstance(devil, ArrayHook)
    assert devil.has_adversary()
    assert not starting_from(
        CounterfeitCoinProblem(), [next(iter(CounterfeitCoinProblem().initial_states()))]
    ).is_sensorless()
    table = TableBeliefProblem((0,), ({},), (frozenset({0}),))
    assert not wins_by_state(starting_from(table, [0]))


def test_arrays_of_states_are_left_out_where_they_do_not_hold_the_belief() -> None:
    odd = derived(DevilProblem, all_states=("HH",))
    assert not isinstance(starting_from(odd(n=2), ["HT"]), ArrayHook)


class HooklessCoins(SamePlay[Any, Any, Any]):
    """The coins, of which no hook says anything."""

    def __init__(self, problem: CounterfeitCoinProblem) -> None:
        self.problem = problem

    initial_states = handed_on("initial_states")
    percepts = handed_on("percepts")
    goal_sets = handed_on("goal_sets")


@pytest.mark.parametrize("size", [2, 7, thorough(3), thorough(4)])
def test_the_coins_take_as_many_weighings_with_hooks_as_without(size: int) -> None:
    coins = CounterfeitCoinProblem(coins=4)
    hookless = HooklessCoins(coins)
    for belief in combinations(coins.initial_states(), size):
        other = starting_from(hookless, belief)
        assert not isinstance(other, DistinctActionsHook | BeliefClassHook)
        assert solve(starting_from(coins, belief)).cost == solve(other).cost


def test_a_blindfolded_game_may_begin_with_fewer_states() -> None:
    # Blind, from 0 or 1, "a" twice rings the bell for certain; from 1 alone once is enough.
    table: tuple[dict[str, int], ...] = ({"a": 1}, {"a": 2}, {})
    blind = Blindfolded(TableProblem(0, table, frozenset({2})))
    assert solve(starting_from(blind, [0, 1])).cost == 2
    assert solve(starting_from(blind, [1])).cost == 1


def test_states_are_read_by_the_author_or_found_by_their_text() -> None:
    assert read_state(DevilProblem(n=4), "HTTT") == "HTTT"
    assert read_state(Blindfolded(NineTailsProblem("HHHTTTHHH")), "TTTTTTTTT") == "TTTTTTTTT"
    assert read_state(starting_from(VacuumProblem(2), list(VacuumProblem(2).initial_states())), "[*]*") is not None
    with pytest.raises(BeliefSearchError, match=r"'HX' is no state: .*4 letters out of HT"):
        read_state(DevilProblem(n=4), "HX")
    table = TableBeliefProblem((0,), ({"a": (1, 2)}, {"a": (1,)}, {"a": (1,)}), (frozenset({1}),))
    assert read_state(table, "2") == 2
    with pytest.raises(BeliefSearchError, match=r"'7' is no state that can come up in TableBeliefProblem.*written '0'"):
        read_state(table, "7")
    with pytest.raises(BeliefSearchError, match="at least one state"):
        starting_from(table, [])
