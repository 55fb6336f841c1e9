"""Drawings: whatever is put on them, they are XML of known elements, colours and numbers, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import hypot, inf, nan
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import Drawing
from beliefsearch.model.canvas.svg import PALETTE

from .test_hooks import Plain

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "g", "circle", "rect", "line", "polygon", "polyline", "path", "text"}
ATTRIBUTES = {
    *("xmlns", "viewBox", "width", "height", "role", "aria-label", "transform", "cx", "cy", "r", "x", "y", "rx"),
    *("x1", "y1", "x2", "y2", "points", "d", "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap"),
    *("stroke-linejoin", "opacity", "font-size", "font-family", "font-weight", "text-anchor"),
}

numbers = st.one_of(
    st.integers(-1000, 1000),
    st.floats(-1e6, 1e6),
    st.fractions(-1000, 1000),
    st.floats(-1e3, 1e3).map(np.float64),
    st.integers(0, 100).map(np.int32),
)
sizes = numbers.map(abs)
points = st.tuples(numbers, numbers)
cell = st.tuples(st.integers(0, 20), st.integers(0, 20))
colours = st.sampled_from(["none", *PALETTE])
style = st.fixed_dictionaries(
    {},
    optional={
        "fill": colours,
        "stroke": colours,
        "width": sizes,
        "opacity": st.floats(0, 1),
        "dashed": st.booleans() | sizes,
        "round": st.booleans(),
    },
)
lettering = st.fixed_dictionaries(
    {},
    optional={
        "size": sizes,
        "fill": colours,
        "anchor": st.sampled_from(["start", "middle", "end"]),
        "bold": st.booleans(),
        "mono": st.booleans(),
        "opacity": st.floats(0, 1),
    },
)
texts = st.text() | st.sampled_from(["<script>alert(1)</script>", '"var(--ink)"', "]]>", "&amp;", "\x00\ud800\uffff"])
shapes = st.one_of(
    st.tuples(st.just("circle"), st.tuples(numbers, numbers, sizes), style),
    st.tuples(st.just("rectangle"), st.tuples(numbers, numbers, sizes, sizes), style),
    st.tuples(st.just("line"), st.tuples(numbers, numbers, numbers, numbers), style),
    st.tuples(st.just("polygon"), st.tuples(st.lists(points)), style),
    st.tuples(st.just("polyline"), st.tuples(st.lists(points)), style),
    st.tuples(st.just("curve"), st.tuples(st.lists(points, min_size=4, max_size=4)), style),
    st.tuples(
        st.just("arrow"), st.tuples(*[numbers] * 4), st.fixed_dictionaries({}, optional={"bend": st.floats(-1, 1)})
    ),
    st.tuples(st.just("text"), st.tuples(numbers, numbers, texts), lettering),
    st.tuples(st.just("dots"), st.tuples(st.lists(points), sizes), st.fixed_dictionaries({"fill": colours})),
    st.tuples(st.just("cells"), st.tuples(st.lists(cell), sizes), style),
    st.tuples(st.just("grid"), st.tuples(st.integers(0, 9), st.integers(0, 9), sizes), style),
)


def elements(drawing: Drawing, tag: str, **options: Any) -> list[dict[str, str]]:
    """The attributes of all elements of this name."""
    root = ElementTree.fromstring(drawing.svg(theme=None, **options))
    return [element.attrib for element in root.iter(f"{SVG}{tag}")]


@given(shapes=st.lists(shapes, max_size=6), theme=st.sampled_from(["light", "dark", None]), label=texts)
def test_whatever_is_drawn_is_xml_of_known_elements(shapes: list[Any], theme: str | None, label: str) -> None:
    drawing = Drawing()
    for method, arguments, options in shapes:
        assert getattr(drawing, method)(*arguments, **options) is drawn_last(drawing)
    text = Drawing(30, 20).place(drawing, 1, 2, scale=0.5, opacity=0.5).svg(theme=theme, width=90, label=label)
    root = ElementTree.fromstring(text.encode())
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in TAGS
        assert set(element.attrib) <= ATTRIBUTES
        for name, value in element.attrib.items():
            if name in ("fill", "stroke"):
                assert re.fullmatch(r"none|#[0-9a-f]{6}" if theme else r"none|var\(--[a-z-]+\)", value)
            elif name not in ("aria-label", "font-family"):
                assert re.fullmatch(r"[-\d., MChvzVH]*|translate\([-\d. ]+\)( scale\([\d.]+\))?|\w+", value)


def drawn_last(drawing: Drawing) -> Drawing:
    """The drawing itself: every method returns it."""
    return drawing


@given(texts)
def test_text_is_text(text: str) -> None:
    drawing = Drawing().text(1, 2, text)
    root = ElementTree.fromstring(drawing.svg().encode())
    assert [element.tag for element in root] == [f"{SVG}text"]
    written = root[0].text or ""
    assert len(written) == len(text)
    assert all(shown in (letter, "\N{REPLACEMENT CHARACTER}") for shown, letter in zip(written, text, strict=True))


NO_NUMBERS: list[Any] = [nan, inf, -inf, "3", b"3", None, 1j, [1], Decimal("NaN"), np.float64("inf"), 10**400]


@pytest.mark.parametrize(
    "draw",
    [
        lambda bad: Drawing(bad, 10),
        lambda bad: Drawing().circle(bad, 1, 1),
        lambda bad: Drawing().circle(1, 1, 1, width=bad, stroke="ink"),
        lambda bad: Drawing().circle(1, 1, 1, opacity=bad),
        lambda bad: Drawing().rectangle(1, 1, 1, bad),
        lambda bad: Drawing().line(1, bad, 1, 1),
        lambda bad: Drawing().polygon([(1, 2), (3, bad)]),
        lambda bad: Drawing().curve([(1, 2), (3, bad), (1, 1), (2, 2)]),
        lambda bad: Drawing().arrow(1, 2, bad, 4),
        lambda bad: Drawing().text(1, bad, "x"),
        lambda bad: Drawing().text(1, 1, "x", size=bad),
        lambda bad: Drawing().dots([(1, bad)], 1, fill="ink"),
        lambda bad: Drawing().dots([(1, 1)], bad, fill="ink"),
        lambda bad: Drawing().cells([(0, 0)], bad),
        lambda bad: Drawing().grid(1, 1, bad),
        lambda bad: Drawing().place(Drawing(), bad),
        lambda bad: Drawing().place(Drawing(), scale=bad),
    ],
)
def test_what_is_no_number_is_refused(draw: Callable[[Any], Drawing]) -> None:
    for bad in NO_NUMBERS:
        with pytest.raises(ValueError, match=r"is no (number|size) to draw with"):
            draw(bad)


@pytest.mark.parametrize(
    ("draw", "complaint"),
    [
        (lambda: Drawing(0, 10), "a width and a height above 0"),
        (lambda: Drawing(10, -1), "no size"),
        (lambda: Drawing().circle(1, 1, -1), "no size"),
        (lambda: Drawing().rectangle(1, 1, -1, 1), "no size"),
        (lambda: Drawing().circle(1, 1, 1, stroke="ink", width=-1), "no size"),
        (lambda: Drawing().circle(1, 1, 1, fill="red"), "fill 'red' is no colour; there are none, ink, "),
        (lambda: Drawing().circle(1, 1, 1, fill="url(http://example.org)"), "is no colour"),
        (lambda: Drawing().circle(1, 1, 1, stroke=["ink"]), "is no colour"),  # type: ignore[arg-type]
        (lambda: Drawing().dots([(1, 1)], 1, fill="blu"), "is no colour"),
        (lambda: Drawing().circle(1, 1, 1, opacity=1.5), "opacity goes from 0 to 1"),
        (lambda: Drawing().circle(1, 1, 1, onclick="x"), "not 'onclick'"),
        (lambda: Drawing().text(1, 1, "x", anchor="left"), "anchor is start, middle or end"),
        (lambda: Drawing().curve([(1, 1), (2, 2)]), "1 point and 3 more"),
        (lambda: Drawing().svg(theme="blue"), "theme is light, dark or None"),
    ],
)
def test_other_mistakes_are_refused(draw: Callable[[], Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        draw()


@pytest.mark.parametrize("number", [2.5, Fraction(5, 2), Decimal("2.5"), np.float32(2.5), np.float64(2.5)])
def test_numbers_of_any_type_are_drawn_alike(number: Any) -> None:
    def all_kinds(value: Any) -> str:
        drawing = Drawing(4 * value, 4 * value).circle(value, value, value, stroke="ink", width=value)
        drawing.rectangle(value, value, value, value, r=value).line(value, 0, 0, value).text(
            value, value, 1, size=value
        )
        drawing.arrow(value, 0, 0, value, width=value, bend=value).dots([(value, value)], value, fill="ink")
        drawing.cells([(0, 0)], value, x=value, y=value).grid(2, 2, value, x=value, y=value)
        return Drawing(9, 9).place(drawing, value, value, scale=value).svg(width=value)

    assert all_kinds(number) == all_kinds(2.5)


def test_numbers_are_short_and_never_minus_nothing() -> None:
    (circle,) = elements(Drawing().circle(1 / 3, -1e-9, 100), "circle")
    assert (circle["cx"], circle["cy"], circle["r"]) == ("0.33", "0", "100")


def test_the_same_calls_write_the_same_text() -> None:
    def draw(cells: Any) -> str:
        return Drawing().cells(cells, 3, fill="felt").dots([(1, 2)], 1, fill="ink").svg()

    cells = [(column, row) for column in range(9) for row in range(9) if column * row % 4]
    assert draw(cells) == draw(set(cells)) == draw(reversed(cells)) == draw(cells + cells)


def test_colours_are_those_of_the_theme() -> None:
    drawing = Drawing().circle(1, 1, 1, fill="bright", stroke="bright-edge")
    light, dark = PALETTE["bright"]
    assert f'fill="{light}"' in drawing.svg()
    assert f'fill="{dark}"' in drawing.svg(theme="dark")
    assert 'fill="var(--bright)" stroke="var(--bright-edge)"' in drawing.svg(theme=None)


def test_a_figure_is_never_black_by_accident() -> None:
    drawing = Drawing().circle(1, 1, 1).circle(1, 1, 1, stroke="bad").circle(1, 1, 1, stroke="bad", fill="felt")
    assert [circle["fill"] for circle in elements(drawing, "circle")] == ["var(--ink)", "none", "var(--felt)"]


def test_the_width_of_a_rectangle_is_not_that_of_its_edge() -> None:
    (rectangle,) = elements(Drawing().rectangle(1, 2, 30, 40, stroke="ink", width=0.5), "rect")
    assert (rectangle["width"], rectangle["height"], rectangle["stroke-width"]) == ("30", "40", "0.5")


def test_the_size_in_pixels_keeps_the_shape() -> None:
    root = ElementTree.fromstring(Drawing(200, 50).svg(width=80, label='a "b" <c>'))
    assert root.attrib == {
        "viewBox": "0 0 200 50",
        "width": "80",
        "height": "20",
        "role": "img",
        "aria-label": 'a "b" <c>',
    }


@given(st.sets(cell))
def test_cells_are_the_squares_named_and_no_others(chosen: set[tuple[int, int]]) -> None:
    paths = elements(Drawing().cells(chosen, 2, x=1, y=3), "path")
    found = []
    for x, y, wide, back in re.findall(r"M(\d+) (\d+)h(\d+)v2h-(\d+)z", "".join(path["d"] for path in paths)):
        assert wide == back
        found += [((int(x) - 1) // 2 + i, (int(y) - 3) // 2) for i in range(int(wide) // 2)]
    assert len(found) == len(chosen)
    assert set(found) == chosen


def test_a_board_of_ten_thousand_cells_is_small() -> None:
    half = [(column, row) for column in range(100) for row in range(100) if (column // 5 + row) % 2]
    assert len(Drawing().cells(half, 1, fill="ink").svg()) < 20_000
    assert len(Drawing().dots(half, 0.5, fill="ink").svg()) < 50_000


def test_a_grid_has_all_its_lines() -> None:
    (path,) = elements(Drawing().grid(3, 2, 10, x=5, y=6), "path")
    assert path["d"].count("M") == 4 + 3
    assert path["d"].startswith("M5 6v20M15 6v20")
    assert path["d"].endswith("M5 26h30")


@pytest.mark.parametrize("bend", [0, 0.2, -0.2])
def test_an_arrow_ends_with_its_tip(bend: float) -> None:
    drawing = Drawing().arrow(10, 50, 90, 50, bend=bend)
    (head,) = elements(drawing, "polygon")
    tip, *wings = ([float(part) for part in point.split(",")] for point in head["points"].split())
    assert tip == [90, 50]
    lengths = [hypot(tip[0] - wing[0], tip[1] - wing[1]) for wing in wings]
    assert lengths[0] == pytest.approx(lengths[1], abs=0.02)
    if bend:  # to the left of somebody who goes along it: upwards, on the way to the right
        (curve,) = elements(drawing, "path")
        pulls = [float(point.split(",")[1]) for point in re.findall(r"[-\d.]+,[-\d.]+", curve["d"])[1:3]]
        assert all((y < 50) == (bend > 0) for y in pulls)


def test_nothing_is_drawn_of_nothing() -> None:
    assert Drawing().arrow(1, 1, 1, 1).shapes() == ""
    assert Drawing().cells([], 5).dots([], 1, fill="ink").shapes() == ""


def test_drawings_stand_side_by_side() -> None:
    whole = Drawing.side_by_side([Drawing(10, 20), Drawing(30, 10), Drawing(30, 20)], columns=2, gap=4)
    assert (whole.width, whole.height) == (64, 44)
    assert [group["transform"] for group in elements(whole, "g")] == [
        "translate(10 0)",
        "translate(34 5)",
        "translate(0 24)",
    ]
    empty = Drawing.side_by_side([])
    assert (empty.width, empty.height, empty.shapes()) == (100, 100, "")


def test_a_ring_begins_at_the_top_and_goes_clockwise() -> None:
    ring = Drawing.ring(4, radius=10, centre=(20, 30))
    assert ring == [pytest.approx(point) for point in [(20, 20), (30, 30), (20, 40), (10, 30)]]


@pytest.mark.parametrize(
    "text", ["", "x", "HTHT", "1 2 3\n4 5 6\n7 8 _", "a long line " * 20, "line\n" * 70, "日本語のテキスト"]
)
def test_a_box_holds_its_text(text: str) -> None:
    box = Drawing.text_box(text)
    written = [element.text or "" for element in ElementTree.fromstring(box.svg()).iter(f"{SVG}text")]
    lines = text.splitlines()[:40] or [""]
    assert all(
        shown == line or (shown[-1] == "…" and line.startswith(shown[:-1]))
        for shown, line in zip(written, lines, strict=True)
    )
    for element, shown in zip(elements(box, "text"), written, strict=True):
        size, y = float(element["font-size"]), float(element["y"])
        assert size >= 11
        assert 0 < y < box.height
        assert len(shown) * 0.6 * size < box.width


def test_by_default_states_are_boxes_and_beliefs_small_boxes() -> None:
    lamp = Plain()
    assert "<text" in lamp.svg_state(7).svg()
    assert lamp.svg_belief([7]).svg() == lamp.svg_state(7).svg()
    assert lamp.svg_belief([1, 2, 3]).svg().count("<rect") == 3
    many = lamp.svg_belief(range(100)).svg()
    assert many.count("<rect") == 12
    assert "and 88 more" in many
    assert lamp.svg_action("on") is None
    assert lamp.describe_action("on") == "on"
