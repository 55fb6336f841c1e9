"""An automaton: its states on a ring, tokens on those it may be in, and where a letter leads."""

from collections.abc import Collection, Sequence
from math import ceil, hypot, pi, sin

from beliefsearch import Drawing

_MOST = 1024  # of more states only every second, third, ... is drawn
_MOST_ARROWS = 120
_LETTER = 2.6


def _ring(count: int) -> tuple[list[tuple[float, float]], float, int]:
    """The middle of each state that is drawn, their radius, and how many states each stands for."""
    step = ceil(count / _MOST)
    shown = ceil(count / step)
    if shown == 1:
        return [(50, 50)], 10, step
    gap = sin(pi / shown) / 1.5
    r = min(8.5, 43 * gap / (1 + gap))
    return Drawing.ring(shown, radius=42 - r), r, step


def automaton(count: int, possible: Collection[int]) -> Drawing:
    """The states, those that are possible filled."""
    drawing = Drawing()
    points, r, step = _ring(count)
    if r < 2:
        drawing.dots([at for i, at in enumerate(points) if i * step not in possible], r, fill="line")
        return drawing.dots([at for i, at in enumerate(points) if i * step in possible], r, fill="bright")
    for i, (x, y) in enumerate(points):
        here = i * step in possible
        fill, edge, ink = ("bright", "bright-edge", "on-bright") if here else ("felt", "line", "soft")
        drawing.circle(x, y, r, fill=fill, stroke=edge, width=min(1.3, 0.14 * r))
        if r >= _LETTER:
            drawing.text(x, y, i * step, size=0.95 * r, fill=ink, bold=here)
    return drawing


def letter(targets: Sequence[int], name: str) -> Drawing:
    """The moves of a letter: an arrow from each state that it moves, a loop at those that stay."""
    drawing = Drawing()
    points, r, step = _ring(len(targets))
    drawing.text(7, 8, name, size=12 if len(name) < 3 else 6, fill="accent", bold=True, anchor="start")
    if len(targets) > _MOST_ARROWS:
        return drawing
    width = max(0.4, min(1.1, 0.16 * r))
    for state, target in enumerate(targets):
        (x1, y1), (x2, y2) = points[state // step], points[target // step]
        if state == target:
            # Outside the ring, touching the state.
            out = 1 + 1.25 * r / max(1.0, hypot(x1 - 50, y1 - 50))
            x, y = (50 + (x1 - 50) * out, 50 + (y1 - 50) * out) if len(points) > 1 else (x1, y1 - 1.25 * r)
            drawing.circle(x, y, 0.45 * r, fill="none", stroke="accent", width=width)
            continue
        length = hypot(x2 - x1, y2 - y1)
        start, end = 1.12 * r / length, 1 - 1.12 * r / length
        tail, head = ((x1 + share * (x2 - x1), y1 + share * (y2 - y1)) for share in (start, end))
        drawing.arrow(*tail, *head, stroke="accent", width=width, bend=0 if length < 3 * r else 0.06)
    return drawing
