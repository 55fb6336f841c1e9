"""Plans of other planners for planning files: whether they hold, and if not, at which action and from which start."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import verify_file
from beliefsearch.errors import InvalidPlanError
from beliefsearch.verify import sequence as replay
from beliefsearch_problems.files.pddl import PddlFileProblem

from ...answers import assert_one_line, change_json, stdout_alone
from ...conftest import Run
from .test_pddl import ARMED, BOMBS, OBJECTS, holds, outcomes, starts, tasks, text_of

HALL = """
(define (domain hall) (:predicates (at ?x) (open ?x) (next ?x ?y) (lit))
 (:action move :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y) (open ?y))
  :effect (and (at ?y) (not (at ?x))))
 (:action light :effect (lit))
 (:action look :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :observe (open ?y)))
(define (problem two-doors) (:domain hall) (:objects a b c goal)
 (:init (at a) (next a b) (next a c) (next b goal) (next c goal) (open goal) (oneof (open b) (open c)))
 (:goal (at goal)))
"""
TREE = """
0||0 --- LOOK A B --- TRUESON: 1||0 --- FALSESON: 1||1
1||0 --- MOVE A B --- SON: 2||0
1||1 --- MOVE A C --- SON: 2||1
2||0 --- MOVE B GOAL --- SON: 3||-1
2||1 --- MOVE C GOAL --- SON: 3||-1
"""
TIRE = """
(define (domain tire)
 (:predicates (at ?x) (road ?x ?y) (spare ?x) (flat))
 (:action drive :parameters (?x ?y) :precondition (and (at ?x) (road ?x ?y) (not (flat)))
  :effect (and (at ?y) (not (at ?x)) (oneof (flat) (and))))
 (:action change :parameters (?x) :precondition (and (at ?x) (spare ?x) (flat)) :effect (not (flat))))
(define (problem p) (:domain tire) (:objects a b goal)
 (:init (at a) (road a b) (road b goal) (spare b))
 (:goal (at goal)))
