"""Views: sensorless problems as plain ones, and plain problems blindfolded."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from beliefsearch import Blindfolded, ProblemError, check_plan, solve
from beliefsearch.belief_space.sensorless import SensorlessView
from beliefsearch.engine.bits.sensorless import BitsetView
from beliefsearch.engine.views import view_of
from beliefsearch.model.belief import initial_belief, predict
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.lights_out import LightsOutProblem
from beliefsearch_problems.nine_tails import NineTailsProblem

from ..model.test_belief import Corridor
from ..random_problems import TableBeliefProblem, TableProblem, belief_problems


@given(problem=belief_problems())
def test_the_bit_set_view_walks_as_the_definition_does(problem: TableBeliefProblem) -> None:
    naive, bits = SensorlessView(problem), BitsetView(problem)
    frontier = [(naive.initial_state(), bits.initial_state())]
    seen: set[frozenset[int]] = set()
    while frontier and len(seen) < 50:
        belief, mask = frontier.pop()
        assert set(bits.members(mask)) == belief == set(naive.members(belief))
        assert bits.is_goal(mask) == naive.is_goal(belief)
        assert bits.heuristic(mask) == naive.heuristic(belief)
        assert list(bits.actions(mask)) == naive.actions(belief)
        for action in naive.actions(belief):
            assert bits.action_cost(mask, action) == naive.action_cost(belief, action)
            following = naive.result(belief, action)
            assert following == predict(problem, belief, action)
            if following not in seen:
                seen.add(following)
                frontier.append((following, bits.result(mask, action)))
    assert bits.max_belief_size >= len(initial_belief(problem))


def test_the_views_search_representatives_only() -> None:
    for view in (SensorlessView(DevilProblem(n=4)), BitsetView(DevilProblem(n=4))):
        view_any: Any = view
        assert set(view_any.members(view_any.initial_state())) == {"HHHH", "HHHT", "HHTT", "HTHT", "HTTT", "TTTT"}


def test_a_problem_with_percepts_has_no_sensorless_view() -> None:
    with pytest.raises(ProblemError, match="percepts"):
        view_of(Corridor())


def test_blindfolded_an_illegal_action_does_nothing_and_a_won_game_stops() -> None:
    # From 0, `go` wins; in 1 it is illegal, and `back` leads from 1 to 0. State 2 is won.
    plain = TableProblem(0, ({"go": 2}, {"back": 0}, {"go": 0}), frozenset({2}))
    blind = Blindfolded(plain)
    assert set(blind.initial_states()) == {0, 1, 2}
    assert list(blind.actions(2)) == ["go", "back"]
    assert list(blind.results(0, "back")) == [0]
    assert list(blind.results(1, "back")) == [0]
    assert list(blind.results(2, "go")) == [2]
    result = solve(blind)
    assert result.plan == ("back", "go")
    assert check_plan(blind, result.plan).holds


def test_blindfolded_an_action_that_does_nothing_is_free_where_costs_differ() -> None:
    costs = {(0, "go"): 5, (1, "back"): 3, (2, "go"): 7}
    blind = Blindfolded(TableProblem(0, ({"go": 2}, {"back": 0}, {"go": 0}), frozenset({2}), costs))
    assert blind.action_cost(0, "go") == 5
    assert blind.action_cost(0, "back") == 0
    assert blind.action_cost(2, "go") == 0
    assert solve(blind).cost == 8


def test_four_lamps_in_a_row_take_fifteen_presses_blindfolded() -> None:
    result = solve(Blindfolded(LightsOutProblem(rows=1, cols=4)))
    assert (result.cost, result.optimal) == (15, True)
    assert check_plan(Blindfolded(LightsOutProblem(rows=1, cols=4)), result.require_plan()).starts == 16


def test_blindfolded_nine_tails_needs_no_start_and_works_from_every_board() -> None:
    blind = Blindfolded(NineTailsProblem(rows=2, cols=2))
    found = check_plan(blind, solve(blind).require_plan())
    assert (found.holds, found.starts) == (True, 16)


def test_a_problem_that_lists_no_starts_cannot_be_blindfolded() -> None:
    from ..solvers.test_stopped_searches import ENDLESS

    with pytest.raises(ProblemError, match="possible_starts"):
        solve(Blindfolded(ENDLESS))
