"""Hooks whose word a search takes: where they lie the answer is an error that names them, never one of ours."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import pytest
from attrs import asdict
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import Limits, ProblemError, Status, StochasticProblem, solve
from beliefsearch.hooks import BeliefClassHook, DistinctActionsHook

from ..contingent_problems import SightedTable, sighted_problems
from ..examples import examples
from ..toys.made import derived, made

# Calls beliefs alike that have nothing in common but the remainder of a sum.
CLASSES = derived(SightedTable, BeliefClassHook, belief_class=lambda belief: (3 * len(belief) + sum(belief)) % 3)


class Distinct(SightedTable, DistinctActionsHook[int, str]):
    """Leaves out actions as it likes."""

    def distinct_actions(self, belief: frozenset[int]) -> Iterable[str]:
        common = set.intersection(*(set(self.table[state]) for state in belief))
        return sorted(common)[: 1 + sum(belief) % 2]


@pytest.mark.parametrize("kind", [CLASSES, Distinct])
@given(problem=sighted_problems(), solver=st.sampled_from(("auto", "and-or", "and-or-graph")))
@settings(max_examples=examples(60))
def test_a_lie_is_named_or_does_no_harm(kind: type[SightedTable], problem: SightedTable, solver: str) -> None:
    fields: dict[str, Any] = asdict(problem, recurse=False)
    with suppress(ProblemError):
        solve(kind(**fields), solver=solver, limits=Limits(seconds=5))


# No action applies in both starts.
NOTHING = made(
    StochasticProblem,
    initial_distribution=[(0.5, 0), (0.5, 1)],
    actions=lambda state: ["ab"[state]],
    outcomes=lambda state, _: [(1, state)],
    percept_distribution=[(1, 0)],
    reward=1,
)


@pytest.mark.parametrize("horizon", [0, 1, 3])
def test_where_no_action_applies_at_the_start_nothing_is_paid(horizon: int) -> None:
    result = solve(NOTHING, horizon=horizon)
    assert (result.status, result.value) == (Status.SOLVED, 0)
    assert result.policy is not None
    assert len(result.policy) == 0