"""
POLICY = """
If holds: at(a)/not(flat())
Execute: drive_DETDUP_0 a b / SC / d=3
If holds: at(b)/flat
Execute: change b / SC / d=2
If holds: at(b)
Execute: drive_DETDUP_1 b goal / SC / d=1
If holds: at(goal)
Execute: goal / SC / d=0
"""


def write(**texts: str) -> None:
    for name, text in texts.items():
        Path(name).with_suffix(".plan" if name == "plan" else ".pddl").write_text(text)


@pytest.mark.parametrize(
    ("problem", "plan", "complaint"),
    [
        (BOMBS + ARMED, "(dunk b1 t)\n(flush t)\n(dunk b2 t)", ""),
        (BOMBS + ARMED, "step 0: DUNK B1 T\n1: FLUSH T\n2: DUNK B2 T", ""),
        (
            BOMBS + ARMED,
            "0: (DUNK B1 T)\n1: (DUNK B2 T)",
            r"action 2, (dunk b2 t): precondition (not (clogged t)) does not hold, from the start where armed(b1)",
        ),
        (
            BOMBS + ARMED,
            "(dunk b1 t)\n(flush t)",
            "at the end the goal (not (armed b2)) does not hold, from the start where armed(b2)",
        ),
        (HALL, TREE, ""),
        (HALL, "(light)\n(light)\n(move a b)", "action 3, (move a b): precondition (open b) does not hold, from the "),
        (
            HALL,
            "(move goal a)",
            "action 1, (move goal a): precondition (at goal) does not hold\n",  # whichever door is open
        ),
        (
            HALL,
            TREE.replace("MOVE C GOAL", "MOVE B GOAL"),
            "step 2||1, (move b goal): precondition (at b) does not hold, after look a b: not open(b), from the start ",
        ),
        (
            HALL,
            TREE.replace("LOOK A B --- TRUESON: 1||0 --- FALSESON: 1||1", "LOOK A B --- TRUESON: 1||0"),
            "step 0||0, (look a b): not open(b) may be perceived, and there is no branch for it, from the start where ",
        ),
        (
            HALL,
            TREE.replace("2||1 --- MOVE C GOAL --- SON: 3||-1", "").replace("2||1", "2||-1"),
            "at the end, after look a b: not open(b), the goal (at goal) does not hold, from the start where open(c)",
        ),
    ],
)
def test_a_plan_holds_or_it_is_said_where_it_does_not(cli: Run, problem: str, plan: str, complaint: str) -> None:
    write(task=problem, plan=plan)
    out = stdout_alone(cli("verify", "--plan", "plan.plan", "--problem", "task.pddl"), 1 if complaint else 0)
    assert (f"the plan does not hold: {complaint}" if complaint else "task.pddl: the plan holds: ") in out


@pytest.mark.parametrize(
    ("plan", "culprit"),
    [
        ("(dunk b1 t)\n(flus t)", "'plan.plan': line 2: the domain has no action 'flus'; did you mean 'flush'?"),
        ("(dunk b1)", "line 1: dunk takes 2 objects, (dunk ?b ?t), not 1"),
        ("(dunk b3 t)", "line 1: there is no object 'b3'"),
        ("(dunk t t)", "line 1: t is no bomb, which dunk wants for ?b"),
        ("0||0 --- dunk b1 t --- SON: 1||0", "line 1: it goes on to the step 1||0, and there is none"),
    ],
)
def test_a_plan_that_cannot_be_read_is_told_in_one_line(cli: Run, plan: str, culprit: str) -> None:
    write(task=BOMBS + ARMED, plan=plan)
    assert_one_line(cli("verify", "--plan", "plan.plan", "--problem", "task.pddl"), culprit)


@pytest.mark.parametrize(
    ("plan", "first"),
    [
        (
            "(move a b)\n(move a goal)",
            "action 1, (move a b): precondition (open b) does not hold, from the start ",
        ),
        (
            "(move a c)\n(move a goal)",
            "action 1, (move a c): precondition (open c) does not hold, from the start ",
        ),
        (
            TREE.replace("1||0 --- MOVE A B", "1||0 --- MOVE C GOAL").replace("2||1 --- MOVE C", "2||1 --- MOVE B"),
            "step 1||0, (move c goal): precondition (at c) does not hold, after look a b: open(b), from the start ",
        ),
        (
            TREE.replace("1||1 --- MOVE A C", "1||1 --- MOVE B GOAL").replace("2||0 --- MOVE B", "2||0 --- MOVE C"),
            "step 1||1, (move b goal): precondition (at b) does not hold, after look a b: not open(b), from the start",
        ),
    ],
)
def test_the_first_failure_over_all_starts_is_told(cli: Run, plan: str, first: str) -> None:
    write(task=HALL, plan=plan)
    out = stdout_alone(cli("verify", "--plan", "plan.plan", "--problem", "task.pddl"), 1)
    assert f"the plan does not hold: {first}" in out
    for command in ("show", "explain", "simulate"):
        assert stdout_alone(cli(command, "task.pddl", "--plan", "plan.plan"), 1) == out


def test_an_action_that_exists_is_told_by_what_it_lacks(cli: Run) -> None:
    write(task=BOMBS + ARMED)
    out = stdout_alone(cli("show", "task.pddl", "--plan", "dunk b1 t; dunk b2 t"), 1)
    lacks = "action 2, (dunk b2 t): precondition (not (clogged t)) does not hold, from the start where armed(b1)"
    assert out == f"task.pddl: the plan does not hold: {lacks}\n"
    assert_one_line(cli("show", "task.pddl", "--plan", "dunk b1 t; flus t"), "step 2: 'flus t'", "did you mean")
    stdout_alone(cli("run", "task.pddl", "--output", "plan.json"))
    change_json("plan.json", plan=["dunk b1 t", "dunk b2 t"])
    for command in ("show", "explain"):
        code, _, err = cli(command, "task.pddl", "--plan", "plan.json")
        assert (code, "step 2: the action dunk b2 t does not apply to " in err) == (1, True)
        assert err.endswith(": precondition (not (clogged t)) does not hold\n")


def test_a_policy_is_told_by_what_is_in_it(cli: Run) -> None:
    write(task=TIRE)
    about = ("plan.policy", "--problem", "task.pddl", "--seen")
    Path("plan.policy").write_text(POLICY)
    for option in ("--plan", "--policy"):
        assert "the plan holds" in stdout_alone(cli("verify", option, *about))
    assert_one_line(cli("verify", "plan.policy", "--problem", "tiger"), "tiger is a stochastic problem")
    Path("plan.policy").write_text("0\n1.5 -2e3 0\n")
    assert_one_line(
        cli("verify", "--plan", *about), "a policy graph, but task.pddl (seen=True) is no stochastic problem"
    )


@pytest.mark.parametrize(
    "rules",
    [
        "at(a) -> drive a b\nat(b)/flat -> change b\nat(b)/not(flat()) -> drive b goal",
        "(and (at b) (not (flat))) → (DRIVE B GOAL)\n(at a) → (drive a b)\n(at b) (flat) → (change b)",
    ],
)
def test_a_policy_may_have_a_rule_a_line(cli: Run, rules: str) -> None:
    write(task=TIRE, plan=rules)
    verify = ("verify", "--plan", "plan.plan", "--problem", "task.pddl", "--seen")
    assert "the plan holds: 3 steps win from the only start, cost 3 at the most" in stdout_alone(cli(*verify))
    write(plan=rules.replace("change b", "chnge b"))
    assert_one_line(cli(*verify), "the domain has no action 'chnge'; did you mean 'change'?")
    write(plan="\n".join(line for line in rules.splitlines() if "change b" not in line))
    assert "no rule fits the state flat, at(b), after drive a b: flat" in stdout_alone(cli(*verify), 1)


def test_a_policy_goes_by_what_holds(cli: Run) -> None:
    write(task=TIRE, plan=POLICY)
    verify = ("verify", "--plan", "plan.plan", "--problem", "task.pddl", "--seen")
    out = stdout_alone(cli(*verify))
    assert out == "task.pddl (seen=True): the plan holds: 3 steps win from the only start, cost 3 at the most\n"
    code, _, err = cli(*verify[:-1])
    warned, refused = err.splitlines()
    assert (code, warned.endswith("say --seen")) == (2, True)
    assert "the player does not see the state; of a .pddl file --seen shows it" in refused
    write(plan=POLICY.replace("at(b)/flat", "at(goal)/flat"))
    said = "the rule on line 6, (drive b goal): precondition (not (flat)) does not hold, after drive a b: "
    assert said in stdout_alone(cli(*verify), 1)
    write(plan=POLICY.split("If holds: at(b)\n")[0])
    assert "no rule fits the state " in stdout_alone(cli(*verify), 1)


@pytest.mark.parametrize(
    ("rules", "holds"),
    [
        ("If holds: \nExecute: rise\nIf holds: up\nExecute: leap", False),  # it rises for ever
        ("() -> (rise)\n(up) -> (leap)", False),
        ("If holds: nothing\nExecute: rise\nIf holds: up\nExecute: leap", False),
        ("If holds: up\nExecute: leap\nIf holds:\nExecute: rise", True),
        ("If holds: not(up)\nExecute: rise\nIf holds:\nExecute: leap", True),
    ],
)
def test_the_first_rule_that_holds_counts(cli: Run, rules: str, holds: bool) -> None:
    steps = "(:action rise :effect (up)) (:action leap :precondition (up) :effect (far))"
    task = f"(define (domain d) (:predicates (up) (far)) {steps})(define (problem p) (:domain d) (:init) (:goal (far)))"
    write(task=task, plan=rules)
    out = stdout_alone(cli("verify", "--plan", "plan.plan", "--problem", "task.pddl", "--seen"), not holds)
    assert ("the plan holds: 2 steps" if holds else "the plan goes round in circles: from node 0") in out


@pytest.mark.parametrize(("text", "options"), [(BOMBS + ARMED, ()), (HALL, ()), (TIRE, ("--seen",))])
def test_what_run_prints_is_verified(cli: Run, text: str, options: tuple[str, ...]) -> None:
    write(task=text)
    lines = stdout_alone(cli("run", "task.pddl", *options, "--plan-format", "pddl"))
    assert lines.startswith("; task.pddl")
    assert stdout_alone(cli("run", "task.pddl", *options, "--plan-format", "pddl", "--output", "some.plan")) == lines
    Path("some.plan").rename("plan.plan")
    assert "the plan holds" in stdout_alone(cli("verify", "plan.plan", "--problem", "task.pddl", *options))
    assert "proved" not in stdout_alone(cli("show", "task.pddl", *options, "--plan", "plan.plan"))


def test_costs_are_those_of_the_metric(cli: Run) -> None:
    costly = BOMBS.replace("(clogged ?t)))\n", "(clogged ?t) (increase (total-cost) (price ?b))))\n")
    priced = ARMED.replace(
        "(:init (and", "(:metric minimize (total-cost)) (:init (and (= (price b1) 5) (= (price b2) 7)"
    )
    write(task=costly + priced, plan="(dunk b2 t)\n(flush t)\n(dunk b1 t)")
    assert "cost 12" in stdout_alone(cli("verify", "plan.plan", "--problem", "task.pddl"))


def test_options_of_a_problem_are_those_of_its_plan(cli: Run) -> None:
    write(task=BOMBS + ARMED, plan="(dunk b1 t)")
    stdout_alone(cli("run", "task.pddl", "--output", "plan.json"))
    refused = cli("verify", "plan.json", "--problem", "task.pddl", "--seen")
    assert_one_line(refused, "it is about seen=False, and the problem has seen=True")
    assert_one_line(cli("verify", "plan.json", "--plan", "plan.plan"), "once")
    assert_one_line(cli("verify"), "say which file")
    assert_one_line(cli("verify", "--plan", "plan.plan", "task.pddl"), "the problem goes behind an option: --problem t")
    assert_one_line(cli("verify", "--plan", "plan.plan", "task.pddl", "--seen"), "--seen", "behind --problem PROBLEM")
    assert_one_line(cli("verify", "--plan", "plan.plan", "--problem", "task.pddl", "--sen"), "--sen")


def test_the_files_of_a_plan_may_be_named_by_the_problem_and_its_options(cli: Run) -> None:
    Path("elsewhere").mkdir()
    Path("here").mkdir()
    write(task=ARMED)
    Path("task.pddl").rename("here/task.pddl")
    Path("here/domain.pddl").write_text(BOMBS)
    named = ("here/task.pddl", "--domain", "here/domain.pddl")
    stdout_alone(cli("run", *named, "--seen", "--output", "plan.json"))
    Path("plan.json").rename("elsewhere/plan.json")
    verify = ("verify", "elsewhere/plan.json", "--problem", *named)
    assert "the plan holds" in stdout_alone(cli(*verify, "--seen"))
    assert "the plan holds" in stdout_alone(cli(*verify))
    assert_one_line(cli("verify", "elsewhere/plan.json", "--problem", named[0]), "--data domain=FILE")
    Path("here/domain.pddl").write_text(BOMBS + "\n")
    assert_one_line(cli(*verify), "domain.pddl has changed")


@pytest.mark.parametrize(
    "observed", ["(not (open ?y))", "(and (open ?y) (at ?x))", "(or (lit) (not (open ?y)))", "(exists (?z) (open ?y))"]
)
def test_the_branch_of_a_formula_is_not_that_of_its_negation(cli: Run, observed: str) -> None:
    write(task=HALL.replace(":observe (open ?y)", f":observe {observed}"))
    lines = stdout_alone(cli("run", "task.pddl", "--plan-format", "pddl", "--output", "plan.plan"))
    opened = "FALSESON" if "not" in observed else "TRUESON"
    after = re.search(rf"{opened}: (1\|\|\d)", lines)
    assert after is not None
    assert f"\n{after[1]} --- move a b ---" in lines
    assert "the plan holds" in stdout_alone(cli("verify", "plan.plan", "--problem", "task.pddl"))


LAMP = """
(define (domain lamp) (:predicates (dark) (done) (off ?x))
 (:action look :observe {})
 (:action work :effect (done)))
