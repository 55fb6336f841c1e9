"""Proofs of a least mean, with and without symmetries: `pytest -n 0 tests/benchmarks/test_mean_proofs.py`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch.proofs import symmetries
from beliefsearch.proofs.mean import mean_proof
from beliefsearch.running.run import Run
from beliefsearch.verify.proof import check_proof
from beliefsearch_problems.mastermind import MastermindProblem

# The two below are of one run: their ratio does not depend on the machine.


def test_a_proof_with_symmetries(benchmark: BenchmarkFixture) -> None:
    """Target: a tenth of the time of the other."""
    proof: Any = benchmark(lambda: mean_proof(MastermindProblem(3, 4), Fraction(103, 32), Run()))
    assert check_proof(MastermindProblem(3, 4), proof) == Fraction(103, 32)


def test_the_same_without_symmetries(benchmark: BenchmarkFixture) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symmetries, "_given", lambda game: iter(()))
        proof: Any = benchmark(lambda: mean_proof(MastermindProblem(3, 4), Fraction(103, 32), Run()))
    assert check_proof(MastermindProblem(3, 4), proof) == Fraction(103, 32)


def test_the_proof_for_four_pegs_of_six_colours(benchmark: BenchmarkFixture) -> None:
    """Target: 12 s."""

    def search() -> Any:
        return mean_proof(MastermindProblem(), Fraction(5625, 1296), Run())

    proof: Any = benchmark.pedantic(search, rounds=1)  # type: ignore[no-untyped-call]  # the library has no types
    assert len(proof["beliefs"]) < 3000
