"""A machine and its wheels, whole or broken."""

from __future__ import annotations

from beliefsearch import Drawing

from .marks import put_cross

_SIZE = 46.0  # the side of the square of a wheel
_TEETH = 10
_FAINT = 0.35


def machine(parts: int, failed: int, perhaps: int) -> Drawing:
    """Its wheels, so many of them crossed out, and so many, these included, at least faintly."""
    drawing = Drawing(parts * _SIZE + 8, _SIZE + 8)
    drawing.rectangle(1, 1, drawing.width - 2, drawing.height - 2, r=6, fill="felt", stroke="line")
    for part in range(parts):
        x, y = 4 + (part + 0.5) * _SIZE, drawing.height / 2
        broken = part < perhaps
        look = "soft" if broken else "blue"
        tips = Drawing.ring(_TEETH, radius=0.42 * _SIZE, centre=(x, y))
        for across, down in tips:
            drawing.line(x, y, across, down, stroke=look, width=0.1 * _SIZE)
        drawing.circle(x, y, 0.34 * _SIZE, fill=look).circle(x, y, 0.12 * _SIZE, fill="felt")
        if broken:
            put_cross(drawing, x, y, 0.24 * _SIZE, opacity=1 if part < failed else _FAINT)
    return drawing
