"""Pictures of beliefs along a plan, of games and of searches show what happened."""

from __future__ import annotations

from typing import Any

import pytest

from beliefsearch import BeliefSearchError, ProblemError, simulate, solve, trace
from beliefsearch.graph.plots.policy_charts import picture_bytes
from beliefsearch.plot import Profile, beliefs_picture, games_picture, profile_picture
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.nine_tails import NineTailsProblem

FOUR = DevilProblem(n=4)


def test_the_chart_has_a_line_for_each_state_and_a_column_for_each_belief() -> None:
    problem = DevilProblem(n=8)
    result = solve(problem)
    figure: Any = beliefs_picture(problem, result, "eight coins")
    chart, below = figure.axes
    grid = chart.images[0].get_array()
    assert grid.shape == (36, 256)
    rows = [text.get_text() for text in chart.get_yticklabels()]
    for column, step in enumerate(trace(problem, result)):
        assert {row for row, name in enumerate(rows) if grid[row, column]} == {
            rows.index(state) for state in step.states
        }
    assert list(below.get_lines()[0].get_ydata()) == [len(step.states) for step in trace(problem, result)]


def test_the_same_beliefs_give_the_same_file() -> None:
    first, again = (picture_bytes(beliefs_picture(FOUR, solve(FOUR)), "svg") for _ in range(2))
    assert first == again


def test_what_has_no_one_belief_after_each_action_has_no_chart() -> None:
    nine, glasses = NineTailsProblem(start="HHHTTTHHH"), FourGlassesProblem()
    with pytest.raises(ProblemError, match="always knows the state"):
        beliefs_picture(nine, solve(nine))
    with pytest.raises(ProblemError, match="branch"):
        beliefs_picture(glasses, solve(glasses))
    with pytest.raises(BeliefSearchError, match="the plan branches"):
        beliefs_picture(FOUR, solve(glasses).plan)


def test_the_histogram_of_games_has_their_number() -> None:
    games = simulate(FOUR, solve(FOUR), games=200, seed=1)
    axes: Any = games_picture(games, "games").axes[0]
    heights = {y for path in axes.collections[0].get_paths() for _, y in path.vertices}
    assert heights == {*games.won_after.values(), 0}
    lost = simulate(FOUR, solve(FOUR).require_plan()[:0], games=5, seed=1, starts=["HHHT"])
    with pytest.raises(BeliefSearchError, match="no game was won"):
        games_picture(lost)


def test_a_profile_has_the_layers_of_the_search() -> None:
    profile = Profile()
    result = solve(FOUR, solver="bfs", observer=profile)
    assert [layer.bound for layer in profile.layers] == list(range(1, 16))
    assert profile.layers[-1].reached <= result.stats.reached
    drawn: Any = profile_picture(profile)
    reached, frontier = drawn.axes[0].get_lines()
    assert list(reached.get_ydata()) == [layer.reached for layer in profile.layers]
    assert list(frontier.get_ydata()) == [layer.frontier for layer in profile.layers]


def test_a_search_without_layers_is_drawn_by_its_moments() -> None:
    profile = Profile()
    for expanded in range(5_000):
        profile.progressed(1, expanded, 2 * expanded, 3 * expanded)
    assert 1_000 <= len(profile.moments) <= 2_001
    apart = {
        after.expanded - before.expanded for before, after in zip(profile.moments, profile.moments[1:], strict=False)
    }
    assert len(apart) == 1
    axes: Any = profile_picture(profile).axes[0]
    assert axes.get_xlabel() == "states expanded"
    assert list(axes.get_lines()[1].get_ydata()) == [2 * moment.expanded for moment in profile.moments]
    profile.numbered(0)  # another engine begins anew
    assert (profile.layers, profile.moments) == ([], [])
    with pytest.raises(BeliefSearchError, match="no layers"):
        profile_picture(profile)
