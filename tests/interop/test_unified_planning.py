"""The engine of unified-planning: its problems are solved, its plans validated, and nothing is claimed unproved."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

up = pytest.importorskip("unified_planning")

from unified_planning.engines import PlanGenerationResultStatus as Found  # noqa: E402
from unified_planning.engines import SequentialPlanValidator  # noqa: E402
from unified_planning.engines.results import FailedValidationReason, ValidationResultStatus  # noqa: E402
from unified_planning.io import PDDLReader, PDDLWriter  # noqa: E402
from unified_planning.model import ContingentProblem, SensingAction  # noqa: E402
from unified_planning.plans import ContingentPlan  # noqa: E402
from unified_planning.shortcuts import (  # noqa: E402
    And,
    BoolType,
    Equals,
    Exists,
    Forall,
    Iff,
    Implies,
    InstantaneousAction,
    MinimizeActionCosts,
    MinimizeSequentialPlanLength,
    Not,
    Object,
    OneshotPlanner,
    Or,
    UserType,
    Variable,
    get_environment,
)
from unified_planning.test.examples import get_example_problems  # noqa: E402

from beliefsearch import BeliefSearchError, solve  # noqa: E402
from beliefsearch.interop.unified_planning import Engine  # noqa: E402
from beliefsearch.interop.written_problem import WrittenProblem  # noqa: E402
from beliefsearch_problems.files.pddl import PddlFileProblem  # noqa: E402

THEIRS = Path(up.__file__).parent / "test" / "contingent_pddl"
EXAMPLES = get_example_problems()


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """Register the engine as the manual says, without the credits that the library prints."""
    environment = get_environment()
    environment.credits_stream = None
    if "beliefsearch" not in environment.factory.engines:
        environment.factory.add_engine("beliefsearch", "beliefsearch.interop.unified_planning", "Engine")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def hall(rooms: int = 2, *, sensing: bool = True) -> Any:
    """A hall with rooms of which one has a door that is open, or with a lever for each that opens it."""
    room = UserType("room")
    problem = ContingentProblem("hall")
    rooms_there = [Object(f"Room {number}", room) for number in range(rooms)]  # with a space, and in capitals
    problem.add_objects(rooms_there)
    is_open = problem.add_fluent("is open", BoolType(), default_initial_value=False, x=room)
    inside = problem.add_fluent("inside", BoolType(), default_initial_value=False)
    enter = InstantaneousAction("Enter", x=room)
    enter.add_precondition(is_open(enter.x))
    enter.add_effect(inside, True)
    problem.add_action(enter)
    if sensing:
        look = SensingAction("look", x=room)
        look.add_precondition(Not(inside))
        look.add_observed_fluent(is_open(look.x))
        problem.add_action(look)
    else:
        pull = InstantaneousAction("pull", x=room)
        pull.add_effect(is_open(pull.x), Not(is_open(pull.x)))
        problem.add_action(pull)
    problem.add_oneof_initial_constraint([is_open(one) for one in rooms_there])
    problem.add_goal(inside)
    return problem


def solved(problem: Any, **options: Any) -> Any:
    with OneshotPlanner(name="beliefsearch", params=options) as planner:
        return planner.solve(problem, timeout=60)


@pytest.mark.parametrize("rooms", [1, 2, 4])
def test_a_contingent_problem_is_solved_and_the_plan_is_valid(rooms: int) -> None:
    problem = hall(rooms)
    problem.add_quality_metric(MinimizeSequentialPlanLength())
    found = solved(problem)
    assert found.status == Found.SOLVED_OPTIMALLY
    assert isinstance(found.plan, ContingentPlan)
    assert found.metrics["cost"] == str(rooms)  # all doors but one are looked at, at worst
    verdict = Engine().validate(problem, found.plan)
    assert verdict.status == ValidationResultStatus.VALID
    assert [*verdict.metric_evaluations.values()] == [rooms]


def test_what_is_wrong_with_a_contingent_plan_is_told() -> None:
    problem = hall(2)
    plan = solved(problem).plan
    root = plan.root_node
    assert root.action_instance.action.name == "look"
    (seen, child), (other, otherwise) = root.children
    assert {value.is_true() for told in (seen, other) for value in told.values()} == {True, False}
    root._children[:] = [(other, child), (seen, otherwise)]
    wrong = Engine().validate(problem, plan)
    assert wrong.reason == FailedValidationReason.INAPPLICABLE_ACTION
    assert wrong.inapplicable_action.action.name == "Enter"
    root._children[:] = [(seen, child)]  # and nothing is done else
    short = Engine().validate(problem, plan)
    assert (short.status, short.reason) == (ValidationResultStatus.INVALID, FailedValidationReason.UNSATISFIED_GOALS)
    assert Engine().validate(problem, ContingentPlan(None)).reason == FailedValidationReason.UNSATISFIED_GOALS


def test_a_conformant_problem_is_solved_or_proved_to_have_no_plan() -> None:
    blind = hall(2, sensing=False)  # each lever changes a door, and which one was open is never known
    found = solved(blind)
    assert (found.status, found.plan) == (Found.UNSOLVABLE_PROVEN, None)
    wide = InstantaneousAction("pull all")
    room = Variable("r", UserType("room"))
    wide.add_effect(blind.fluent("is open")(room), True, forall=[room])
    blind.add_action(wide)
    found = solved(blind)
    assert found.status == Found.SOLVED_SATISFICING  # without a metric nothing is the best
    actions = [
        found.plan.root_node.action_instance,
        *(child.action_instance for _, child in found.plan.root_node.children),
    ]
    assert [each.action.name for each in actions] == ["pull all", "Enter"]
    assert Engine().validate(blind, found.plan)


def test_what_is_not_supported_is_never_called_unsolvable() -> None:
    problem = hall(2)
    two = SensingAction("look at both")
    for one in problem.all_objects:
        two.add_observed_fluent(problem.fluent("is open")(one))
    problem.add_action(two)
    found = solved(problem)
    assert found.status == Found.UNSUPPORTED_PROBLEM
    assert "observes 2 fluents at once" in found.log_messages[0].message
    assert Engine().validate(problem, ContingentPlan(None)).status == ValidationResultStatus.UNKNOWN
    many = ContingentProblem("many")  # with a thousand million starts
    clear = InstantaneousAction("clear")
    for number in range(30):
        fluent = many.add_fluent(f"f{number}", BoolType(), default_initial_value=False)
        many.add_unknown_initial_constraint(fluent)
        clear.add_effect(fluent, False)
        many.add_goal(Not(fluent))
    many.add_action(clear)
    found = solved(many)
    assert found.status in (Found.SOLVED_SATISFICING, Found.UNSUPPORTED_PROBLEM)


def test_a_limit_is_a_timeout() -> None:
    reader = PDDLReader()
    problem = reader.parse_problem(str(THEIRS / "colorballs/domain.pddl"), str(THEIRS / "colorballs/problem.pddl"))
    with OneshotPlanner(name="beliefsearch", params={"solver": "and-or"}) as planner:
        assert planner.solve(problem, timeout=0.2).status == Found.TIMEOUT


@pytest.mark.filterwarnings("ignore::beliefsearch.errors.DataWarning")  # of another domain's name
@pytest.mark.parametrize("name", ["colorballs", "logistic_conf"])
def test_a_file_means_the_same_to_both_readers(name: str) -> None:
    domain, task = (THEIRS / name / f"{part}.pddl" for part in ("domain", "problem"))
    theirs = WrittenProblem(PDDLReader().parse_problem(str(domain), str(task))).problem()
    ours = PddlFileProblem(task, domain)
    as_facts = [{frozenset(p.format_state(state).split(", ")) for state in p.initial_states()} for p in (ours, theirs)]
    assert as_facts[0] == as_facts[1]
    start = next(iter(ours.initial_states()))
    same = theirs.parse_state(ours.format_state(start))
    assert {*ours.actions(start)} == {*theirs.actions(same)}


@pytest.mark.parametrize("name", [name for name, case in EXAMPLES.items() if Engine.supports(case.problem.kind)])
def test_their_examples_are_solved_and_judged_as_they_say(name: str) -> None:
    case = EXAMPLES[name]
    found = solved(case.problem)
    if name == "basic_undef_bool":
        assert found.status == Found.UNSUPPORTED_PROBLEM
        return
    assert (found.plan is not None) == case.solvable
    assert SequentialPlanValidator().validate(case.problem, found.plan)
    mine = Engine()
    assert all(mine.validate(case.problem, plan) for plan in case.valid_plans)
    assert not any(mine.validate(case.problem, plan) for plan in case.invalid_plans)


CLASSICAL = [
    name
    for name, case in EXAMPLES.items()
    if Engine.supports(case.problem.kind) and not case.problem.kind.has_undefined_initial_symbolic()
]


@pytest.mark.parametrize("name", CLASSICAL)
def test_their_files_are_read_and_cost_the_same(name: str, tmp_path: Path) -> None:
    case = EXAMPLES[name]
    writer = PDDLWriter(case.problem)
    writer.write_domain(str(tmp_path / "domain.pddl"))
    writer.write_problem(str(tmp_path / "problem.pddl"))
    ours = solve(PddlFileProblem(tmp_path / "problem.pddl"))
    assert str(ours.cost) == solved(case.problem).metrics["cost"]


def test_most_of_their_examples_are_supported() -> None:
    assert sum(Engine.supports(case.problem.kind) for case in EXAMPLES.values()) >= 20


def test_every_condition_is_understood() -> None:
    """Formulas in one task of each kind: their own simulator says which plans apply."""
    thing = UserType("thing")
    problem = up.model.Problem("all")
    one, two = problem.add_object("one", thing), problem.add_object("two", thing)
    p = problem.add_fluent("p", BoolType(), default_initial_value=False, x=thing)
    done = problem.add_fluent("done", BoolType(), default_initial_value=False)
    problem.set_initial_value(p(one), True)
    x = Variable("x", thing)
    conditions = [
        Or(p(one), p(two)),
        And(p(one), Not(p(two))),
        Implies(p(one), p(two)),
        Iff(p(one), Not(p(two))),
        Exists(And(p(x), Equals(x, one)), x),
        Forall(Or(p(x), Not(Equals(x, one))), x),
        Forall(p(x), x),
        Exists(And(p(x), Exists(Not(p(x)), x)), x),
    ]
    for number, condition in enumerate(conditions):
        action = InstantaneousAction(f"a{number}")
        action.add_precondition(condition)
        action.add_effect(done, True)
        problem.add_action(action)
    problem.add_goal(done)
    for action in problem.actions:
        plan = up.plans.SequentialPlan([up.plans.ActionInstance(action)])
        theirs = SequentialPlanValidator().validate(problem, plan)
        assert Engine().validate(problem, plan).status == theirs.status, action.name


def test_an_anytime_planner_gives_better_and_better_plans() -> None:
    problem = EXAMPLES["locations_connected_cost_minimize"].problem
    with up.shortcuts.AnytimePlanner(name="beliefsearch") as planner:
        found = [*planner.get_solutions(problem, timeout=60)]
    assert found[-1].status == Found.SOLVED_OPTIMALLY
    assert all(each.status == Found.INTERMEDIATE for each in found[:-1])
    costs = [SequentialPlanValidator().validate(problem, each.plan).metric_evaluations for each in found]
    values = [value for each in costs for value in each.values()]
    assert values == sorted(values, reverse=True)
    assert isinstance(problem.quality_metrics[0], MinimizeActionCosts)


def test_an_option_of_solve_is_passed_on() -> None:
    found = solved(EXAMPLES["robot_loader"].problem, solver="iterative-deepening")
    assert found.status == Found.SOLVED_SATISFICING
    with pytest.raises(BeliefSearchError, match="no-such"):
        solved(EXAMPLES["robot_loader"].problem, solver="no-such")
