"""Proofs about the mean on random problems: what is true is found by brute force that shares no code with them."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from beliefsearch.errors import InvalidPlanError
from beliefsearch.proofs import symmetries
from beliefsearch.proofs.check import check_proof
from beliefsearch.proofs.mean import mean_proof
from beliefsearch.running.run import Run

from ..contingent_problems import SightedTable, least_mean_cost, sighted_problems
from ..examples import examples
from ..mirrored_problems import Mirrored, mirrored_problems
from .test_mutations import mutant

EMPTY: dict[str, Any] = {"kind": "mean-bounds", "states": [], "beliefs": []}
NEVER = Fraction(7)
"""What is asked to be proved where nobody wins."""

problems = sighted_problems(deterministic=True, most_states=5)


def proved(problem: SightedTable, mean: float | Fraction) -> dict[str, Any]:
    """A proof that no plan has a lower mean, as it is read from a file."""
    proof = mean_proof(problem, mean if mean < math.inf else NEVER, Run())
    assert proof is not None
    read: dict[str, Any] = json.loads(json.dumps(proof))
    return read


@given(problems | mirrored_problems())
@settings(max_examples=examples(50))
def test_the_least_mean_is_proved_and_no_more(problem: SightedTable) -> None:
    least = least_mean_cost(problem)
    assert min(least, NEVER) <= check_proof(problem, proved(problem, least)) <= least
    assert least == math.inf or mean_proof(problem, least + Fraction(1, 100), Run()) is None
    assert check_proof(problem, EMPTY) <= least


@given(problems | mirrored_problems(), st.integers(0, 2**30))
@settings(max_examples=examples(24))
def test_no_change_to_a_proof_makes_it_prove_more_than_is_true(problem: SightedTable, seed: int) -> None:
    least = least_mean_cost(problem)
    proof = proved(problem, least)
    assume(proof["table"]["totals"][0])
    chance = Random(seed)
    for _ in range(10):
        _, changed = mutant(json.dumps(proof), json.dumps(proof), chance)
        if changed.get("kind") == "mean":  # others are about the worst case
            with suppress(InvalidPlanError):
                assert check_proof(problem, changed) <= least


@given(problems | mirrored_problems(), st.data())
@settings(max_examples=examples(30))
def test_a_proof_about_another_problem_proves_no_more_than_is_true(problem: SightedTable, data: st.DataObject) -> None:
    proof = proved(problem, least_mean_cost(problem))
    assume(proof["table"]["totals"][0])
    changed = evolve(problem, **data.draw(st.sampled_from(CHANGES))(problem, data))
    with suppress(InvalidPlanError):
        assert check_proof(changed, proof) <= least_mean_cost(changed)


@given(mirrored_problems(), st.data())
@settings(max_examples=examples(50))
def test_who_believes_in_every_mirror_convinces_nobody(problem: Mirrored, data: st.DataObject) -> None:
    """A finder that takes what is no symmetry for one finds proofs of too much."""
    changed = evolve(problem, **data.draw(st.sampled_from(CHANGES))(problem, data))
    least = least_mean_cost(changed)
    assume(least < math.inf)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symmetries, "is_symmetry", lambda game, symmetry: True)
        proofs = [mean_proof(changed, least + more, Run()) for more in (Fraction(1, 12), Fraction(1, 2), 2)]
    for proof in filter(None, proofs):
        with pytest.raises(InvalidPlanError):
            check_proof(changed, json.loads(json.dumps(proof)))


def _redirected(problem: SightedTable, data: st.DataObject) -> dict[str, Any]:
    """One action leads elsewhere from one state."""
    table = [dict(row) for row in problem.table]
    state = data.draw(st.sampled_from([state for state, row in enumerate(table) if row] or [0]))
    if table[state]:
        table[state][data.draw(st.sampled_from(sorted(table[state])))] = (data.draw(st.integers(0, len(table) - 1)),)
    return {"table": tuple(table)}


def _seen_otherwise(problem: SightedTable, data: st.DataObject) -> dict[str, Any]:
    """Something else is perceived in one state after one action."""
    sights = dict(problem.sights)
    sights[data.draw(st.sampled_from(sorted(sights)))] = (data.draw(st.sampled_from("xyz")),)
    return {"sights": sights}


def _won_elsewhere(problem: SightedTable, data: st.DataObject) -> dict[str, Any]:
    """One goal set is another."""
    states = st.integers(0, len(problem.table) - 1)
    return {"goals": (data.draw(st.frozensets(states, min_size=1, max_size=2)), *problem.goals[1:])}


CHANGES = [_redirected, _seen_otherwise, _won_elsewhere]
