"""Closed-loop greedy search: its plans hold, what it calls unsolvable is, and relaxed plans guide it."""

from __future__ import annotations

import math
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from beliefsearch import Limits, check_plan, save, solve, verify_file
from beliefsearch.cli.progress import Progress
from beliefsearch.plans.result import Status
from beliefsearch.plans.verdict import result_verdict
from beliefsearch.running.observer import Observer
from beliefsearch_problems.files.pddl import PddlFileProblem

from ..contingent_problems import SightedTable, cost_of_plan, sighted_problems, wins_in_the_end, worst_costs
from ..examples import examples

# Columns of cells; in every other one a single cell is open, and the player looks at the cell beside him.
HALL = """
(define (domain hall)
 (:predicates (at ?c ?r) (open ?c ?r) (right ?a ?b) (up ?a ?b))
 (:action look :parameters (?c ?r ?d) :precondition (and (at ?c ?r) (right ?c ?d)) :observe (open ?d ?r))
 (:action across :parameters (?c ?r ?d) :precondition (and (at ?c ?r) (right ?c ?d) (open ?d ?r))
  :effect (and (at ?d ?r) (not (at ?c ?r))))
 (:action along :parameters (?c ?r ?s) :precondition (and (at ?c ?r) (or (up ?r ?s) (up ?s ?r)) (open ?c ?s))
  :effect (and (at ?c ?s) (not (at ?c ?r)))))
"""


def hall(folder: Path, columns: int, rows: int) -> PddlFileProblem:
    """The task with so many columns and rows, from one end to the other."""
    cs, rs = [f"c{c}" for c in range(columns)], [f"r{r}" for r in range(rows)]
    rights = "".join(f"(right {a} {b})" for a, b in pairwise(cs))
    ups = "".join(f"(up {a} {b})" for a, b in pairwise(rs))
    known = "".join(f"(open {c} {r})" for c in cs[::2] for r in rs)
    doors = "".join("(oneof " + "".join(f"(open {c} {r})" for r in rs) + ")" for c in cs[1::2])
    (folder / "hall.pddl").write_text(
        HALL + f"(define (problem p) (:domain hall) (:objects {' '.join(cs + rs)}) "
        f"(:init (at c0 r0) {rights} {ups} {known} {doors}) (:goal (at {cs[-1]} r0)))"
    )
    return PddlFileProblem(folder / "hall.pddl")


@pytest.mark.parametrize("engine", ["naive", "bits"])
@given(problem=sighted_problems())
@settings(max_examples=examples(16))
def test_plans_hold_and_only_what_has_none_is_unsolvable(engine: str, problem: SightedTable) -> None:
    least = worst_costs(problem)[frozenset(problem.starts)]
    result = solve(problem, solver="closed-loop-greedy", engine=engine)
    if result.status is Status.UNSOLVABLE:
        assert least == math.inf
        assert problem.adversary or not wins_in_the_end(problem)
        return
    assert result.status is Status.SOLVED
    assert result.lower_bound <= least
    assert (result.cost == math.inf) == (least == math.inf)
    plan = result.require_conditional_plan()
    assert check_plan(problem, result).holds
    cost = cost_of_plan(problem, plan)
    assert cost is not None
    assert least <= cost
    assert result.cost is not None
    assert cost <= result.cost, "a plan for more states may be followed, whose worst case never comes"


def test_a_plan_far_larger_than_the_search(tmp_path: Path) -> None:
    problem = hall(tmp_path, 9, 3)
    result = solve(problem, solver="closed-loop-greedy")
    assert result.heuristic == "relaxed-plan"
    assert check_plan(problem, result).holds
    plan = result.require_conditional_plan()
    assert result.stats.expanded < 4 * plan.steps
    least = solve(problem, solver="and-or-graph").cost
    assert least is not None
    assert result.cost is not None
    assert least <= result.cost <= 2 * least


def test_who_names_the_engine_bits_waits_for_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = hall(tmp_path, 5, 4)
    monkeypatch.setitem(sys.modules, "numba", None)  # cannot be imported
    result = solve(problem, solver="closed-loop-greedy", engine="bits")
    assert (result.status, result.heuristic) == (Status.SOLVED, "best")
    assert check_plan(problem, result).holds


def test_facts_tell_what_is_perceived(tmp_path: Path) -> None:
    problem = hall(tmp_path, 3, 3)
    facts: Any = problem.facts()
    waiting = [*problem.initial_states()]
    met = set(waiting)
    told = 0
    while waiting:
        state = waiting.pop()
        holds = set(facts.of(state))
        assert problem.is_goal(state) == all(holds.intersection(clause) for clause in facts.goal)
        for action, needs in facts.needs.items():
            assert (action in problem.actions(state)) == all(holds.intersection(clause) for clause in needs)
        for action in problem.actions(state):
            (after,) = problem.results(state, action)
            expected = {percept for act, when, percept in facts.percepts if act == action and holds.issuperset(when)}
            if problem.percepts(after, action) != (None,):
                assert expected == {not problem.percepts(after, action)[0].startswith("not ")}
                told += 1
            if after not in met:
                met.add(after)
                waiting.append(after)
    assert told


