"""Certificates of both bounds of random small POMDPs hold, and no change makes one prove more than is true."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch.proofs.prove import prove
from beliefsearch.verify.verdict import FileVerdict

from ..examples import examples
from ..naive_bounds import NaiveFile
from ..pomdp_mutants import check, mutant
from ..random_pomdps import TablePomdp, pomdps, value_between

MUTANTS = 6
"""Of each certificate; with all examples some 300."""

_EVERY_KIND = st.one_of(
    *(
        pomdps(discounted=discounted, everywhere=everywhere, ended=ended)
        for discounted in (True, False)
        for everywhere in (True, False)
        for ended in (True, False)
    )
).filter(lambda problem: not all(problem.is_terminal(state) for _, state in problem.start))  # else nothing is to prove


def certificate(problem: TablePomdp) -> Any:
    proof = prove(problem, solve(problem))
    assert proof.data is not None, proof.text
    return proof.document(name="table", parameters={})


def bounds_of(problem: TablePomdp, document: Any) -> tuple[Fraction, Fraction]:
    """The bounds that a certificate proves, as tight as they are known to be true."""
    verdict = check(problem, document)
    assert isinstance(verdict, FileVerdict)
    assert verdict.holds, verdict.complaint
    assert verdict.attained is not None
    assert verdict.unattained is not None
    return verdict.attained, verdict.unattained


@settings(max_examples=examples(20))
@given(_EVERY_KIND)
def test_certificates_hold_by_the_definition_and_their_bounds_contain_the_value(problem: TablePomdp) -> None:
    document = certificate(problem)
    lower, upper = bounds_of(problem, document)
    naive = NaiveFile(problem, document["plan"], document["proof"])
    assert (naive.lower(), naive.upper()) == (lower, upper)
    low, high = value_between(problem, 4)
    assert lower <= high
    assert low <= upper
    assert upper - lower <= Fraction(2, 1000) * max(abs(lower), abs(upper)) + Fraction(1, 10**6)


@settings(max_examples=examples(30))
@given(_EVERY_KIND, st.integers(0, 10**9))
def test_no_change_makes_a_certificate_prove_more_than_is_true(problem: TablePomdp, seed: int) -> None:
    document, random = certificate(problem), Random(seed)
    lower, upper = bounds_of(problem, document)
    low, high = value_between(problem, 3)
    low, high = max(low, lower), min(high, upper)  # where the value is
    for _ in range(MUTANTS):
        changed = mutant(document, random)
        verdict = check(problem, changed)
        if not isinstance(verdict, FileVerdict):
            continue  # it cannot be read, and that is said in a line
        naive = NaiveFile(problem, changed["plan"], changed["proof"])
        if not verdict.holds:
            assert verdict.complaint
            if "the plane of action" in verdict.complaint:
                assert naive.upper() is None
            continue
        assert (naive.lower(), naive.upper()) == (verdict.attained, verdict.unattained)
        assert verdict.attained is not None
        assert verdict.unattained is not None
        assert verdict.attained <= high
        assert low <= verdict.unattained
        for field in ("value", "lower_bound"):
            assert changed[field] is None or Fraction(changed[field]) <= verdict.attained
        assert changed["upper_bound"] is None or Fraction(changed["upper_bound"]) >= verdict.unattained


@pytest.mark.parametrize("factor", [Fraction(1, 3), Fraction(3, 4), Fraction(1)])
def test_a_certificate_for_another_discount_proves_nothing_that_is_false(factor: Fraction) -> None:
    """More than half of what a discount of 1/2 leaves is 3/4, and less 1/3."""
    half = Fraction(1, 2)
    table: Any = {"a": (1, ((Fraction(1), 0),)), "b": (0, ((Fraction(1), 0),))}
    problem = TablePomdp(((Fraction(1), 0),), (table,), {}, (), half)
    document = certificate(problem)
    assert bounds_of(problem, document) == (Fraction(2), Fraction(2))
    verdict = check(TablePomdp(((Fraction(1), 0),), (table,), {}, (), factor), document)
    assert isinstance(verdict, FileVerdict)
    assert not verdict.holds
