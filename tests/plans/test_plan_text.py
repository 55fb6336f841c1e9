"""Plans as text: the forms in which planners write them, and lines that are none."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import BeliefProblem, check_plan, solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.plans.plan import ConditionalPlan, PlanNode
from beliefsearch.plans.plan_text import facts_of, plan_lines, read_plan_text, text_plan_in
from beliefsearch.plugins.files.plan_files import check_plan_text, read_text_plan
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.romania import RomaniaProblem
from beliefsearch_problems.vacuum import VacuumProblem
from beliefsearch_problems.wumpus import WumpusProblem

from ..toys.contingent import Boxes

FF = """
ff: parsing domain file
domain 'TOILET' defined

ff: found legal plan as follows

step    0: DUNK B1 T
        1: FLUSH T

time spent:    0.00 seconds searching
"""


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("(dunk b1 t)\n(flush t)\n; cost = 2 (unit cost)\n", ["(dunk b1 t)", "(flush t)"]),  # Fast Downward
        (FF, ["DUNK B1 T", "FLUSH T"]),
        ("0.000: (dunk b1 t) [1.000]\n1.001: (flush t) [1.000]", ["(dunk b1 t)", "(flush t)"]),  # VAL
        ("0: (DUNK B1 T)\n\n1: (FLUSH T) ; and so on\n", ["(DUNK B1 T)", "(FLUSH T)"]),
        ("(dunk b1 t) (flush t)", ["(dunk b1 t)", "(flush t)"]),
        ("2 dunk-b1 flush-t\n%%\nlinear 3 1 0 1\n", ["flush-t", "dunk-b1", "flush-t"]),
        ("0\n%%\n2 (dunk b1 t)\n(flush t)\n%%\nlinear 2\n1 0", ["(flush t)", "(dunk b1 t)"]),
        ("; nothing;to do\n(dunk b1 t) ; (flush t);now\n(flush t);\n", ["(dunk b1 t)", "(flush t)"]),
        ("from;to\n0: (flush t)\n", ["(flush t)"]),
        ("; nothing to do\n", []),
    ],
)
def test_a_sequence_is_read_in_all_its_forms(text: str, actions: list[str]) -> None:
    assert [step.action for step in read_plan_text(text).steps] == actions


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0;1", "line 1, '0;1': a semicolon begins a comment; actions stand a line each"),
        ("0: (a)\nthen\n1: (b)", "line 2, 'then': expected a numbered action"),
        ("3 (a) (b)\n%%\nlinear 1 0", r"line 1, .*expected the number of actions, and as many actions"),
        ("2 a b\n%%\nlinear 3 0 1", r"line 3, .*expected linear, a length"),
        ("2 a b\n%%\nlinear 1 2", r"line 3, .*a number of no action; the actions have the numbers 0 to 1"),
        ("2 a b\n%%", r"expected linear"),
        ("0||0 --- A --- SON: 1||0", r"line 1: it goes on to the step 1\|\|0, and there is none"),
        (
            "0||0 --- A --- SON: 1||-1\n0||0 --- B --- SON: 1||-1",
            r"line 2, .*there is a step 0\|\|0 already, on line 1",
        ),
        ("0||0 --- A --- SON: x\n", "line 1, .*expected SON"),
        ("If holds: a\nIf so: b\n", "line 2, 'If so: b': expected If holds"),
    ],
)
def test_what_is_no_plan_is_told_with_its_line(text: str, complaint: str) -> None:
    with pytest.raises(InvalidPlanError, match=complaint):
        read_plan_text(text)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "plan").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidPlanError, match="is no text"):
        text_plan_in(tmp_path / "plan")
    with pytest.raises(InvalidPlanError, match="cannot read"):
        text_plan_in(tmp_path / "none")
    for data in (b"\x1f\x8b..", b'{"version": 1}', b" {}"):
        (tmp_path / "plan").write_bytes(data)
        assert text_plan_in(tmp_path / "plan") is None


def test_a_line_of_many_spaces_takes_no_longer() -> None:
    (step,) = read_plan_text(f"0: dunk{' ' * 10**6}b1 {'(' * 1000} [1").steps
    assert step.action == f"dunk b1 {'(' * 1000} [1"


def test_a_line_of_many_branches_takes_no_longer() -> None:
    with pytest.raises(InvalidPlanError, match=r"line 1, .*: expected SON: 1"):
        read_plan_text(f"0||0 --- a --- SON: 0||1{' --- SON [x' * 30_000}")


def test_numbers_of_any_length_are_read_or_refused() -> None:
    with pytest.raises(InvalidPlanError, match="a number of no action"):
        read_plan_text(f"%%\n2 a b\n%%\nlinear 1 {'9' * 200_000}")
    with pytest.raises(InvalidPlanError, match="expected the number of actions"):
        read_plan_text(f"%%\n{'9' * 200_000} a b\n%%\nlinear 1 0")


def test_facts_stand_between_commas_outside_of_brackets() -> None:
    assert facts_of("At(a, b), open( c ), flat()") == {"at(a,b)", "open(c)", "flat"}


class TwiceDenied(Boxes):
    """Boxes whose percepts look like the negation of something, and like the negation of that."""

    def format_percept(self, percept: bool | None) -> str:
        return "not empty" if percept else "not not empty"


class Stairs(BeliefProblem[int, int, str]):
    """Stairs of which all steps below are named as well, to be climbed one by one."""

    def initial_states(self) -> Iterable[int]:
        return (0,)

    def actions(self, state: int) -> Iterable[int]:
        return (state + 1,)

    def results(self, state: int, action: int) -> Iterable[int]:
        return (action,)

    def percepts(self, state: int, action: int) -> Iterable[str]:
        return (self.format_state(state),)

    def is_goal(self, state: int) -> bool:
        return state == 3

    def format_state(self, state: int) -> str:
        return ", ".join(f"step{below}" for below in range(state)) or "nothing"


def test_a_policy_names_larger_states_first() -> None:
    problem = Stairs()
    climb = (PlanNode(n + 1, ((problem.format_state(n + 1), n + 1),)) for n in range(3))
    plan: ConditionalPlan[int, str] = ConditionalPlan((*climb, PlanNode(None)))
    lines = [*plan_lines(problem, plan)]
    assert lines[::2] == ["If holds: step0/step1", "If holds: step0", "If holds: nothing"]
    assert check_plan_text(problem, read_plan_text("\n".join(lines))).cost == 3
    upside_down = read_plan_text("\n".join(line for n in (4, 2, 0) for line in lines[n : n + 2]))
    assert not check_plan_text(problem, upside_down).holds  # the first rule, of nothing, always holds


@pytest.mark.parametrize(
    "problem",
    [
        TwiceDenied(3),
        RomaniaProblem(),
        DevilProblem(n=4),
        VacuumProblem(squares=3),
        VacuumProblem(squares=2, sensing="local"),
        VacuumProblem(squares=2, sensing="full"),
        CounterfeitCoinProblem(coins=5),
        WumpusProblem(),
    ],
)
def test_what_is_written_is_read_back(problem: Any) -> None:
    plan = solve(problem).plan
    text = read_plan_text("\n".join(plan_lines(problem, plan)))
    found = check_plan_text(problem, text)
    assert found.holds, found.complaint
    assert found.cost == check_plan(problem, plan).cost
    again = read_text_plan(problem, text)
    assert [*plan_lines(problem, again)] == [*plan_lines(problem, plan)]
