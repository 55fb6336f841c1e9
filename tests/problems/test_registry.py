"""Over the registry: every installed puzzle keeps the contract, and every solver solves each small one."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from beliefsearch import Blindfolded, Limits, ProblemError, SearchResult, Status, check_plan, check_problem, solve
from beliefsearch.kinds import Kind
from beliefsearch.model.hooks import FactoredHook, ReversibleProblem, factors_of
from beliefsearch.model.problem import Problem
from beliefsearch.model.reachability import reachable_states
from beliefsearch.planner.solver_table import SOLVERS
from beliefsearch.plans.node_plans import GivenPlan
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.plugins.installed import list_problems
from beliefsearch.plugins.options import make_problem
from beliefsearch.proofs.check import check_policy_file
from beliefsearch.tools import load_problem_class
from beliefsearch.verify.conditional import check_node_plan

# To find a puzzle by its name, all that is installed is looked through.
puzzle: Any = cache(load_problem_class)

# Small instances, with their published or brute-forced costs (see tests/problems).
SMALL: dict[str, list[tuple[dict[str, Any], float]]] = {
    "battleship": [({"cells": 4, "ship": 2}, 3), ({"cells": 4, "ship": 2, "goal": "locate"}, 2)],
    "coin-triangle": [({"rows": 2}, 1), ({"rows": 2, "rule": "touching"}, 1)],
    "coin-turning": [({"row": "HHTTTH"}, 2), ({"row": "HHHH", "game": "mock-turtles"}, math.inf)],
    "coins-in-a-line": [({}, 2), ({"collect": 16}, math.inf)],
    "counterfeit-coin": [({"coins": 3}, 2), ({"coins": 2}, math.inf), ({"coins": 4, "find": "coin"}, 2)],
    "devil": [({"n": 2}, 3), ({"n": 3}, math.inf), ({"n": 4}, 15), ({"n": 2, "faces": 4}, 15)],
    "digital-scale": [({"bags": 3}, 3), ({"bags": 3, "coins": 4}, 1), ({"bags": 4, "counterfeit": 1}, 2)],
    "egg-drop": [({"floors": 6}, 3), ({"floors": 3, "eggs": 1}, 3)],
    "flip-exactly-k": [({"n": 4, "k": 3}, 4), ({"n": 5, "k": 2}, math.inf), ({"n": 4, "k": 3, "coins": "numbered"}, 4)],
    "fox": [({}, 6), ({"holes": 3}, 2), ({"holes": 3, "layout": "ring"}, math.inf)],
    "four-glasses": [({}, 5), ({"n": 3}, 2), ({"look": 0}, 7)],
    "frogs-and-toads": [({"frogs": 2, "toads": 1}, 5), ({"frogs": 2}, 11)],
    "hidden-number": [
        ({"limit": 6}, 3),
        ({"limit": 3, "lies": 1}, 5),
        ({"limit": 4, "lies": 1, "questions": "sets"}, 5),
    ],
    "keypad": [({"code": 2}, 5), ({"keys": 3, "code": 1}, 3)],
    "knights-swap": [({}, 16), ({"cols": 2}, math.inf)],
    "lights-out": [({"rows": 2, "cols": 2, "start": "1111"}, 4), ({"rows": 2, "cols": 3, "start": "100000"}, math.inf)],
    "lost-robot": [({"rows": 4, "cols": 4}, 8), ({"rows": 8, "cols": 8}, 20)],
    "mastermind": [({"pegs": 1, "colours": 3}, 3), ({"pegs": 2, "colours": 3}, 3)],
    "nim": [({"heaps": (2, 5)}, 3), ({"heaps": (1, 2, 3)}, math.inf)],
    "nine-tails": [({"start": "HHHTTTHHH"}, 2), ({"start": "TTTTTTTTT"}, 0)],
    "pancakes": [({}, 5), ({"start": (-1, -2, -3), "burnt": True}, 6)],
    "penny-shapes": [({"start": "ooo", "goal": "oo/o"}, 1), ({"start": "oo/o", "goal": "ooo"}, math.inf)],
    "pocket-cube": [
        ({"scramble": ("F2", "U2", "R2", "U2"), "turns": "half"}, 4),
        ({"scramble": ("R",), "turns": "half"}, math.inf),
    ],
    "reset-word": [({"cerny": 4}, 9), ({"cerny": 6}, 25)],
    "river-crossing": [({}, 7), ({"story": "missionaries"}, 11), ({"story": "jealous-husbands", "pairs": 4}, math.inf)],
    "robber": [({"graph": "cycle", "n": 4}, 2), ({"graph": "cycle", "n": 4, "cops": 1}, math.inf)],
    "romania": [({}, 418), ({"start": "Lugoj"}, 504)],
    "silver-dollar": [({"coins": ".o..o"}, 2), ({"coins": ".o.o.o"}, math.inf)],
    "sliding-tiles": [
        ({"rows": 2, "cols": 3, "start": "4 5 0 1 2 3"}, 21),
        ({"rows": 2, "cols": 2, "start": "2 1 3 0"}, math.inf),
    ],
    "star-coins": [({"points": 5, "skip": 2, "coins": 4}, 4), ({"points": 5, "skip": 2, "coins": 5}, math.inf)],
    "tait-coins": [({"pairs": 3}, 4), ({"pairs": 2}, math.inf)],
    "ten-heads": [({"coins": 4, "heads": 1}, 2), ({"coins": 3, "heads": 2, "at_once": True}, 2)],
    "vacuum": [({"squares": 2}, 4), ({"squares": 3}, 7)],
    "water-jugs": [({"jugs": (5, 3), "goal": (4,), "tap": True}, 6), ({"jugs": (4, 2), "goal": (1,)}, math.inf)],
    "wordle": [({"first": 5}, 2), ({}, 3)],
    "wumpus": [({"rows": 2, "cols": 3}, 10), ({"rows": 2, "cols": 3, "arrows": 0}, math.inf)],
}
# Stochastic problems, with their values (see tests/problems).
CHANCE: dict[str, list[tuple[dict[str, Any], Fraction]]] = {
    "fair-coin": [({}, Fraction(-4)), ({"p": Fraction(1, 4)}, Fraction(-16, 3))],
    "gambler": [({"goal": 4, "capital": 2, "exact": True}, Fraction(2, 5))],
    "monty-hall": [({}, Fraction(2, 3)), ({"doors": 4, "opened": 1, "host": "ignorant"}, Fraction(1, 4))],
    "penney": [({"theirs": "HH"}, Fraction(3, 4)), ({"theirs": "HTH"}, Fraction(2, 3))],
    "grid-world": [
        ({"grid": ".+", "slip": Fraction(0)}, Fraction(24, 25)),
        ({"grid": "..+", "slip": 0}, Fraction(23, 25)),
    ],
    "riddler-flips": [({"flips": 4, "exact": True}, Fraction(9, 16)), ({"flips": 6, "exact": True}, Fraction(37, 64))],
}
# Partially observable ones, with how many actions the game has, and the value then (see tests/problems/test_odds.py).
ODDS: dict[str, list[tuple[dict[str, Any], int, Fraction]]] = {
    "biased-coin": [({}, 3, Fraction(21, 32)), ({"flips": 1}, 2, Fraction(5, 8))],
    "machine-repair": [({"discounted": "0.5"}, 2, Fraction(9025, 10_000) + Fraction(819_025, 2_000_000))],
    "maze": [({"grid": ".+", "slip": "0"}, 2, Fraction(-4, 100) + Fraction(95, 100))],
    "noisy-monty-hall": [({}, 2, Fraction(3, 5))],
    "oil-field": [({}, 2, Fraction(1)), ({"blocks": 4, "worth": "2"}, 2, Fraction(1, 2))],
    "random-devil": [({"n": 2, "within": 1}, 1, Fraction(1, 2)), ({"n": 3, "within": 2}, 2, Fraction(3, 8))],
    "rock-sample": [({"size": 2, "rocks": 1}, 2, Fraction(19, 2))],
    "tag": [({"grid": "."}, 1, Fraction(10))],
    "tiger": [({}, 2, Fraction(-195, 100))],
    "twenty-questions": [({"odds": "1 1 1"}, 3, Fraction(-5, 3))],
}
CASES = [(name, options, cost) for name, cases in SMALL.items() for options, cost in cases]
OPTIMAL = {
    "breadth-first",
    "uniform-cost",
    "astar",
    "ida-star",
    "bidirectional",
    "regression",
    "and-or",
    "and-or-graph",
    "alpha-beta",
    "anytime-weighted-astar",
}
# AND-OR search within growing bounds need not end soon where there is no plan, nor minimax.
LIMITS = {"and-or": Limits(expanded=2_000), "alpha-beta": Limits(expanded=2_000)}


def goes_with(solver: str, name: str, options: dict[str, Any]) -> bool:
    kind: type[Any] = puzzle(name)
    entry = SOLVERS[solver]
    if entry.objective != "worst":
        return False
    if entry.factored:
        return issubclass(kind, FactoredHook) and factors_of(kind(**options)) is not None
    if not issubclass(kind, Problem):
        return Kind.CONTINGENT in entry.functions or kind(**options).is_sensorless()
    return Kind.PLAIN in entry.functions and (not entry.backwards or issubclass(kind, ReversibleProblem))


def test_every_installed_puzzle_of_ours_has_small_instances_here() -> None:
    assert {item.name for item in list_problems() if item.distribution.startswith("beliefsearch ")} == {
        *SMALL,
        *CHANCE,
        *ODDS,
    }


@pytest.mark.parametrize(("name", "options", "cost"), CASES)
def test_every_puzzle_keeps_the_contract(name: str, options: dict[str, Any], cost: float) -> None:
    report = check_problem(puzzle(name)(**options))
    assert report.passed, report.violations
    assert report.complete


@pytest.mark.few(90)
@pytest.mark.parametrize(
    ("name", "options", "cost", "solver"),
    [(*case, solver) for case in CASES for solver in SOLVERS if goes_with(solver, *case[:2])],
)
def test_every_solver_on_every_small_puzzle(name: str, options: dict[str, Any], cost: float, solver: str) -> None:
    problem: Any = puzzle(name)(**options)
    limits = LIMITS.get(solver) if cost == math.inf or solver == "alpha-beta" else None
    result = solve(problem, solver=solver, limits=limits)
    if limits is not None and result.status is Status.UNDECIDED:
        return
    assert result.status is (Status.SOLVED if cost < math.inf else Status.UNSOLVABLE)
    if solver in OPTIMAL and (solver != "breadth-first" or problem.has_unit_costs()):
        assert result.cost == cost
    if result.plan is not None:
        assert result.cost is not None
        assert result.lower_bound <= cost <= result.cost
        assert holds(problem, result)


def holds(problem: Any, result: SearchResult[Any]) -> bool:
    """Whether the plan wins at its cost, as the checker of such plans has it."""
    if result.plan is not None and not result.plan.is_conditional and result.objective == "worst":
        return check_plan(problem, result.plan, claimed_cost=result.cost).holds
    plan = result.require_conditional_plan()
    return check_node_plan(problem, GivenPlan(plan), result.cost, result.objective).holds


@pytest.mark.few(13)
@pytest.mark.parametrize(
    ("name", "options", "cost"),
    [case for case in CASES if not issubclass(load_problem_class(case[0]), Problem) and case[2] != 20],  # too long
)
def test_the_mean_is_no_more_than_the_worst(name: str, options: dict[str, Any], cost: float) -> None:
    problem: Any = puzzle(name)(**options)
    if any(len(set(problem.results(state, a))) > 1 for state, acts in reachable_states(problem).items() for a in acts):
        with pytest.raises(ProblemError, match="use the worst case"):
            solve(problem, objective="expected")
        return
    result = solve(problem, solver="expected-and-or", objective="expected")
    assert (result.status is Status.SOLVED) == (cost < math.inf)
    if result.plan is not None:
        assert result.cost is not None
        assert result.lower_bound == result.cost <= cost
        assert holds(problem, result)


@pytest.mark.parametrize(
    "solver", [name for name, entry in SOLVERS.items() if entry.objective == "worst" and not entry.factored]
)
@pytest.mark.parametrize(
    ("name", "options"), [("nine-tails", {"rows": 2, "cols": 2}), ("lights-out", {"rows": 1, "cols": 3})]
)
def test_every_solver_on_every_small_puzzle_blindfolded(name: str, options: dict[str, Any], solver: str) -> None:
    problem: Blindfolded[Any, Any] = Blindfolded(puzzle(name)(**options))
    result = solve(problem, solver=solver)
    assert check_plan(problem, result.require_plan(), claimed_cost=result.cost).holds
    if solver in OPTIMAL:
        assert result.cost == solve(problem, solver="breadth-first", engine="naive").cost


@pytest.mark.parametrize(
    ("name", "options", "value"), [(name, *case) for name, cases in CHANCE.items() for case in cases]
)
def test_stochastic_puzzles_keep_the_contract_and_have_values(
    name: str, options: dict[str, Any], value: Fraction
) -> None:
    problem: Any = puzzle(name)(**options)
    report = check_problem(problem)
    assert report.passed, report.violations
    assert report.complete
    assert solve(problem, solver="policy-iteration").value == value
    result = solve(problem)
    document: Any = plan_document(result, problem, name=name, parameters={})
    found = check_policy_file(problem, document["plan"], document["value"])
    assert (found.holds, found.value) == (True, value)


@pytest.mark.parametrize(
    ("name", "options", "horizon", "value"), [(name, *case) for name, cases in ODDS.items() for case in cases]
)
def test_every_partially_observable_puzzle_keeps_the_contract_and_has_its_value(
    name: str, options: dict[str, Any], horizon: int, value: Fraction
) -> None:
    problem: Any = make_problem(puzzle(name), options)
    report = check_problem(problem)
    assert report.passed, report.violations
    assert report.complete
    assert solve(problem, horizon=horizon).value == value
