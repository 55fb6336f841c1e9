"""Marks that mean the same in every picture: a ring for what is chosen, an arrow at the edge for a direction."""

from __future__ import annotations

from typing import Literal

from beliefsearch import Drawing

Direction = Literal["up", "right", "down", "left"]

COMPASS: dict[str, Direction] = {"North": "up", "East": "right", "South": "down", "West": "left"}

MARGIN = 8.0
"""What pictures with directions leave free round a board."""


def ink_on(colour: str) -> str:
    """The colour of letters on a thing of some colour, in every theme."""
    return f"on-{colour}" if colour in ("bright", "dark") else "card"


def put_ring(drawing: Drawing, x: float, y: float, r: float) -> None:
    """A ring round a thing of radius r that is chosen."""
    drawing.circle(x, y, 1.13 * r, fill="none", stroke="accent", width=max(0.8, 0.22 * r))


def put_cross(drawing: Drawing, x: float, y: float, r: float, *, opacity: float = 1) -> None:
    """A cross: dead, or lost."""
    for side in (1, -1):
        drawing.line(x - r, y - side * r, x + r, y + side * r, stroke="bad", width=0.4 * r, round=True, opacity=opacity)


def edge_arrow(
    width: float, height: float, direction: Direction, *, twice: bool = False, fill: str = "accent"
) -> Drawing:
    """An arrow at the edge of a canvas that somebody or something goes to; `twice`: a thing flies there."""
    drawing = Drawing(width, height)
    for tip in (0.8, 3.8) if twice else (1.5,):
        depth = 3.4 if twice else 5.5
        # How far in from the edge, and how far from its middle.
        for_each = [(tip, 0.0), (tip + depth, 9.0), (tip + depth, -9.0)]
        middle = width / 2 if direction in ("up", "down") else height / 2
        points = [(middle + aside, depth) for depth, aside in for_each]
        if direction == "down":
            points = [(x, height - y) for x, y in points]
        elif direction == "left":
            points = [(y, x) for x, y in points]
        elif direction == "right":
            points = [(width - y, x) for x, y in points]
        drawing.polygon(points, fill=fill)
    return drawing


def put_count(drawing: Drawing, x: float, y: float, count: int, *, size: float = 11) -> None:
    """How many states are possible."""
    size = min(size, 2.8 * size / len(f"{count:,}"))
    drawing.text(x, y - 0.15 * size, f"{count:,}", size=size, fill="soft", bold=True)
    drawing.text(x, y + 0.7 * size, "possible", size=max(3.5, 0.48 * size), fill="soft")
