"""The page of a problem is safe whatever its author draws and writes: text is text, and nothing else may run."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Any
from xml.etree import ElementTree

import pytest

from beliefsearch import BeliefProblem, Drawing, Problem, ProblemError
from beliefsearch.page import problem_page
from beliefsearch.plot import draw_plan
from beliefsearch_problems.devil import DevilProblem

from ..toys.made import derived, made
from .page_schema import Parts, checked, data_of


class Line(Problem[int, int]):
    """Go along a line, whose states draw themselves as they are told to.

    Story
    -----
    Somebody walks.

    Notes
    -----
    Not part of the story.
    """

    drawn = 0

    def __init__(self, svg: Any = None) -> None:
        self.svg = svg

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> Iterable[int]:
        return (1,)

    def result(self, state: int, action: int) -> int:
        return min(3, state + action)

    def is_goal(self, state: int) -> bool:
        return state == 3

    def svg_state(self, state: int) -> Drawing:
        type(self).drawn += 1
        drawing: Drawing = self.svg(state) if callable(self.svg) else self.svg
        return drawing


def test_a_state_is_drawn_once_and_equal_drawings_are_one() -> None:
    Line.drawn = 0
    data = checked(data_of(problem_page(Line(lambda state: Drawing(10, 10).circle(5, 5, 1 if state < 2 else 2)))))
    assert Line.drawn == 4
    assert len(data["drawings"]) == 2
    assert (data["summary"], data["story"]) == (
        "Go along a line, whose states draw themselves as they are told to.",
        "Somebody walks.",
    )


@pytest.mark.parametrize(
    ("svg", "complaint"),
    [
        (None, r"Line\.svg_state\(0\) gave None; it must give a Drawing \(was a return forgotten\?\)"),
        ("<svg/>", r"Line\.svg_state\(0\) gave '<svg/>'; it must give a Drawing"),
        (lambda state: Drawing(10, 10).circle(1, 1, float("nan")), r"Line\.svg_state\(0\): nan is no number"),
        (lambda state: Drawing(10, 10).circle(1, 1, 1, fill="red;"), r"Line\.svg_state\(0\): fill 'red;' is no colour"),
    ],
)
def test_a_drawing_that_is_none_is_the_authors_mistake(svg: Any, complaint: str) -> None:
    with pytest.raises(ProblemError, match=complaint):
        problem_page(Line(svg))


HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "]]>&amp;&#60;",
    "line\u2028and\u2029paragraph",
    "half \ud800 a pair",
    "bell\x07 null\x00 escape\x1b delete\x7f",
    "\"quoted\" 'twice' `and` \\back",
    "@CSS@ @DATA@",
    "__proto__",
    "<img src=x onerror=alert(1)>",
    "\u202ereversed",
]


_HOSTILE = made(
    BeliefProblem,
    __doc__="""</title><script>alert(2)</script>.

    Story
    -----
    </script><script>alert(3)</script>
    """,
    initial_states=range(len(HOSTILE)),
    actions=range(len(HOSTILE)),
    results=lambda state, _: (state,),
    percepts=lambda state, _: (state,),
    is_goal=False,
    goal_sets=lambda: [frozenset({state}) for state in range(len(HOSTILE))],
    format_state=HOSTILE.__getitem__,
    format_action=HOSTILE.__getitem__,
    format_percept=lambda percept: "" if percept is None else HOSTILE[percept],
)


@pytest.mark.parametrize("title", HOSTILE)
def test_whatever_a_state_is_called_is_text(title: str) -> None:
    page = problem_page(_HOSTILE, title=title)
    page.encode()  # no half of a pair is left
    parts = Parts(page)
    data = checked(data_of(page))
    assert data["title"] == title
    assert data["states"]["names"] == HOSTILE
    assert set(data["percepts"]["names"]) == {"", *HOSTILE}
    assert len(parts.scripts) == 2
    calm = Parts(problem_page(DevilProblem(n=2)))
    assert parts.tags == calm.tags
    assert parts.scripts[-1] == calm.scripts[-1]
    for _, _, shapes in data["drawings"]:
        tags = {element.tag for element in ElementTree.fromstring(f"<svg>{shapes}</svg>").iter()}
        assert tags <= {"svg", "g", "rect", "text"}


def test_the_policy_lets_only_the_pages_own_script_and_style_run() -> None:
    parts = Parts(problem_page(DevilProblem(n=2)))
    (_, script), (style,) = parts.scripts[-1], parts.styles

    def allowed(text: str) -> str:
        return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"

    rules = dict(rule.strip().split(" ", 1) for rule in parts.policy.split(";"))
    assert rules == {
        "default-src": "'none'",
        "script-src": allowed(script),
        "style-src": allowed(style),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert parts.scripts[0][0] == {"type": "application/json", "id": "data"}
    assert not [name for _, name, _ in parts.attributes if name.startswith("on") or name in ("src", "href", "style")]


def test_a_page_begins_with_its_policy() -> None:
    tags = Parts(problem_page(DevilProblem(n=2))).tags
    assert tags.index("meta") < tags.index("style") < tags.index("script")


class Sly(str):
    """A text that is written otherwise than it compares."""

    def __format__(self, spec: str) -> str:
        return '"><script>alert(1)</script>'

    def isprintable(self) -> bool:
        return True

    def translate(self, table: Any) -> str:
        return "<script>alert(1)</script>"


class SlyDrawing(Drawing):
    """A drawing whose shapes are none."""

    def shapes(self) -> str:
        return "</svg><script>alert(1)</script>"

    def svg(self, **how: Any) -> str:
        return "<script>alert(1)</script>"


@pytest.mark.parametrize(
    "drawn",
    [
        SlyDrawing(10, 10).circle(5, 5, 2),
        Drawing(10, 10).place(SlyDrawing(10, 10).circle(5, 5, 2)),
        Drawing(10, 10).circle(5, 5, 2, fill=Sly("ink")),
        Drawing(10, 10).text(5, 5, Sly("text")),
    ],
)
def test_classes_of_authors_bring_nothing_into_drawings(drawn: Drawing) -> None:
    problem = Line(drawn)
    shown = checked(data_of(problem_page(problem)))["drawings"]
    assert not any("script" in shapes for _, _, shapes in shown)
    for text in (draw_plan(problem, [1, 1, 1]).svg(), problem._repr_html_()):
        assert "<script" not in text
        ElementTree.fromstring(text)


def test_a_drawing_whose_size_has_become_text_is_the_authors_mistake() -> None:
    drawing = Drawing(10, 10)
    drawing.width = '"><script>'  # type: ignore[assignment]
    with pytest.raises(ProblemError, match=r"Line\.svg_state\(0\): .* is no number to draw with"):
        draw_plan(Line(drawing), [1, 1, 1])


@pytest.mark.parametrize("said", [None, 7, (word for word in ("go",)), Drawing(1, 1)])
def test_a_sentence_that_is_no_text_is_the_authors_mistake(said: Any) -> None:
    silent = derived(Line, describe_action=said)
    problem = silent(Drawing(10, 10).circle(5, 5, 2))
    for show in (problem_page, lambda problem: draw_plan(problem, [1, 1, 1])):
        with pytest.raises(ProblemError, match=r"Made\.describe_action\(1\) gave .*; it must give text"):
            show(problem)
