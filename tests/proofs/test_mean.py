"""Proofs about the mean of puzzles: with and without symmetries, in files, and taken for what they are."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import SearchResult, Status, prove, solve, verify_file
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.proofs import symmetries
from beliefsearch.proofs.check import check_proof
from beliefsearch.proofs.mean import mean_proof
from beliefsearch.running.run import Run
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.mastermind import MastermindProblem


def certificate(problem: Any, path: Path, **options: int) -> dict[str, Any]:
    """What the certificate of a least mean holds."""
    proof = prove(problem, solve(problem, objective="expected"))
    document = proof.document(name=path.stem, parameters=options)
    read: dict[str, Any] = json.loads(json.dumps(document))
    return read


@pytest.mark.parametrize(
    ("name", "problem", "options"),
    [
        ("mastermind", MastermindProblem(pegs=2, colours=4), {"pegs": 2, "colours": 4}),
        ("counterfeit-coin", CounterfeitCoinProblem(coins=5), {"coins": 5}),
    ],
)
def test_a_file_holds_both_bounds(tmp_path: Path, name: str, problem: Any, options: dict[str, int]) -> None:
    path = tmp_path / f"{name}.json"
    written = certificate(problem, path, **options)
    path.write_text(json.dumps(written))
    verdict = verify_file(path)
    assert verdict.holds
    assert verdict.cost == verdict.bound == solve(problem, objective="expected").cost
    assert "on average; it is the bounds of" in verdict.lines[-1]
    # One start more would have to be paid for once more.
    written["proof"]["table"]["totals"][0] += 1
    path.write_text(json.dumps(written))
    assert "which is less than" in verify_file(path).complaint


def test_the_mean_is_not_the_worst_case(tmp_path: Path) -> None:
    path = tmp_path / "mastermind.json"
    problem = MastermindProblem(pegs=2, colours=3)
    mean = certificate(problem, path, pegs=2, colours=3)
    answer: Any = solve(problem)
    worst = plan_document(answer, problem, name="mastermind", parameters={"pegs": 2, "colours": 3})
    path.write_text(json.dumps({**worst, "proof": mean["proof"], "lower_bound": 2, "optimal": False}))
    assert "is about the expected cost, but the file is about the worst case" in verify_file(path).complaint
    path.write_text(json.dumps({**mean, "proof": {"kind": "capacity"}}))
    assert "is about the worst case, but the file is about the expected cost" in verify_file(path).complaint


def test_a_bound_below_the_least_mean_is_proved_as_such() -> None:
    problem = MastermindProblem(pegs=2, colours=4)
    answer: SearchResult[str] = solve(problem, objective="expected")
    assert answer.cost == Fraction(45, 16)
    proof = mean_proof(problem, Fraction(42, 16), Run())
    assert proof is not None
    assert Fraction(42, 16) <= check_proof(problem, proof) < Fraction(45, 16)
    assert mean_proof(problem, Fraction(46, 16), Run()) is None
    assert prove(problem, answer).status is Status.SOLVED


def test_symmetries_make_proofs_short() -> None:
    problem, mean = MastermindProblem(pegs=3, colours=4), Fraction(103, 32)
    short = mean_proof(problem, mean, Run())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symmetries, "_given", lambda game: iter(()))
        long = mean_proof(problem, mean, Run())
    assert short is not None
    assert long is not None
    tables: Any = [proof["table"] for proof in (short, long)]
    assert "symmetries" not in tables[1]
    assert check_proof(problem, short) == check_proof(problem, long) == mean
    sizes = [len(table["beliefs"]) for table in tables]
    assert 10 * sizes[0] < sizes[1]


def test_symmetries_may_be_left_out_where_there_is_no_room_for_all() -> None:
    problem, mean = MastermindProblem(pegs=3, colours=3), Fraction(73, 27)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(symmetries, "_MOST_IMAGES", 300)
        proof = mean_proof(problem, mean, Run())
    assert proof is not None
    assert check_proof(problem, proof) == mean
