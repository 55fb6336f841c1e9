"""Arguments of proofs in sentences: one for each kind, and the numbers in them."""

from __future__ import annotations

import math
from typing import Any

import pytest
from attrs import evolve

from beliefsearch import solve
from beliefsearch.plans.plan_writer import Proof
from beliefsearch.plans.proof_words import ARGUMENTS
from beliefsearch.plans.result import Status
from beliefsearch.proofs.explanations.argument import argument
from beliefsearch.proofs.prove import prove
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..random_problems import TableBeliefProblem


@pytest.mark.parametrize("kind", sorted(ARGUMENTS))
def test_every_kind_of_proof_has_an_argument_without_gaps(kind: str) -> None:
    data = {"kind": kind, "reach": 2, "depth": 1, **{name: [1, 0] for name in ("states", "beliefs", "weights")}}
    proof: Any = Proof(None, None, {**data, "ahead": [1], "behind": [1]}, "the text", 7)  # type: ignore[arg-type]
    said = argument(proof)
    assert said.endswith(".")
    assert "{" not in said


def test_numbers_are_those_of_the_proof() -> None:
    said = argument(prove(VacuumProblem(), solve(VacuumProblem())))
    assert said.startswith(
        "Why no plan costs less: 10 sets of states have a bound, and the start includes one of 4. After every action"
    )
    assert argument(prove(DevilProblem(n=4), solve(DevilProblem(n=4)))).endswith("and so it takes 15 in all.")


@pytest.mark.parametrize(
    ("kind", "bound", "said"),
    [
        ("trap", math.inf, "Why no plan is sure to win: There is a trap of 1 state, none of them a goal:"),
        (
            "capacity",
            1,
            "Why no plan costs less than 1: An action has few percepts. So a plan that costs less than 1 has too",
        ),
        ("distances", 3, "Why no plan costs less than 3: Even a player who saw the state would have to pay 3: 1 state"),
        ("distances", 0, ""),
    ],
)
def test_a_bound_is_told_by_what_it_says(kind: str, bound: float, said: str) -> None:
    proof: Any = Proof(None, None, {"kind": kind, "beliefs": [1]}, "the text", bound)  # type: ignore[arg-type]
    assert argument(proof).startswith(said)
    assert bool(argument(proof)) == bool(said)
    optimal = argument(evolve(proof, status=Status.SOLVED))
    assert optimal == argument(proof).replace(f"less than {bound}: ", "less: ")


def test_beliefs_that_are_never_won_say_so() -> None:
    table: Any = tuple({"a": (i ^ 1,), "b": (i if i < 2 else i ^ 1,)} for i in range(4))
    problem = TableBeliefProblem(tuple(range(4)), table, tuple(frozenset({state}) for state in range(4)))
    said = argument(prove(problem, solve(problem)))
    assert said.endswith("possible include one of 1 listed sets, and so are not all won.")
