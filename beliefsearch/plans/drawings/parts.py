"""Parts of larger drawings: beliefs and marks, captions, rows of small states, histograms; and drawings as PNG."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import ceil
from typing import Any

from ...errors import BeliefSearchError
from ...model.base import Presentation
from ...model.canvas.drawing import Drawing, text_width
from ...model.checked import checked_drawing

SMALL, NORMAL, LARGE = 9.5, 11, 15  # sizes of text
LINE = 1.25  # the distance between lines, relative to the size of text
_OF_MONOSPACED = 0.9  # the width of proportional text, relative to monospaced text
_FEWEST_SQUARES, _MOST_SQUARES = 10, 18  # in a row
_RULED_OUT = 0.14  # the opacity of states that are no longer possible


def fitted(whole: Drawing, drawing: Drawing, x: float, y: float, width: float, height: float, **how: float) -> None:
    """Put a drawing into the middle of a rectangle of `whole`, as large as fits."""
    scale = min(width / drawing.width, height / drawing.height)
    left, top = x + (width - scale * drawing.width) / 2, y + (height - scale * drawing.height) / 2
    whole.place(drawing, left, top, scale=scale, **how)


def marked(drawing: Drawing, mark: Drawing | None) -> Drawing:
    """Draw the mark of an action over a drawing, if their canvases have the same size."""
    if mark is None or (mark.width, mark.height) != (drawing.width, drawing.height):
        return drawing
    return Drawing(drawing.width, drawing.height).place(drawing).place(mark)


def draws_beliefs(problem: Any, states: Collection[Any]) -> bool:
    """Whether a problem has its own picture of a belief; the default shows one of each state."""
    if len(states) < 2:
        return False
    return belief_picture(problem, states).shapes() != Presentation.svg_belief(problem, states).shapes()


def belief_picture(problem: Any, states: Collection[Any], mark: Drawing | None = None) -> Drawing:
    """A belief as the problem draws it, with the mark of an action if that fits."""
    drawn = state_picture(problem, next(iter(states)))
    if len(states) > 1:
        drawn = checked_drawing(problem, "svg_belief", states) or drawn
    return marked(drawn, mark)


def state_picture(problem: Any, state: Any) -> Drawing:
    """A state as the problem draws it."""
    drawn = checked_drawing(problem, "svg_state", state)
    assert drawn is not None, "checked_drawing allows None only for marks"
    return drawn


def mark_of(problem: Any, action: Any) -> Drawing | None:
    """Return the mark of an action."""
    return checked_drawing(problem, "svg_action", action, may_be_none=True)


def states_in_order(
    problem: Any, order: Sequence[Any], present: Collection[Any], width: float, rows: int, mark: Drawing | None = None
) -> Drawing:
    """Small pictures of all states, each in its own place; states that are not `present` are faint."""
    drawn = [state_picture(problem, state) for state in order]
    across = ceil(len(drawn) / rows)
    widest, highest = max(drawing.width for drawing in drawn), max(drawing.height for drawing in drawn)
    cell = width / across
    high = cell * highest / widest
    whole = Drawing(width, rows * high)
    for number, (state, drawing) in enumerate(zip(order, drawn, strict=True)):
        row, column = divmod(number, across)
        here = state in present
        shown = marked(drawing, mark) if here else drawing
        inset = 0.06 * cell
        place = (column * cell + inset, row * high + inset, cell - 2 * inset, high - 2 * inset)
        fitted(whole, shown, *place, opacity=1 if here else _RULED_OUT)
    return whole


def squares_in_order(order: Sequence[Any], present: Collection[Any], width: float) -> Drawing:
    """A small square for each state, in its own place; those of `present` states are filled."""
    across = min(_MOST_SQUARES, max(_FEWEST_SQUARES, len(order)))
    side = width / across
    whole = Drawing(width, ceil(len(order) / across) * side)
    for number, state in enumerate(order):
        row, column = divmod(number, across)
        fill = "accent" if state in present else "felt"
        whole.rectangle((column + 0.1) * side, (row + 0.1) * side, 0.8 * side, 0.8 * side, fill=fill)
    return whole


def wrapped(text: str, width: float, size: float, most: int) -> list[str]:
    """The text in at most so many lines of this width; the rest is cut off, with an ellipsis."""
    room = width / (size * _OF_MONOSPACED)
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(cut(word, width, size))
    lines = [line for line in lines if line]
    if len(lines) > most:
        lines = [*lines[: most - 1], cut(f"{lines[most - 1]} {lines[most]} …", width, size)]
        lines[-1] = lines[-1] if lines[-1].endswith("…") else f"{lines[-1]}…"
    return lines


def cut(text: str, width: float, size: float) -> str:
    """One line of this width; the rest is cut off, with an ellipsis."""
    room = width / (size * _OF_MONOSPACED)
    if text_width(text) <= room:
        return text
    while text and text_width(f"{text}…") > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def width_of(text: str, size: float) -> float:
    """About how wide a line of proportional text is."""
    return text_width(text) * size * _OF_MONOSPACED


def write(
    whole: Drawing, lines: Sequence[str], x: float, y: float, *, size: float = NORMAL, anchor: str = "start", **how: Any
) -> None:
    """Put lines of text below each other; y is the upper edge of the first."""
    for number, line in enumerate(lines):
        whole.text(x, y + LINE * size * (number + 0.5), line, size=size, anchor=anchor, **how)


def sheet(width: float, height: float, title: str, note: str = "") -> tuple[Drawing, float]:
    """An empty sheet with a title and a remark below it; and the height of these."""
    head = (LINE * LARGE + 10 if title else 0) + (LINE * NORMAL if note else 0)
    whole = Drawing(width, height + head).rectangle(0, 0, width, height + head, r=8, fill="card")
    if title:
        whole.text(16, 14 + LARGE / 2, cut(title, width - 32, LARGE), size=LARGE, anchor="start", bold=True)
    if note:
        place = head - LINE * NORMAL / 2 + 6
        whole.text(16, place, cut(note, width - 32, NORMAL), size=NORMAL, anchor="start", fill="soft")
    return whole, head


_WIDTH, _HEIGHT, _LEFT, _BELOW = 420.0, 130.0, 46.0, 30.0
_MOST_BARS = 40


def draw_bars(counts: Mapping[float, int], across: str) -> Drawing:
    """A histogram; many numbers that lie close together share a bar."""
    whole = Drawing(_WIDTH, _HEIGHT)
    low, high = min(counts), max(counts)
    whole_numbers = all(number == int(number) for number in counts) and high - low < _MOST_BARS
    bins = int(high - low) + 1 if whole_numbers else min(_MOST_BARS, len(counts))
    width = 1.0 if whole_numbers else (high - low) / max(1, bins - 1) or 1.0
    heights = [0] * bins
    for number, count in counts.items():
        heights[min(bins - 1, round((number - low) / width))] += count
    room, floor = _WIDTH - _LEFT - 10, _HEIGHT - _BELOW
    step, most = room / bins, max(heights)
    for place, count in enumerate(heights):
        tall = (floor - 12) * count / most
        side = min(0.84 * step, 30)
        whole.rectangle(_LEFT + (place + 0.5) * step - side / 2, floor - tall, side, tall, fill="accent")
    whole.line(_LEFT, floor, _WIDTH - 10, floor, stroke="soft")
    for place in sorted({0, bins // 2, bins - 1}):
        whole.text(_LEFT + (place + 0.5) * step, floor + 9, f"{low + place * width:g}", size=SMALL, fill="soft")
    whole.text(_LEFT + room / 2, _HEIGHT - 7, across, size=SMALL, fill="soft")
    whole.text(_LEFT - 6, 12, f"{most:,}", size=SMALL, anchor="end", fill="soft")
    return whole


_MOST_PIXELS = 60_000_000
_ZOOM = 2


def require_resvg() -> None:
    """Check before long work that drawings can be made PNG; raise `BeliefSearchError` if resvg is not installed."""
    try:
        import resvg_py  # noqa: F401  # only to see whether it can be imported
    except ImportError as error:
        raise BeliefSearchError(
            f"drawings as PNG need resvg-py, which is not installed ({error}); pip install 'beliefsearch[plot]', "
            "or choose svg"
        ) from error


def drawing_png(drawing: Drawing) -> bytes:
    """The drawing as the bytes of a PNG file, with two pixels for each unit, or fewer if it is very large."""
    require_resvg()
    import resvg_py

    zoom = min(_ZOOM, (_MOST_PIXELS / (drawing.width * drawing.height)) ** 0.5)
    svg = drawing.svg(width=drawing.width)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=max(1, round(drawing.width * zoom)),
            # resvg does not ask the system for its generic families; most systems have these.
            sans_serif_family="DejaVu Sans",
            monospace_family="DejaVu Sans Mono",
        )
    )
