"""What `prove` hands out, the checker accepts: of random problems in which states may be lucky, and by hand."""

from __future__ import annotations

from math import inf
from typing import Any

from hypothesis import given, settings

from beliefsearch import BeliefProblem, Status, check_problem, check_proof, prove, solve
from beliefsearch.verify.proof import rules_out_trying

from ..contingent_problems import SightedTable, sighted_problems
from ..examples import examples


class Lucky(BeliefProblem[int, str, bool]):
    """From 0 nothing leads away; 1 may lead to the goal, which is seen. So the player may win, and never for sure."""

    def initial_states(self) -> list[int]:
        return [0, 1]

    def actions(self, state: int) -> list[str]:
        return ["try"]

    def results(self, state: int, action: str) -> list[int]:
        return [1, 2] if state == 1 else [state]

    def percepts(self, state: int, action: str) -> list[bool]:
        return [state == 2]

    def is_goal(self, state: int) -> bool:
        return state == 2


class Alike(BeliefProblem[Any, str, None]):
    """Two states that files write alike; from one of them there is no way."""

    def initial_states(self) -> list[Any]:
        return [(1,), frozenset({1})]

    def actions(self, state: Any) -> list[str]:
        return ["on"]

    def results(self, state: Any, action: str) -> list[Any]:
        return [state]

    def is_goal(self, state: Any) -> bool:
        return bool(state == (1,))


def assert_accepted(problem: Any) -> None:
    result = solve(problem)
    proof = prove(problem, result)
    if proof.data is None:
        return
    assert check_proof(problem, proof.data) >= result.lower_bound
    assert result.status is not Status.UNSOLVABLE or rules_out_trying(problem, proof.data)


@given(sighted_problems())
@settings(max_examples=examples(200))
def test_proofs_are_handed_out_only_if_they_are_accepted(problem: SightedTable) -> None:
    assert_accepted(problem)


def test_that_the_player_may_be_lucky_is_no_plan_and_no_proof_is_handed_out_that_does_not_say_so() -> None:
    assert solve(Lucky()).lower_bound == inf
    assert_accepted(Lucky())


def test_states_that_are_written_alike_prove_nothing() -> None:
    assert solve(Alike()).status is Status.UNSOLVABLE
    assert_accepted(Alike())
    (violation,) = check_problem(Alike()).violations
    assert violation.rule == "text"
    assert "files would have the same for the states" in violation.complaint
