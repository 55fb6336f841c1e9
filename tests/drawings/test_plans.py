"""Plans as drawings: every step is there with its words, long ones say what is left out, and text stays text."""

from __future__ import annotations

import re
import sys
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import BeliefProblem, BeliefSearchError, Drawing, ProblemError, solve, trace
from beliefsearch.errors import NoSolutionError
from beliefsearch.plans.drawings.layered_layout import layered
from beliefsearch.plans.drawings.parts import drawing_png
from beliefsearch.plot import draw_belief, draw_plan
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.nine_tails import NineTailsProblem

from ..toys.made import made

DEVIL = DevilProblem(n=4)


def words(drawing: Drawing) -> list[str]:
    """All texts in a drawing; that it is well-formed is checked by the way."""
    tree = ElementTree.fromstring(drawing.svg())
    return [element.text or "" for element in tree.iter("{http://www.w3.org/2000/svg}text")]


def count(texts: list[str], pattern: str) -> int:
    return sum(re.fullmatch(pattern, text) is not None for text in texts)


def test_a_strip_has_a_picture_for_every_step_with_its_number_size_and_sentence() -> None:
    result = solve(DEVIL)
    texts = words(draw_plan(DEVIL, result, title="four coins"))
    assert "four coins" in texts
    sizes = [len(step.states) for step in trace(DEVIL, result)]
    assert [text for text in texts if re.fullmatch(r"\d+ states?", text)] == [
        f"{size} state{'' if size == 1 else 's'}" for size in sizes
    ]
    assert [text for text in texts if text in map(str, range(16))].count("15") == 1
    assert sum(text.startswith("Flip") for text in texts) == 15
    assert texts.count("Won") == 1


@pytest.mark.parametrize("most", [3, 5, 9, 14, 15, 16, 17])
def test_a_long_plan_is_cut_in_the_middle_and_says_how_much_is_left_out(most: int) -> None:
    texts = words(draw_plan(DEVIL, solve(DEVIL), most=most))
    shown = count(texts, r"\d+ states?")
    said = re.search(r"and (\d+) more", " ".join(texts))
    left_out = 0 if said is None else int(said.group(1))
    assert shown + left_out == 16
    assert shown + bool(left_out) <= most
    assert (left_out == 0) == (most >= 16)
    assert "Won" in texts


def test_a_plain_plan_shows_its_states_one_by_one() -> None:
    problem = NineTailsProblem(start="HHHTTTHHH")
    texts = words(draw_plan(problem, solve(problem)))
    assert count(texts, r"\d+ states?") == 0
    assert [text for text in texts if text in ("0", "1", "2")] == ["0", "1", "2"]


def test_a_conditional_plan_has_a_card_for_every_belief_and_percepts_between_them() -> None:
    coins = CounterfeitCoinProblem(coins=3)
    plan = solve(coins)
    texts = words(draw_plan(coins, plan))
    assert texts.count("balance") == sum(
        percept == "balance" for node in plan.plan.nodes for percept, _ in node.branches
    )
    known = sorted(text for text in texts if re.fullmatch(r"\d (light|heavy)", text))
    assert known == sorted(coins.format_state(state) for state in coins.initial_states())
    assert texts.count("won") == len(known)


def test_a_large_conditional_plan_is_cut_and_says_so() -> None:
    glasses = FourGlassesProblem()
    plan = solve(glasses)
    whole, part = words(draw_plan(glasses, plan)), words(draw_plan(glasses, plan, most=5))
    assert count(whole, r"the first .* left out") == 0
    assert count(part, r"the first 5 beliefs; [\d,]+ more are left out") == 1
    assert count(part, r"\d+ states?") <= 5
    assert "…" in part


def test_a_policy_has_a_card_for_every_state_that_comes_up_with_its_value() -> None:
    doors = MontyHallProblem()
    texts = words(draw_plan(doors, solve(doors)))
    assert (texts.count("value 2/3"), texts.count("worth 1"), texts.count("worth 0")) == (3, 2, 2)
    assert (texts.count("1/2"), texts.count("2/3"), texts.count("1/3")) == (2, 2, 2)
    # The first best action: to stake all three.
    gambler = GamblerProblem(goal=6, capital=3)
    assert count(words(draw_plan(gambler, solve(gambler))), "Stake 3") == 1


def test_a_game_that_may_come_back_is_drawn_with_edges_that_lead_back() -> None:
    gambler = GamblerProblem(goal=5, capital=2)
    drawing = draw_plan(gambler, solve(gambler))
    assert "stroke-dasharray" in drawing.svg()
    assert words(drawing)


