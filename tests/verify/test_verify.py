"""The checker: accepts what wins, rejects what does not, and says where."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import check_plan, solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.verify.sequence import check_sequence_file
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..random_problems import ACTIONS, TableBeliefProblem, belief_problems

ALL = frozenset(range(4))


def test_the_published_plan_wins_from_all_sixteen_starts() -> None:
    devil = DevilProblem(n=4)
    found = check_plan(devil, solve(devil).require_plan(), claimed_cost=15)
    assert (found.holds, found.starts, found.steps, found.cost, found.largest) == (True, 16, 15, 15, 16)


def test_a_plan_that_is_cut_short_leaves_a_state_that_escapes() -> None:
    devil = DevilProblem(n=4)
    found = check_plan(devil, solve(devil).require_plan()[:-1])
    assert not found.holds
    assert found.complaint == "after step 14, the last, the state may be TTTT, which is no goal"


@pytest.mark.parametrize(
    ("steps", "others"), [(12, ", or one of 2 more such states"), (13, ", or one more such state")]
)
def test_of_several_states_that_escape_one_is_named(steps: int, others: str) -> None:
    devil = DevilProblem(n=4)
    complaint = check_plan(devil, solve(devil).require_plan()[:steps]).complaint
    assert complaint.endswith(f", which is no goal{others}")


def test_a_wrong_cost_is_a_complaint() -> None:
    found = check_plan(DevilProblem(n=1), [frozenset({0})], claimed_cost=2)
    assert not found.holds
    assert "costs 1, not 2" in found.complaint


def test_an_action_that_does_not_apply_is_named_with_its_step_and_state() -> None:
    problem = NineTailsProblem("HHHTTTHHH")
    with pytest.raises(InvalidPlanError, match="step 2: the action 2,0 does not apply to HHHTHTTTT"):
        check_plan(problem, [(2, 1), (2, 0)])


def test_an_entry_that_is_no_action_is_named_with_its_step() -> None:
    with pytest.raises(InvalidPlanError, match=r'step 2: there is no action "Dance"'):
        check_sequence_file(VacuumProblem(), ["Left", "Dance"], None)


@given(problem=belief_problems(), plan=st.lists(st.sampled_from(ACTIONS), max_size=4))
def test_the_checker_agrees_with_following_every_game(problem: TableBeliefProblem, plan: list[str]) -> None:
    """Brute force: every single course the game may take, one after the other."""
    courses: list[tuple[int, ...]] = [(state,) for state in problem.starts]
    for action in plan:
        if any(action not in problem.table[course[-1]] for course in courses):
            with pytest.raises(InvalidPlanError):
                check_plan(problem, plan)
            return
        courses = [(*course, after) for course in courses for after in problem.table[course[-1]][action]]
    last = {course[-1] for course in courses}
    assert check_plan(problem, plan).holds == any(last <= goals for goals in problem.goals)


def test_the_checker_loads_no_solver_and_no_engine() -> None:
    code = (
        "import sys, beliefsearch; from beliefsearch import check_plan; "
        "from beliefsearch_problems.devil import DevilProblem; "
        "assert check_plan(DevilProblem(n=1), [frozenset({0})]).holds; "
        "print([name for name in sys.modules if name.startswith('beliefsearch.')])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    for room in ("solvers", "engine", "views", "solving", "heuristics"):
        assert f"beliefsearch.{room}" not in loaded
