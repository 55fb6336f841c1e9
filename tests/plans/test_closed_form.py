"""Constructions from Python, and listed plans that are too long to be followed belief by belief."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from attrs import frozen

from beliefsearch import BeliefProblem, BeliefSearchError, ProblemError, Status, solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.hooks import Construction
from beliefsearch.plans.encoding import encode_action, read_sequence
from beliefsearch.plans.wording import length_text
from beliefsearch.verify.plan import check_plan
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..random_problems import TableBeliefProblem, TableProblem
from ..toys.made import made


def test_solve_gives_the_checked_construction() -> None:
    for n in (2, 4):
        devil = DevilProblem(n=n)
        result = solve(devil, solver="construct")
        assert (result.status, result.cost, result.optimal, result.solver) == (
            Status.SOLVED,
            2**n - 1,  # the published answer
            True,
            "construct",
        )
        assert check_plan(devil, result.require_plan(), claimed_cost=2**n - 1).holds
    result = solve(DevilProblem(n=6), solver="construct")
    assert (result.status, result.solver) == (Status.UNSOLVABLE, "construct")


@pytest.mark.thorough
def test_a_long_plan_is_listed_at_once_and_a_longer_one_is_refused_with_its_length() -> None:
    result = solve(DevilProblem(n=16, reduced=False), solver="construct")
    assert len(result.require_plan()) == result.cost == 2**16 - 1
    with pytest.raises(BeliefSearchError, match=r"4,294,967,295 actions.*construction\(\)"):
        solve(DevilProblem(n=32), solver="construct")


def test_automatically_python_searches() -> None:
    assert solve(DevilProblem(n=2)).solver != "construct"


def test_what_a_construction_cannot_do_is_refused() -> None:
    with pytest.raises(BeliefSearchError, match="VacuumProblem knows no construction"):
        solve(VacuumProblem(), solver="construct")
    for option in ({"heuristic": "none"}, {"engine": "bits"}, {"dominance": True}, {"objective": "expected"}):
        with pytest.raises(BeliefSearchError, match="is no search"):
            solve(DevilProblem(n=2), solver="construct", **option)


@frozen
class Fraud(DevilProblem):  # type: ignore[misc]  # puzzles have no types here
    """The devil, with evidence for something else."""

    def construction(self) -> Construction[Any]:
        return Construction(1, super().construction().action_at, {}, 4, "It is not so.")

    def check_construction(self, evidence: Mapping[str, Any]) -> int | None:
        return 3


def test_a_construction_is_checked_first() -> None:
    with pytest.raises(ProblemError, match="is wrong: its evidence proves 3"):
        solve(Fraud(n=2), solver="construct")  # type: ignore[call-arg]  # as above


def test_lengths_of_any_size_have_a_text() -> None:
    assert length_text(4999) == "4,999"
    assert length_text(2**100 - 1) == "2^100 - 1"
    assert length_text(7**1000 * 11).endswith("digits)")
    assert length_text(7**200000 * 11).startswith("about 10^169,0")


def test_a_plan_is_read_without_following_its_beliefs() -> None:
    followed = lambda *_: pytest.fail("a belief was followed")  # noqa: E731  # what each result would come to
    countdown = made(BeliefProblem, initial_states=range(1000), actions=("down", "up"), results=followed, is_goal=False)
    assert read_sequence(countdown, ["down"] * 50_000) == ("down",) * 50_000


def test_what_is_read_is_what_was_written() -> None:
    devil, tails = DevilProblem(n=4), NineTailsProblem("HHHTTTHHH")
    for problem in (devil, tails):
        plan = solve(problem).require_plan()
        assert read_sequence(problem, [encode_action(problem, action) for action in plan]) == plan


def test_actions_that_only_later_states_have_are_read_on_the_way() -> None:
    table: tuple[dict[str, tuple[int, ...]], ...] = ({"a": (1,)}, {"b": (2, 1)}, {"c": (2,)})
    problem = TableBeliefProblem((0,), table, (frozenset({2}),))
    assert read_sequence(problem, ["a", "b", "c"]) == ("a", "b", "c")
    with pytest.raises(InvalidPlanError, match='step 2: there is no action "a" that applies here'):
        read_sequence(TableProblem(0, ({"a": 1}, {"b": 0}), frozenset({1})), ["a", "a"])
    with pytest.raises(InvalidPlanError, match='step 2: there is no action "x" that applies here'):
        read_sequence(problem, ["a", "x"])
