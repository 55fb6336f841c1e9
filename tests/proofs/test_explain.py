"""`prove` and `explain`: what they say holds, by checkers and brute force that share no code with them."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import pytest

from beliefsearch import BeliefProblem, Limits, Problem, ProblemError, Status, StochasticProblem, explain, prove, solve
from beliefsearch.errors import LimitError
from beliefsearch.proofs.check import check_proof
from beliefsearch.tools import load_problem_class

from ..plan_texts import plan_of_text


def problem_of(name: str, **options: Any) -> Any:
    return load_problem_class(name)(**options)


class Hall(Problem[int, str]):
    """Steps of one or two, as far as square 3; the goal lies beyond."""

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> list[str]:
        return ["a", "b"] if state < 3 else []

    def result(self, state: int, action: str) -> int:
        return min(3, state + (1 if action == "a" else 2))

    def is_goal(self, state: int) -> bool:
        return state == 7


class Guess(BeliefProblem[str, str, None]):
    """Name the letter, and it is won; name another one, and it is lost."""

    def initial_states(self) -> list[str]:
        return ["a", "b"]

    def actions(self, state: str) -> list[str]:
        return ["a", "b"]

    def results(self, state: str, action: str) -> list[str]:
        return ["won" if state in (action, "won") else "lost"]

    def is_goal(self, state: str) -> bool:
        return state == "won"


class Coin(StochasticProblem[str, str]):
    """Take one, or throw for three or nothing."""

    def initial_state(self) -> str:
        return "start"

    def actions(self, state: str) -> list[str]:
        return ["take", "throw"]

    def outcomes(self, state: str, action: str) -> list[tuple[Fraction, str]]:
        half = Fraction(1, 2)
        return [(Fraction(1), "1")] if action == "take" else [(half, "3"), (half, "0")]

    def is_terminal(self, state: str) -> bool:
        return state != "start"

    def utility(self, state: str) -> Fraction:
        return Fraction(state)


@pytest.mark.parametrize(
    ("name", "options", "status", "bound"),
    [
        ("devil", {"n": 2}, Status.SOLVED, 3),
        ("devil", {"n": 4}, Status.SOLVED, 15),
        ("devil", {"n": 3}, Status.UNSOLVABLE, inf),
        ("vacuum", {"squares": 3}, Status.SOLVED, 7),
        ("counterfeit-coin", {"coins": 3}, Status.SOLVED, 2),
        ("lights-out", {"rows": 2, "cols": 2, "start": "1111"}, Status.SOLVED, 4),
    ],
)
def test_a_proof_holds_and_proves_what_it_says(name: str, options: dict[str, Any], status: Status, bound: int) -> None:
    problem = problem_of(name, **options)
    proof = prove(problem, solve(problem))
    assert (proof.status, proof.bound) == (status, bound)
    assert proof.data is not None
    assert check_proof(problem, proof.data) >= bound
    document = proof.document(name=name, parameters=options)
    assert document["proof"] == dict(proof.data)
    assert plan_of_text(json.dumps(document)).status == status.value


def test_a_closed_form_is_proved_by_its_own_evidence_however_long_the_plan() -> None:
    problem = problem_of("devil", n=64)
    proof = prove(problem)
    assert (proof.status, proof.bound) == (Status.SOLVED, 2**64 - 1)
    assert proof.data is not None
    assert problem.check_construction(proof.data["evidence"]) == 2**64 - 1
    assert proof.document(name="devil", parameters={"n": 64})["plan"] is None


def test_without_a_proof_it_is_said_why() -> None:
    problem = problem_of("vacuum", squares=6)
    proof = prove(problem, solve(problem), limits=Limits(seconds=1e-9))
    assert (proof.data, proof.bound, proof.status) == (None, 0, Status.UNDECIDED)
    assert "the time limit" in proof.text


def test_a_stochastic_problem_has_no_proof_beside_its_policy() -> None:
    with pytest.raises(ProblemError, match="answer is a policy"):
        prove(Coin())


def test_of_a_sequence_the_actions_are_counted_and_the_ruler_is_found() -> None:
    problem = problem_of("devil", n=4)
    found = explain(problem, solve(problem))
    assert found.sequence is not None
    assert [times for _, times in found.sequence.counts] == [8, 4, 2, 1]
    assert found.sequence.ruler is not None
    assert found.sequence.ruler.base == 2
    # The published table: moves 2, 6, 10 and 14 eliminate HTHT, 4 and 12 HHTT, and so on.
    assert found.sequence.ruled_out == (("TTTT",), ("HTHT",), ("HHTT",), ("HHHT", "HTTT"))
    assert found.proof is not None
    assert found.proof.bound == 15
    closed = explain(problem)
    assert closed.sequence == found.sequence
    assert closed.argument is not None
    assert "No sequence is shorter" in closed.argument


def test_of_a_conditional_plan_the_branches_are_counted() -> None:
    problem = problem_of("counterfeit-coin")
    plan = solve(problem).require_conditional_plan()
    found = explain(problem, plan).branching
    assert found is not None
    assert found.steps == sum(node.action is not None for node in plan.nodes)
    assert found.most_branches == 3, "left heavy, right heavy, balance"


def test_how_the_adversary_wins() -> None:
    problem = problem_of("devil", n=3, reduced=False)
    found = explain(problem, solve(problem))
    assert found.adversary is not None
    for state, answers in found.adversary.strategy():
        assert not problem.is_goal(state)
        assert {action for action, _ in answers} == set(problem.actions(state))
        for action, answer in answers:
            assert answer in set(problem.results(state, action))
            assert answer in found.adversary.trap
    assert set(found.adversary.trap) <= {"".join(coins) for coins in product("HT", repeat=3)}


def test_why_not_seeing_makes_it_impossible() -> None:
    found = explain(Guess())
    assert (found.adversary, found.outgrown) == (None, None)
    assert found.lost_states is not None
    assert set(found.lost_states.starts) == {"a", "b"}


def test_of_a_plain_problem_everything_that_can_be_reached_is_counted() -> None:
    found = explain(Hall()).no_way
    assert found is not None
    assert (found.states, found.stuck) == (4, 1)


def test_where_the_value_of_a_policy_comes_from() -> None:
    found = explain(Coin())
    assert found.policy is not None
    assert {worth.action: worth.value for worth in found.policy.row.actions} == {"take": 1, "throw": Fraction(3, 2)}
    assert found.policy.row.action == "throw"
    assert found.policy.check.holds
    assert found.policy.check.error == 0
    assert not found.refuted


def test_a_limit_is_an_error_since_there_is_nothing_to_explain() -> None:
    with pytest.raises(LimitError, match="time limit"):
        explain(problem_of("vacuum", squares=10), limits=Limits(seconds=0.001))


def test_solve_answers_as_the_command_does() -> None:
    result = solve(problem_of("devil", n=60))
    assert (result.status, result.solver) == (Status.UNSOLVABLE, "construct")
    assert solve(problem_of("devil", n=4)).solver != "construct", "few states are searched as quickly"
    assert solve(problem_of("devil", n=4), solver="search").solver == solve(problem_of("devil", n=4)).solver