(define (problem p) (:domain lamp) (:objects x) (:init (unknown (dark)) (unknown (off x))) (:goal (done)))
"""


@pytest.mark.parametrize(
    "formula",
    [
        "(dark)",
        "(not (dark))",
        "(not (not (dark)))",
        "(or (not (dark)) (done))",
        "(forall (?x) (not (off ?x)))",
        "(not (exists (?x) (off ?x)))",
    ],
)
def test_each_branch_of_a_formula_is_checked(cli: Run, formula: str) -> None:
    """The formula may be true and may be false, and without work the goal is missed."""
    verify = ("verify", "--plan", "plan.plan", "--problem", "task.pddl")
    text = formula.strip("()") if formula == "(dark)" else formula
    look, work = "0||0 --- look --- TRUESON: 1||{} --- FALSESON: 1||{}", "1||0 --- work --- SON: 2||-1"
    write(task=LAMP.format(formula), plan="\n".join((look.format(0, 0), work)))
    assert "the plan holds: 2 steps win from all " in stdout_alone(cli(*verify))
    for sons, told in (((-1, 0), text), ((0, -1), f"not {text}")):
        write(plan="\n".join((look.format(*sons), work)))
        missed = f"at the end, after look: {told}, the goal (done) does not hold"
        assert missed in stdout_alone(cli(*verify), 1)
        # Where the percept is the state it neither affirms nor denies the formula.
        assert "there is no branch for it" in stdout_alone(cli(*verify, "--seen"), 1)


SHELVES = """
(define (domain shelves) (:predicates (in ?x ?s) (lamp) (have ?x) (door ?s) (dusty ?s))
 (:action toggle :effect (oneof (lamp) (not (lamp))))
 (:action unlock :parameters (?s) :effect (door ?s))
 (:action search :parameters (?s) :precondition (lamp)
  :effect (and (dusty ?s) (forall (?x) (when (in ?x ?s) (and (have ?x) (not (in ?x ?s))))))))
