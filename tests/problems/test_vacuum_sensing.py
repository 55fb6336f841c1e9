"""The vacuum world that sees something, or does not work as it should: the plans of the book, and brute force."""

from __future__ import annotations

import math
from typing import Any

import pytest

from beliefsearch import Status, solve
from beliefsearch_problems.vacuum import VacuumProblem

from ..contingent_problems import cost_of_plan, outcomes, wins_in_the_end
from ..examples import thorough
from .contingent_brute_force import least_worst_cost
from .layers import assert_solved

# The numbers that the book gives the states of two squares.
BOOK = {1: (0, "**"), 2: (1, "**"), 3: (0, "*."), 4: (1, "*."), 5: (0, ".*"), 6: (1, ".*"), 7: (0, ".."), 8: (1, "..")}


def unfolded(problem: VacuumProblem, plan: Any, node: int = 0) -> list[Any]:
    """A plan as in the book: an action, and by percept the rest; what is the same for all stands alone."""
    step = plan.nodes[node]
    if step.is_end:
        return []
    rests = {problem.format_percept(percept): unfolded(problem, plan, target) for percept, target in step.branches}
    first, *others = rests.values()
    return [step.action, *(first if all(other == first for other in others) else [rests])]


def numbers(states: Any) -> set[int]:
    return {number for number, state in BOOK.items() if state in set(states)}


# Published: section 4.3.1, and the graph of its figure on the erratic vacuum world.
@pytest.mark.parametrize(
    ("before", "after"),
    [(1, {5, 7}), (2, {4, 8}), (3, {7}), (4, {2, 4}), (5, {1, 5}), (6, {8}), (7, {3, 7}), (8, {6, 8})],
)
def test_the_erratic_vacuum_does_what_the_book_says(before: int, after: set[int]) -> None:
    problem = VacuumProblem(variant="erratic", sensing="full")
    assert numbers(problem.results(BOOK[before], "Suck")) == after
    assert problem.results(BOOK[before], "Right") == VacuumProblem().results(BOOK[before], "Right")


def test_the_erratic_plan_of_the_book() -> None:
    problem = VacuumProblem(variant="erratic", sensing="full", start=BOOK[1])
    sucked = outcomes(problem, frozenset({BOOK[1]}), "Suck")
    assert {percept: numbers(belief) for percept, belief in sucked.items()} == {BOOK[5]: {5}, BOOK[7]: {7}}
    assert least_worst_cost(problem) == 3
    assert least_worst_cost(VacuumProblem(variant="erratic", sensing="full", start=BOOK[5])) == 2
    assert least_worst_cost(VacuumProblem(variant="erratic", sensing="full", start=BOOK[7])) == 0
    assert unfolded(problem, assert_solved(problem, 3).plan) == ["Suck", {"[.]*": ["Right", "Suck"], "[.].": []}]


# Published: section 4.3.3. In state 5, after Suck, Right leads to 5 again or to 6.
def test_the_slippery_vacuum_has_only_a_cyclic_plan() -> None:
    problem = VacuumProblem(variant="slippery", sensing="full", start=BOOK[1])
    assert numbers(problem.results(BOOK[5], "Right")) == {5, 6}
    assert numbers(problem.results(BOOK[5], "Left")) == {5}
    assert numbers(problem.results(BOOK[1], "Suck")) == {5}
    assert least_worst_cost(problem) == math.inf
    assert wins_in_the_end(problem)
    result = solve(problem)
    assert result.status is Status.SOLVED
    assert result.cost == math.inf
    plan: Any = result.plan
    assert plan.is_cyclic
    assert cost_of_plan(problem, plan) == math.inf
    # Suck; while in state 5 Right; Suck.
    moving = plan.follow(0, BOOK[5])
    cleaning = plan.follow(moving, BOOK[6])
    assert [plan.nodes[number].action for number in (0, moving, cleaning)] == ["Suck", "Right", "Suck"]
    assert plan.follow(moving, BOOK[5]) == moving
    assert plan.nodes[plan.follow(cleaning, BOOK[8])].is_end


# Published: section 4.4.3, the initial percept being [A, Dirty].
def test_the_plan_of_the_book_with_local_sensing() -> None:
    problem = VacuumProblem(sensing="local", seen=(0, "*"))
    belief = frozenset(problem.initial_states())
    assert numbers(belief) == {1, 3}
    (sucked,) = outcomes(problem, belief, "Suck").values()
    assert numbers(sucked) == {5, 7}
    assert {problem.format_percept(p): numbers(b) for p, b in outcomes(problem, sucked, "Right").items()} == {
        "B, dirty": {6},
        "B, clean": {8},
    }
    assert least_worst_cost(problem) == 3
    assert unfolded(problem, assert_solved(problem, 3).plan) == [
        "Suck",
        "Right",
        {"B, dirty": ["Suck"], "B, clean": []},
    ]


# No published figures but those without sensing (3N - 2); the others are the brute force's own, kept here so that
# the model stays what it is.
@pytest.mark.parametrize(
    ("variant", "sensing", "costs"),
    [
        ("deterministic", "none", [1, 4, 7]),
        thorough("deterministic", "none", [1, 4, 7, 10]),
        ("deterministic", "local", [1, 3, 6, 8]),
        ("deterministic", "full", [1, 3, 6, 8]),
        ("erratic", "none", [math.inf] * 4),
        ("erratic", "local", [2, 4, 7, 9]),
        ("erratic", "full", [2, 4, 7, 9]),
        ("slippery", "none", [1, math.inf, math.inf, math.inf]),
        ("slippery", "local", [1, math.inf, math.inf, math.inf]),
    ],
)
def test_costs_of_all_variants(variant: str, sensing: str, costs: list[float]) -> None:
    found = []
    for squares in range(1, len(costs) + 1):
        problem = VacuumProblem(squares=squares, variant=variant, sensing=sensing)
        found.append(least_worst_cost(problem))
        assert problem.is_sensorless() == (sensing == "none")
        assert wins_in_the_end(problem) == (sensing != "none" or found[-1] < math.inf)
        result = solve(problem)
        assert result.cost == found[-1]
        assert (result.status is Status.SOLVED) == wins_in_the_end(problem)
        if sensing != "none":
            assert cost_of_plan(problem, result.plan) == found[-1]
    assert found == costs


def test_between_two_neighbours_the_erratic_vacuum_cleans_one_at_most() -> None:
    problem = VacuumProblem(squares=4, variant="erratic")
    assert list(map(problem.format_state, problem.results((1, "***."), "Suck"))) == ["*[.]*.", ".[.]*.", "*[.].."]
    assert list(map(problem.format_state, problem.results((3, "***."), "Suck"))) == ["***[.]", "***[*]"]


def test_what_is_known_at_the_start_is_read() -> None:
    assert set(VacuumProblem(squares=3, seen=(2, ".")).initial_states()) == {
        (2, a + b + ".") for a in "*." for b in "*."
    }


def test_percepts_read_as_the_book_writes_them() -> None:
    state = (1, "*.")
    for sensing, text in (("none", "nothing"), ("local", "B, clean"), ("full", "*[.]")):
        problem = VacuumProblem(sensing=sensing)
        (percept,) = problem.percepts(state, "Right")
        assert problem.format_percept(percept) == text
