"""Pictures are files of the right kind, and show what the policy says where it matters."""

from __future__ import annotations

from typing import Any

import pytest

from beliefsearch import BeliefSearchError, ProblemError, simulate, solve, trace
from beliefsearch.cli.commands.export import command
from beliefsearch.graph.graph_files import FORMATS, POLICY_FORMATS, PROBLEM_FORMATS
from beliefsearch.graph.plots.policy_charts import (
    PICTURE_FORMATS,
    PICTURES,
    picture_bytes,
    policy_picture,
    sweep_picture,
    value_picture,
)
from beliefsearch.plot import Profile, beliefs_picture, games_picture, profile_picture
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.riddler_flips import RiddlerFlipsProblem

from ..toys.made import derived

PROBLEM = RiddlerFlipsProblem(flips=30)
POLICY = solve(PROBLEM).require_policy()


def test_the_heat_map_shows_flips_across_and_scores_up_in_the_colour_of_the_value() -> None:
    figure: Any = value_picture(PROBLEM, POLICY, "a title")
    axes, bar = figure.axes
    assert (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) == ("a title", "flips made", "score")
    assert bar.get_ylabel() == "chance of winning"
    mesh = axes.collections[0]
    grid = mesh.get_array()
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    assert grid.shape == (round(top - bottom), round(right - left))
    shown = 0
    for row, line in enumerate(grid.tolist()):
        for column, value in enumerate(line):
            state = (round(left + 0.5) + column, round(bottom + 0.5) + row)
            if value is None or value != value:
                # Left out: it cannot come up, or it is as good as decided.
                assert not POLICY.knows(state) or not 0.005 < POLICY.value(state) < 0.995 or PROBLEM.is_terminal(state)
            else:
                shown += 1
                assert value == POLICY.value(state)
                assert 0.005 < value < 0.995
    assert shown == sum(0.005 < v < 0.995 for s, _, v in POLICY.items() if not PROBLEM.is_terminal(s))


def test_the_policy_shows_which_actions_are_best() -> None:
    figure: Any = policy_picture(PROBLEM, POLICY, "")
    texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert texts == ["A", "B", "A or B"]


def test_files_are_of_their_kind_and_always_the_same() -> None:
    for form, begin in (("png", b"\x89PNG"), ("svg", b"<?xml")):
        first, again = (picture_bytes(sweep_picture([(0, 1), (1, 2)], "t", "p", "v"), form) for _ in range(2))
        assert first.startswith(begin)
        assert first == again
    first, again = (picture_bytes(beliefs_picture(FOUR, solve(FOUR)), "svg") for _ in range(2))
    assert first == again


def test_a_sweep_is_a_curve_through_its_points() -> None:
    axes: Any = sweep_picture([(0, 0.5), (0.5, 0.75), (1, 1)], "t", "p-a", "value").axes[0]
    line = axes.get_lines()[0]
    assert list(line.get_xdata()) == [0, 0.5, 1]
    assert list(line.get_ydata()) == [0.5, 0.75, 1]


def test_a_problem_must_say_where_its_states_lie_each_in_its_place() -> None:
    problem: Any = GamblerProblem(goal=6, capital=3)
    with pytest.raises(BeliefSearchError, match=r"plot_position\(\)"):
        value_picture(problem, solve(problem).require_policy(), "")

    flat = derived(RiddlerFlipsProblem, plot_position=lambda state: (state[0], 0))
    problem = flat(flips=3)
    with pytest.raises(BeliefSearchError, match="two states at"):
        value_picture(problem, solve(problem).require_policy(), "")
    problem = RiddlerFlipsProblem(flips=3, p_a=1)
    figure: Any = value_picture(problem, solve(problem).require_policy(), "")
    assert figure.axes[0].collections[0].get_array().count() > 0


def test_what_export_offers_is_what_the_tables_have() -> None:
    offered = {option.name: option.type for option in command.params}
    endings = [ending for form in FORMATS.values() for ending in form.endings]
    assert len(set(endings)) == len(endings)
    forms = [*FORMATS, *PICTURE_FORMATS, *PROBLEM_FORMATS, *POLICY_FORMATS, "html"]
    assert list(getattr(offered["form"], "choices", ())) == forms
    assert list(getattr(offered["picture"], "choices", ())) == [*PICTURES, "sweep"]


# Pictures of plans.


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