(define (problem p) (:domain shelves) (:objects x s t)
 (:init (dusty t) (door s) (oneof (in x s) (in x t)))
 (:goal (have x)))
"""


def test_a_percept_is_the_same_whatever_actions_there_are(cli: Run) -> None:
    """With all actions atoms are met in another order, and some change that no action of the plan changes."""
    write(task=SHELVES)
    lines = stdout_alone(cli("run", "task.pddl", "--seen", "--plan-format", "pddl", "--output", "plan.plan"))
    assert "SON [" in lines
    assert "unlock" not in lines
    verify = ("verify", "plan.plan", "--problem", "task.pddl", "--seen")
    assert "the plan holds" in stdout_alone(cli(*verify))
    turned = re.sub(r"\[(.+?)\]", lambda told: f"[{', '.join(reversed(told[1].split(', ')))}]", lines)
    assert turned != lines
    write(plan=turned)
    assert "the plan holds" in stdout_alone(cli(*verify))
    write(plan=re.sub(r", in\([^)]*\)|in\([^)]*\), ", "", lines))
    assert "and there is no branch for it" in stdout_alone(cli(*verify), 1)
    every = PddlFileProblem(Path("task.pddl"), seen=True)
    few = PddlFileProblem(Path("task.pddl"), seen=True, only="search t; toggle")
    for problem in (every, few):
        told = {problem.percepts(state, "toggle") for state in problem.initial_states()}
        assert {problem.format_percept(percept) for (percept,) in told} == {"in(x,s)", "in(x,t)"}


def test_only_the_actions_of_the_plan_are_grounded(tmp_path: Path) -> None:
    names = " ".join(f"b{number}" for number in range(3000))
    (tmp_path / "p.pddl").write_text(
        BOMBS + f"(define (problem p) (:domain toilet) (:objects {names} - bomb t u v - toilet)"
        " (:init (oneof (armed b1) (armed b2)) (unknown (clogged v))) (:goal (not (armed b1))))"
    )
    (tmp_path / "plan").write_text("(flush u)\n(dunk b7 u)\n(dunk b1 t)\n(flush u)")
    assert verify_file(tmp_path / "plan", problem=str(tmp_path / "p.pddl")).holds
    problem = PddlFileProblem(tmp_path / "p.pddl", only="dunk b7 u; flush u")
    assert len([*problem.initial_states()]) == 2  # whether v is clogged plays no part
    assert sorted({action for state in problem.initial_states() for action in problem.actions(state)}) == [
        "dunk b7 u",
        "flush u",
    ]


def test_a_problem_given_as_an_object_knows_all_actions_of_a_plan(tmp_path: Path) -> None:
    file = tmp_path / "task.pddl"
    file.write_text(HALL.replace("(oneof (open b) (open c))", "(open b)"))
    (tmp_path / "plan").write_text("(move a b)\n(light)\n(move b goal)\n")
    assert verify_file(tmp_path / "plan", problem=PddlFileProblem(file)).cost == 3
    told = verify_file(tmp_path / "plan", problem=PddlFileProblem(file, only="move a b; move b goal"))
    assert "(light)" in told.complaint
    (tmp_path / "plan").write_text("(move a b)\n(fly b goal)\n")
    with pytest.raises(InvalidPlanError, match="line 2: the domain has no action 'fly'"):
        verify_file(tmp_path / "plan", problem=PddlFileProblem(file))


def test_a_plan_is_checked_from_more_starts_than_can_be_listed(tmp_path: Path) -> None:
    names = [f"b{number}" for number in range(100)]
    unknown = " ".join(f"(unknown (armed {name}))" for name in names)
    goal = " ".join(f"(not (armed {name}))" for name in names)
    (tmp_path / "p.pddl").write_text(
        BOMBS + f"(define (problem p) (:domain toilet) (:objects {' '.join(names)} - bomb t - toilet) (:init {unknown})"
        f" (:goal (and {goal})))"
    )
    lines = [line for name in names for line in (f"(dunk {name} t)", "(flush t)")]
    plan, problem = tmp_path / "plan", str(tmp_path / "p.pddl")
    plan.write_text("\n".join(lines))
    verdict = verify_file(plan, problem=problem)
    assert verdict.lines == (f"the plan holds: 200 actions win from all {2**100:,} starts, cost 200",)
    plan.write_text("\n".join(line for line in lines if line != "(dunk b57 t)"))
    assert verify_file(plan, problem=problem).complaint == (
        "the plan does not hold: at the end the goal (not (armed b57)) does not hold, from the start where armed(b57)"
    )
    plan.write_text("; nothing\n")
    assert verify_file(plan, problem=problem).complaint.startswith(
        "the empty plan does not hold: at the end the goal (not (armed b0)) does not hold, from the start where armed("
    )
    plan.write_text("\n".join(lines[:13] + lines[14:]))
    assert "action 14, (dunk b7 t): precondition (not (clogged t)) does not hold" in str(
        verify_file(plan, problem=problem)
    )


@pytest.mark.parametrize("few", [0, 50_000])  # starts, up to which they are listed; else factors are looked for
@given(case=tasks(), data=st.data())
def test_verdicts_are_those_of_an_interpreter(
    tmp_path_factory: pytest.TempPathFactory, few: int, case: dict[str, Any], data: Any
) -> None:
    parts = (
        f"(:action a{number} :parameters ({' '.join(variables)})"
        f" :precondition {text_of(condition)} :effect {text_of(effect)})"
        for number, (variables, condition, effect) in enumerate(case["actions"])
    )
    folder = tmp_path_factory.getbasetemp() / "plans"
    folder.mkdir(exist_ok=True)
    init, goal = " ".join(map(text_of, case["init"])), text_of(case["goal"])
    (folder / "task.pddl").write_text(
        f"(define (domain d) (:predicates (p ?x) (q ?x) (r ?x)) {' '.join(parts)})"
        f"(define (problem p) (:domain d) (:objects a b) (:init {init}) (:goal {goal}))"
    )
    ground = {
        " ".join((f"a{number}", *values)): (condition, effect, dict(zip(variables, values, strict=True)))
        for number, (variables, condition, effect) in enumerate(case["actions"])
        for values in product(OBJECTS, repeat=len(variables))
    }
    begin = sorted(starts(case["init"]), key=sorted)
    if not begin:
        return
    plan = data.draw(st.lists(st.sampled_from(sorted(ground)), max_size=3))
    (folder / "random.plan").write_text("".join(f"({name})\n" for name in plan))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay, "_FEW_STARTS", few)
        verdict = verify_file(folder / "random.plan", problem=str(folder / "task.pddl"))

    def fails_at(belief: frozenset[Any]) -> int | None:
        """The number of the action that does not apply somewhere; behind the last one if the goal is missed."""
        for number, name in enumerate(plan, 1):
            condition, effect, values = ground[name]
            if not all(holds(condition, state, values) for state in belief):
                return number
            belief = frozenset(
                (state - gone) | add for state in belief for add, gone in outcomes(effect, state, values)
            )
        return None if all(holds(case["goal"], state, {}) for state in belief) else len(plan) + 1

    places = {start: fails_at(frozenset({start})) for start in begin}
    assert verdict.holds == (set(places.values()) == {None})
    if not verdict.holds:
        said = re.search(r"action (\d+),", verdict.complaint)
        first = min(place for place in places.values() if place is not None)
        assert (int(said[1]) if said else len(plan) + 1) == first
