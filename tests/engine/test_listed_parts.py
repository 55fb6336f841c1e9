"""What arrays tell of states that stay as they are: the same as state by state, and capacities and plans from it."""

from __future__ import annotations

from math import ceil, log2
from typing import Any

import pytest
from hypothesis import given

from beliefsearch import ProblemError, check_plan, solve
from beliefsearch.engine.bits.bitset import bit_numbers
from beliefsearch.engine.bits.contingent import BitsetContingentView
from beliefsearch.engine.guessing.listed_percepts import ListedParts
from beliefsearch.heuristics.percept_information import capacity
from beliefsearch.model.belief import no_tick
from beliefsearch.planner import contingent as contingent_solving
from beliefsearch_problems.hidden_number import HiddenNumberProblem
from beliefsearch_problems.mastermind import MastermindProblem

from ..contingent_problems import SightedTable, sighted_problems
from .test_observed_model import hooked


def view_of(problem: Any) -> Any:
    view: Any = BitsetContingentView(problem)
    view.listed = ListedParts(view, no_tick)
    return view


@given(sighted_problems())
def test_parts_are_those_that_the_definition_gives(problem: SightedTable) -> None:
    view = view_of(hooked(problem))
    rows = [list(problem.actions(state)) for state in view.model.states]

    def told(state: int, action: str) -> str | None:
        """What is perceived in a state that stays as it is, if that is certain."""
        results = {problem.canonical(result) for result in problem.results(state, action)}
        seen = {sight for result in problem.results(state, action) for sight in problem.percepts(result, action)}
        return seen.pop() if results == {state} and len(seen) == 1 else None

    starts = list(bit_numbers(view.initial_node()))
    for action in set(rows[starts[0]]).intersection(*(rows[number] for number in starts)):
        found = {number: percept for percept, part in view.listed.of(action) for number in bit_numbers(part)}
        for number, state in enumerate(view.model.states):
            if action in rows[number]:
                assert found.get(number) == told(state, action)
    all_stay = all(rows[number] == rows[starts[0]] for number in starts) and all(
        told(view.model.states[number], action) is not None for number in starts for action in rows[number]
    )
    assert (view.listed.sizes is not None) == all_stay
    if all_stay:
        for action, counts in zip(rows[starts[0]], view.listed.sizes.tolist(), strict=True):
            parts = view.outcomes(view.initial_node(), action)
            assert sorted(filter(None, counts)) == sorted(part.bit_count() for _, part in parts)


def test_an_action_is_tried_only_where_it_applies() -> None:
    sights = {(action, state): ("x",) for action in "ab" for state in (0, 1)}
    view = view_of(hooked(SightedTable((0, 1), ({"b": (0,)}, {"a": (0,), "b": (1,)}), (frozenset({1}),), sights)))
    assert view.listed.of("b")
    assert view.listed.sizes is None


@pytest.mark.parametrize("questions", ["comparisons", "sets"])
@pytest.mark.parametrize("limit", [1, 2, 7, 9])
def test_capacities_by_arrays_are_those_by_asking(limit: int, questions: Any) -> None:
    problem = HiddenNumberProblem(limit, questions=questions)
    by_arrays, by_asking = (capacity(view, None) for view in (view_of(problem), BitsetContingentView(problem)))
    for belief in range(1, 1 << limit):
        if belief.bit_count() > 1:  # else it is won
            assert by_arrays(belief) == by_asking(belief)


def test_many_numbers_are_found_without_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contingent_solving, "_on_table", None)
    problem = HiddenNumberProblem(300)
    result = solve(problem)
    assert (result.cost, result.lower_bound, result.solver) == (9, 9, "and-or")
    assert check_plan(problem, result).cost == ceil(log2(300))
    assert result.stats.expanded < 20


def test_what_is_won_by_guessing_is_left_to_the_table() -> None:
    assert view_of(MastermindProblem(2, 3)).listed.sizes is None


@pytest.mark.parametrize(("method", "answer"), [("results", [(3, 0, "yes"), (4, 0, "yes")]), ("percepts", ("maybe",))])
def test_arrays_that_disagree_with_the_definition_are_named(method: str, answer: Any) -> None:
    wrong: Any = type("Wrong", (HiddenNumberProblem,), {method: lambda self, state, action: answer})
    with pytest.raises(ProblemError, match=rf"all_{method}\(.*\) disagrees with {method}\(\)"):
        _ = view_of(wrong(5)).listed.sizes
