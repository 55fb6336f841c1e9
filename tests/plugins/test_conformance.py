"""The work that the conformance suite does: counted, bounded, and the same each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from beliefsearch import BeliefProblem, check_problem
from beliefsearch.hooks import PotentialHook
from beliefsearch.plugins.conformance.report import Report
from beliefsearch.plugins.conformance.rule import evenly


class Wide(BeliefProblem[int, int, None], PotentialHook[int]):
    """Many states, each with many actions, each with many results."""

    size, wrong = 1200, -1

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def initial_states(self) -> Iterable[int]:
        return range(self.size)

    def actions(self, state: int) -> Iterable[int]:
        self.calls["actions"] += 1
        return list(range(1, 301))

    def results(self, state: int, action: int) -> Iterable[int]:
        self.calls["results"] += 1
        return [(state + action * step) % self.size for step in range(10)] if action != self.wrong else []

    def is_goal(self, state: int) -> bool:
        return state == 0

    def canonical(self, state: int) -> int:
        self.calls["canonical"] += 1
        return state

    def potential(self, state: int) -> int:
        self.calls["potential"] += 1
        return int(state != 0)


def looked_at(problem: Any) -> tuple[Report, Counter[str]]:
    return check_problem(problem), problem.calls


def test_work_is_bounded_and_the_report_says_what_was_left_out() -> None:
    report, calls = looked_at(Wide())
    assert report.passed
    assert not report.complete
    assert report.partly.keys() == {"results", "potential"}
    assert report.partly["potential"].endswith("of 300 actions")
    # In full it would be 300,000 pairs of a state and an action, with 10 results each.
    assert calls["results"] < 50_000
    assert calls["canonical"] < 400_000
    assert calls["potential"] < 10_000
    assert (report, calls) == looked_at(Wide())


@pytest.mark.parametrize(
    "wrong", [150, *(pytest.param(wrong, marks=pytest.mark.thorough) for wrong in (1, 2, 299, 300))]
)
def test_every_action_is_looked_at_somewhere(wrong: int) -> None:
    problem = Wide()
    problem.wrong = wrong
    (violation, *_) = check_problem(problem).violations
    assert violation.rule == "results"
    assert f", {wrong})" in violation.complaint


def test_what_is_sampled_is_spread() -> None:
    assert evenly("abc", 3) == "abc"
    assert evenly(range(10), 5) == [0, 2, 4, 6, 8]
    assert evenly(range(10), 5, 3) == [3, 5, 7, 9, 1]
