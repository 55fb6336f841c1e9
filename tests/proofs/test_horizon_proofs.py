"""Proofs of both bounds of games of so many actions, exact where every belief was looked at."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import Limits, solve
from beliefsearch.errors import InvalidProofError
from beliefsearch.planner import pomdp
from beliefsearch.plans.result import Status
from beliefsearch.proofs.game_documents import game_document
from beliefsearch.proofs.prove import prove
from beliefsearch.proofs.tables import tables_of
from beliefsearch.verify import checker
from beliefsearch.verify.verdict import FileVerdict
from beliefsearch_problems.tiger import TigerProblem

from ..pomdp_mutants import check, mutant
from ..random_pomdps import TablePomdp, pomdps
from ..solvers.pomdp.policy_trees import best_value
from ..toys.made import made


def document_of(problem: Any, horizon: int, few: int, **options: Any) -> Any:
    """A certificate, found by a search that looks at beliefs of so few probabilities before it takes to bounds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pomdp, "_FEW_CHANCES", few)
        proof = prove(problem, solve(problem, horizon=horizon, **options))
    assert proof.data is not None, proof.text
    return json.loads(json.dumps(proof.document(name="x", parameters={})))


def held(problem: Any, document: Any) -> tuple[Fraction, Fraction]:
    """What the policy attains and none exceeds, by the verdict on a document that holds."""
    verdict = check(problem, document)
    assert isinstance(verdict, FileVerdict), verdict
    assert verdict.holds, verdict.complaint
    assert verdict.attained is not None
    assert verdict.unattained is not None
    return verdict.attained, verdict.unattained


def begins(problem: TablePomdp) -> bool:
    """Whether the game may go on at the start."""
    return not all(problem.is_terminal(state) for _, state in problem.start)


anything = st.booleans().flatmap(lambda discounted: pomdps(discounted, everywhere=False, ended=True)).filter(begins)
everywhere = st.booleans().flatmap(lambda discounted: pomdps(discounted, ended=True)).filter(begins)


@given(anything, st.integers(0, 3))
def test_where_every_belief_was_looked_at_the_value_is_proved_exactly(problem: TablePomdp, horizon: int) -> None:
    value = solve(problem, horizon=horizon, engine="naive").value
    assert held(problem, document_of(problem, horizon, 100_000)) == (value, value)


@given(everywhere, st.integers(1, 2))
def test_bounds_are_proved(problem: TablePomdp, horizon: int) -> None:
    lower, upper = held(problem, document_of(problem, horizon, -1))
    assert lower <= best_value(problem, horizon) <= upper
    assert upper - lower <= max(abs(lower), abs(upper), Fraction(1, 1000)) / 900


@given(pomdps(), st.integers(1, 2), st.sampled_from([-1, 100_000]), st.randoms(use_true_random=False))
def test_a_changed_proof_proves_nothing_wrong(problem: TablePomdp, horizon: int, few: int, random: Random) -> None:
    document, value = document_of(problem, horizon, few), best_value(problem, horizon)
    for _ in range(5):
        try:
            changed = mutant(document, random)
        except (IndexError, ValueError):  # there is no point to be changed
            continue
        if changed["plan"].get("horizon") != horizon:
            continue
        verdict = check(problem, changed)
        if isinstance(verdict, FileVerdict) and verdict.holds:
            assert verdict.attained is None or verdict.attained <= value
            assert verdict.unattained is None or verdict.unattained >= value


@pytest.mark.parametrize("few", [-1, 100_000])
def test_the_tables_are_about_a_game_that_ends_by_itself(few: int) -> None:
    for problem in (TigerProblem(), made(TigerProblem, discount=1)):
        document = document_of(problem, 3, few)
        listed, tables = tables_of(problem, document)
        graph, planes = checker.check(json.loads(json.dumps(game_document(listed))), json.loads(json.dumps(tables)))
        assert (graph.value, planes.value) == held(problem, document)


def test_a_horizon_that_is_only_said_takes_no_room() -> None:
    document = document_of(TigerProblem(), 1, 100_000)
    document["plan"]["horizon"] = 10**14
    with pytest.raises(InvalidProofError, match="the plane of action listen has the length 2 and not"):
        tables_of(TigerProblem(), document)


def test_a_proof_of_a_longer_game_is_none_of_a_shorter() -> None:
    problem = TigerProblem()
    document = document_of(problem, 4, 100_000)
    shorter = {**document_of(problem, 3, 100_000), "proof": document["proof"]}
    verdict = check(problem, shorter)
    assert isinstance(verdict, FileVerdict)
    assert not verdict.holds


def test_bounds_at_a_limit_are_proved() -> None:
    problem = TigerProblem()
    document = document_of(problem, 30, -1, limits=Limits(expanded=200))
    assert document["status"] == Status.UNDECIDED.value
    lower, upper = held(problem, document)
    assert lower < upper < lower + 100
