"""Bounds of beliefs that rest on beliefs of one or two states inside them; and where that would prove too much."""

from __future__ import annotations

import math
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings

from beliefsearch import solve
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.errors import InvalidProofError
from beliefsearch.model.adapters import UnreducedContingent
from beliefsearch.model.reachability import is_certain
from beliefsearch.proofs.belief_bounds import _bounds_by_search, _listed
from beliefsearch.proofs.check import check_proof
from beliefsearch.verify.proof import rules_out_trying

from ..contingent_problems import sighted_problems, wins_in_the_end, worst_costs
from ..examples import examples
from ..toys.contingent import LOOK, table

# Two halls that look alike, whatever is done in them; a third place leads to the goal, as is then seen.
ALIKE = table(
    "abc",
    {"a": {"go": "b"}, "b": {"go": "a"}, "c": {"go": "g"}, "g": {"go": "g"}},
    "g a b",
    lambda act, state: "g" if state == "g" else "-",
)
# From p or q one comes to any of p, q and r; and whoever was in r sees the goal.
SPREAD = table(
    "pq",
    {"p": {"go": "pqr"}, "q": {"go": "pqr"}, "r": {"go": "g"}, "g": {}},
    "g",
    lambda act, state: "g" if state == "g" else "-",
)


def proof(kind: str, states: list[int], *beliefs: list[Any]) -> dict[str, Any]:
    return {"kind": kind, "states": states, "beliefs": list(beliefs)}


def test_a_pair_that_is_lost_makes_every_belief_around_it_lost() -> None:
    lost = proof("belief-bounds", [0, 1], [[0, 1], None])
    assert check_proof(ALIKE, lost) == math.inf
    assert rules_out_trying(ALIKE, {"kind": "belief-bounds"}), "only the start is uncertain"
    assert not rules_out_trying(SPREAD, {"kind": "belief-bounds"})
    result = solve(ALIKE, solver="and-or", heuristic="pairwise")
    assert (result.lower_bound, result.stats.expanded) == (math.inf, 0)


def test_a_part_bounds_what_includes_it_if_its_own_bound_holds() -> None:
    everywhere = evolve(ALIKE, starts=(0, 1, 2, 3))
    with pytest.raises(InvalidProofError, match="leads to bounds of at most 0"):
        check_proof(everywhere, proof("belief-bounds", [0, 1, 2], [[0, 1, 2], None]))
    assert check_proof(everywhere, proof("belief-bounds", [0, 1], [[], None])) == 0
    assert check_proof(everywhere, proof("belief-bounds", [0, 1], [[0, 1], None])) == math.inf
    assert check_proof(LOOK, proof("belief-bounds", [0], [[0], 1])) == 1
    with pytest.raises(InvalidProofError, match="it is won, and has the value 1"):
        check_proof(everywhere, proof("belief-bounds", [3], [[0], 1]))


def test_of_what_is_listed_twice_the_last_counts_and_is_checked() -> None:
    assert check_proof(LOOK, proof("belief-bounds", [0, 1], [[0, 1], None], [[0, 1], 1])) == 1
    with pytest.raises(InvalidProofError, match="leads to bounds of at most 0"):
        check_proof(LOOK, proof("belief-bounds", [0, 1], [[0, 1], 1], [[0, 1], None]))


def test_a_part_of_an_outcome_that_is_lost_for_trying_is_not_enough() -> None:
    # From {p, q} one comes to {p, q, r}, which includes {p, q}, and so for ever. But whoever is in r wins.
    assert wins_in_the_end(SPREAD)
    assert solve(SPREAD).require_conditional_plan().is_cyclic
    assert check_proof(SPREAD, proof("belief-bounds", [0, 1], [[0, 1], None])) == math.inf
    with pytest.raises(InvalidProofError, match="not shown to be lost"):
        check_proof(SPREAD, proof("lost-beliefs", [0, 1], [[0, 1], 1]))


@given(problem=sighted_problems())
@settings(max_examples=examples(50))
def test_bounds_that_a_search_proves_are_accepted_and_true(problem: Any) -> None:
    problem = evolve(problem, estimates=None)
    least = worst_costs(problem)[frozenset(problem.starts)]
    view: Any = BitsetContingentView(UnreducedContingent(problem))
    needed = _bounds_by_search(view, least)
    if needed is not None:
        assert check_proof(problem, _listed(view, "belief-bounds", needed)) == least
        assert least < math.inf or not wins_in_the_end(problem)


@given(problem=sighted_problems(deterministic=True))
@settings(max_examples=examples(50))
def test_where_only_the_start_is_uncertain_nothing_is_won_by_trying_again(problem: Any) -> None:
    assert is_certain(problem)
    assert wins_in_the_end(problem) == (worst_costs(problem)[frozenset(problem.starts)] < math.inf)


def test_it_takes_both_one_result_and_one_percept() -> None:
    stuck = table("s", {"s": {"push": "sg"}, "g": {}}, "g", lambda act, state: state)
    noisy = table("s", {"s": {"push": "s"}}, "s", lambda act, state: "xy")
    assert not is_certain(stuck)
    assert not is_certain(noisy)
    assert is_certain(evolve(stuck, table=({"push": (1,)}, {})))
    # Copies of states are one state where the problem says so.
    twins = evolve(table("s", {"s": {"go": "gh"}, "g": {}, "h": {}}, "gh", lambda *_: "-"), twins=0)
    assert not is_certain(twins)
    assert is_certain(twins, canonical=lambda state: min(state, 1))