class Hears(Observer):
    """Takes down the plans that are announced."""

    def __init__(self) -> None:
        self.costs: list[Any] = []

    def improved(self, cost: Any, bound: Any) -> None:
        self.costs.append(cost)


def test_a_plan_is_there_soon_and_is_kept_when_a_limit_is_reached(tmp_path: Path) -> None:
    problem, heard = hall(tmp_path, 7, 5), Hears()
    result = solve(problem, limits=Limits(expanded=3_000), observer=heard)
    assert result.status is Status.SOLVED
    assert not result.optimal
    assert heard.costs == [result.cost]
    assert check_plan(problem, result).holds
    almost = solve(problem, objective="almost-sure", limits=Limits(expanded=3_000))  # asks for no cheaper one
    assert (almost.status, almost.reason, almost.plan) == (Status.SOLVED, None, result.plan)


def test_limits_are_heard(tmp_path: Path) -> None:
    result = solve(hall(tmp_path, 9, 3), solver="closed-loop-greedy", limits=Limits(expanded=5))
    assert result.status is Status.UNDECIDED
    assert result.stats.expanded == 5


# Coins in a row: a toss shows what chance wants, and the last coin may roll away for good, unless it is caught first.
COINS = """
(define (domain coins)
 (:predicates (heads ?c) (lost) (caught) (last ?c))
 (:action toss :parameters (?c) :precondition (and (not (lost)) (not (last ?c)))
  :effect (oneof (heads ?c) (not (heads ?c))))
 (:action risk :parameters (?c) :precondition (and (not (lost)) (last ?c))
  :effect (oneof (heads ?c) (and (not (heads ?c)) (when (not (caught)) (lost)))))
 (:action catch :effect (caught)))
"""


def coins(folder: Path, count: int, *, lost: bool = False) -> PddlFileProblem:
    names = [f"c{number}" for number in range(count)]
    goal = "".join(f"(heads {name})" for name in names)
    start = f"(last {names[-1]}) {'(lost)' if lost else ''}"
    head = f"(define (problem p) (:domain coins) (:objects {' '.join(names)})"
    (folder / "coins.pddl").write_text(f"{COINS} {head} (:init {start}) (:goal (and {goal})))")
    return PddlFileProblem(folder / "coins.pddl", seen=True)


def test_a_plan_that_keeps_trying_is_there_soon(tmp_path: Path) -> None:
    problem = coins(tmp_path, 30)  # 2^30 states
    result = solve(problem, solver="closed-loop-greedy", limits=Limits(expanded=500))
    assert (result.status, result.cost, result.optimal) == (Status.SOLVED, math.inf, False)
    assert "not proved" in result_verdict(result, plain=False)
    assert result.require_conditional_plan().is_cyclic
    assert check_plan(problem, result).holds  # no coin is risked that was not caught
    save(result, tmp_path / "plan.json")
    assert verify_file(tmp_path / "plan.json", problem=PddlFileProblem).holds
    sure = solve(problem, objective="almost-sure", limits=Limits(expanded=50_000))  # which are not needed
    assert (sure.status, sure.reason, sure.plan) == (Status.SOLVED, None, result.plan)
    few = solve(coins(tmp_path, 3))
    assert (few.cost, few.lower_bound) == (math.inf, math.inf)
    assert "it is proved that no plan is sure to win" in result_verdict(few, plain=False)


def test_a_plan_that_keeps_trying_is_announced_and_the_answer_once_no_other_is_sure_to_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem, heard = coins(tmp_path, 12), Hears()
    result = solve(problem, observer=heard)
    assert heard.costs == [math.inf]
    assert (result.status, result.cost, result.lower_bound) == (Status.SOLVED, math.inf, math.inf)
    assert check_plan(problem, result).holds
    Progress(quiet=False).improved(math.inf, 0)
    assert "a plan that keeps trying; one that is sure to end is looked for" in capsys.readouterr().err


@pytest.mark.parametrize("solver", ["auto", "and-or-graph", "and-or", "closed-loop-greedy"])
def test_that_plans_that_keep_trying_are_excluded_is_said(tmp_path: Path, solver: str) -> None:
    (tmp_path / "trap.pddl").write_text(
        "(define (domain trap) (:predicates (won) (lost) (done)) (:action try :precondition (not (lost)) "
        ":effect (oneof (won) (lost))))(define (problem p) (:domain trap) (:init) (:goal (won)))"
    )
    result = solve(PddlFileProblem(tmp_path / "trap.pddl", seen=True), solver=solver)
    assert result.status is Status.UNSOLVABLE
    assert result_verdict(result, plain=False).endswith("no plan is sure to win; not even one that keeps trying")


def test_what_is_lost_is_known_from_relaxed_plans(tmp_path: Path) -> None:
    problem = coins(tmp_path, 30, lost=True)
    assert solve(problem, limits=Limits(expanded=2_000)).status is Status.UNSOLVABLE
