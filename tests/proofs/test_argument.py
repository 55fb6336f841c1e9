"""Arguments of proofs in sentences: one for each kind, and the numbers in them."""

from __future__ import annotations

from typing import Any

import pytest

from beliefsearch import solve
from beliefsearch.plans.plan_writer import Proof
from beliefsearch.proofs.explanations.argument import argument
from beliefsearch.proofs.prove import prove
from beliefsearch.verify.proof import ARGUMENTS
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.vacuum import VacuumProblem


@pytest.mark.parametrize("kind", sorted(ARGUMENTS))
def test_every_kind_of_proof_has_an_argument_without_gaps(kind: str) -> None:
    data = {"kind": kind, "reach": 2, "depth": 1, **{name: [1, 0] for name in ("states", "beliefs", "weights")}}
    proof: Any = Proof(None, None, {**data, "ahead": [1], "behind": [1]}, "the text", 7)  # type: ignore[arg-type]
    said = argument(proof)
    assert said.endswith(".")
    assert "{" not in said


def test_numbers_are_those_of_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    said = argument(prove(VacuumProblem(), solve(VacuumProblem())))
    assert said.startswith("14 sets of states have a bound, and the start includes one of 4. Whatever is done in one")
    monkeypatch.setattr("beliefsearch.proofs.exhaustion._MOST_CORES_OF", -1)
    said = argument(prove(VacuumProblem(), solve(VacuumProblem())))
    assert said.startswith(
        "Whatever is done at a cost of up to 1, the states that are possible include one of 4 listed sets"
    )
    assert "up to 3 more wins only inside one of 6 others" in said
    assert argument(prove(DevilProblem(n=4), solve(DevilProblem(n=4)))).endswith("and so it takes 15 in all.")


def test_lists_from_both_ends_meet_at_the_bound_and_the_sentence_says_below_which_number_they_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("beliefsearch.proofs.exhaustion._MOST_CORES_OF", -1)
    proof = prove(VacuumProblem(), solve(VacuumProblem()))
    data: Any = proof.data
    sums = {
        cost + actions
        for ahead, cost in data["ahead"]
        for behind, actions in data["behind"]
        if set(ahead) <= set(behind)
    }
    assert min(sums) == proof.bound == 4
    assert argument(proof).endswith("where these two numbers together are below 4.")