# A problem whose texts would run if they were not text.
SCRIPTED = made(
    BeliefProblem,
    initial_states=["<script>alert(1)</script>", "</svg>&\x00"],
    actions=["<b onclick='x'>go</b>"],
    results=["</svg>&\x00"],
    is_goal=lambda state: state.startswith("</svg>"),
)


def test_texts_of_authors_are_escaped() -> None:
    problem = SCRIPTED
    result = solve(problem)
    for written in (draw_plan(problem, result, title="<i>").svg(), trace(problem, result)._repr_html_()):
        assert "<script" not in written
        assert "<b onclick" not in written
        assert "<i>" not in written
    assert "<b onclick='x'>go</b>"[:8] in " ".join(words(draw_plan(problem, result)))


def test_a_drawing_that_is_none_is_the_authors_mistake() -> None:
    problem = made(type(SCRIPTED), svg_state=None)
    with pytest.raises(ProblemError, match=r"Made\.svg_state.*must give a Drawing"):
        draw_plan(problem, solve(problem))


def test_an_answer_without_a_plan_is_not_drawn() -> None:
    with pytest.raises(NoSolutionError):
        draw_plan(DevilProblem(n=3), solve(DevilProblem(n=3)))


def test_a_belief_of_one_state_is_that_state_and_an_action_marks_it() -> None:
    assert draw_belief(DEVIL, ["HHHT"]).shapes() == DEVIL.svg_state("HHHT").shapes()
    action = frozenset({1})
    assert DEVIL.svg_action(action).shapes() in draw_belief(DEVIL, ["HHHT", "HHTT"], action).shapes()
    with pytest.raises(ValueError, match="at least one state"):
        draw_belief(DEVIL, [])


def test_a_png_is_twice_as_large_as_the_drawing_and_always_the_same() -> None:
    pytest.importorskip("resvg_py")
    drawing = draw_belief(DEVIL, ["HHHT"])
    data = drawing_png(drawing)
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 2 * drawing.width
    assert data == drawing_png(drawing)


def test_without_resvg_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(BeliefSearchError, match=r"pip install 'beliefsearch\[plot\]'"):
        drawing_png(Drawing())


# Layers.


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[tuple[float, float]], list[tuple[int, int]]]:
    """Sizes and edges of a graph, cycles and loops included, whose nodes can all be reached from node 0."""
    count = draw(st.integers(1, 12))
    sizes = [(float(draw(st.integers(5, 60))), float(draw(st.integers(5, 60)))) for _ in range(count)]
    edges = [(draw(st.integers(0, node - 1)), node) for node in range(1, count)]
    ends = st.integers(0, count - 1)
    return sizes, edges + draw(st.lists(st.tuples(ends, ends), max_size=12))


@given(graphs())
def test_no_node_lies_over_another_one_or_outside(
    graph: tuple[list[tuple[float, float]], list[tuple[int, int]]],
) -> None:
    sizes, edges = graph
    layout = layered(sizes, edges, across=20, apart=4)
    boxes = [(x, y, x + wide, y + high) for (x, y), (wide, high) in zip(layout.corners, sizes, strict=True)]
    for left, top, right, bottom in boxes:
        assert -1e-6 <= left <= right <= layout.width + 1e-6
        assert -1e-6 <= top <= bottom <= layout.height + 1e-6
    for (a, b, c, d), (e, f, g, h) in combinations(boxes, 2):
        assert c <= e + 1e-6 or g <= a + 1e-6 or d <= f + 1e-6 or h <= b + 1e-6
    lefts = sorted({left for left, _ in layout.corners})
    layer_of = [lefts.index(left) for left, _ in layout.corners]
    for tail, head in edges:
        if (tail, head) in layout.ways:
            assert layer_of[tail] < layer_of[head]
            points = layout.ways[tail, head]
            assert len(points) == 2 * (layer_of[head] - layer_of[tail] - 1)
            assert all(x1 <= x2 for (x1, _), (x2, _) in pairwise(points))
    # What is not laid out leads back: without it there is no cycle, and a tree loses nothing.
    if len(set(edges)) == len(sizes) - 1:
        assert set(layout.ways) == set(edges)


def test_a_parent_stands_in_the_middle_of_its_children() -> None:
    layout = layered([(10, 10)] * 4, [(0, 1), (0, 2), (0, 3)], across=20, apart=5)
    ys = [y for _, y in layout.corners]
    assert sorted(ys[1:]) == [0, 15, 30]
    assert ys[0] == 15


def test_children_are_ordered_so_that_a_tree_has_no_crossing() -> None:
    # Breadth-first by number the grandchildren stand crosswise.
    layout = layered([(10, 10)] * 5, [(0, 1), (0, 2), (1, 4), (2, 3)], across=20, apart=5)
    (_, y1), (_, y2), (_, y3), (_, y4) = layout.corners[1:]
    assert (y1 < y2) == (y4 < y3)
