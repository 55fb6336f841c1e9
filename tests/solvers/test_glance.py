"""A search within bounds that looks at promising actions first: few expansions, and a plan when a limit stops it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from beliefsearch import BeliefProblem, Limits, Status, check_plan, solve
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.hidden_number import HiddenNumberProblem

from ..examples import thorough
from ..problems.test_hidden_number import pelc


# Dyson, 1946: (3**k - 3) / 2 coins by k weighings; 3**k if it is known which kind is counterfeit.
@pytest.mark.parametrize(
    ("options", "weighings"),
    [
        thorough({"coins": 100}, 5),
        ({"coins": 120}, 5),
        ({"coins": 121}, 6),
        thorough({"coins": 243, "kind": "heavy"}, 5),
        ({"coins": 81, "kind": "heavy"}, 4),
    ],
)
def test_many_coins_are_solved_at_a_glance(options: dict[str, Any], weighings: int) -> None:
    problem = CounterfeitCoinProblem(**options)
    result = solve(problem, solver="and-or")
    assert (result.cost, result.lower_bound) == (weighings, weighings)
    assert result.stats.expanded <= 20
    assert check_plan(problem, result.require_conditional_plan()).holds


def test_forty_numbers_and_a_lie() -> None:
    # OEIS A325908: 40 is the most for nine comparisons. The formula for sets is Pelc's, 1987.
    for questions, cost in (("comparisons", 9), ("sets", pelc(40))):
        problem = HiddenNumberProblem(limit=40, lies=1, questions=questions)
        result = solve(problem, solver="and-or")
        assert (result.cost, result.lower_bound) == (cost, cost)
        assert check_plan(problem, result.require_conditional_plan()).holds


def test_a_stopped_search_gives_the_plan_that_it_has_seen() -> None:
    # OEIS A325908: seven comparisons are enough for 12 numbers. Berlekamp's weights alone would let them be for 16.
    problem = HiddenNumberProblem(limit=13, lies=1)
    stopped = solve(problem, solver="and-or", limits=Limits(expanded=50))
    assert stopped.status is Status.SOLVED
    assert (stopped.cost, stopped.lower_bound, stopped.stats.expanded) == (8, 7, 50)
    assert stopped.reason
    assert check_plan(problem, stopped.require_conditional_plan()).holds
    assert solve(problem, solver="and-or", limits=Limits(expanded=5)).status is Status.UNDECIDED
    assert (solve(problem, solver="and-or").cost, solve(problem, solver="and-or").lower_bound) == (8, 8)


class _WorstFirst(HiddenNumberProblem):  # type: ignore[misc]  # mypy does not see the puzzles
    """The same, with the least promising questions first."""

    def distinct_actions(self, belief: frozenset[Any]) -> Iterator[Any]:
        return iter(list(super().distinct_actions(belief))[::-1])


@pytest.mark.parametrize("limit", [2, 5, 9, thorough(11)])
def test_what_a_glance_does_not_see_is_not_taken_for_lost(limit: int) -> None:
    for lies in (0, 1):
        expected = solve(HiddenNumberProblem(limit=limit, lies=lies), solver="and-or-graph").cost
        problem: BeliefProblem[Any, Any, Any] = _WorstFirst(limit=limit, lies=lies)
        result = solve(problem, solver="and-or")
        assert (result.cost, result.lower_bound) == (expected, expected)
