"""Glasses round a table, up bright and down dark, and places that are felt."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from beliefsearch import Drawing

from .coins import HIDDEN, Coins, put_coin
from .marks import put_count, put_ring

_LETTER = 3.5


def put_glass(drawing: Drawing, x: float, y: float, r: float, stands: str) -> None:
    """A glass that stands up (`U`) or down (`D`); a dashed circle for one nobody feels."""
    if stands == HIDDEN:
        put_coin(drawing, x, y, 0.92 * r, HIDDEN)
        return
    side, turn = ("bright", 1) if stands == "U" else ("dark", -1)
    corners = [(-0.78, -0.82), (0.78, -0.82), (0.52, 0.82), (-0.52, 0.82)]
    points = [(x + across * r, y + turn * down * r) for across, down in corners]
    drawing.polygon(points, fill=side, stroke=f"{side}-edge", width=min(1.2, 0.12 * r), round=True)
    if r >= _LETTER:
        drawing.text(x, y, stands, size=0.85 * r, fill=f"on-{side}", bold=True)


def glasses(table: Coins, standing: Sequence[str], felt: Collection[int], count: int = 0) -> Drawing:
    """Glasses at the places of a table, with the hand on those felt; `count`: how many arrangements are possible."""
    drawing = table.blank()
    for place in felt:
        drawing.circle(*table.points[place], 1.18 * table.r, fill="accent-soft", stroke="accent", width=0.08 * table.r)
    for (x, y), stands in zip(table.points, standing, strict=True):
        put_glass(drawing, x, y, table.r, stands)
    if count > 1:
        put_count(drawing, 50, 50, count)
    return drawing


def touched(table: Coins, places: Collection[int], *, turned: bool) -> Drawing:
    """Rings round the glasses to feel; with arrows round those to turn over."""
    drawing = Drawing(table.width, table.height)
    for x, y in (table.points[place] for place in places):
        put_ring(drawing, x, y, table.r)
        if turned:
            for side in (1, -1):
                out, tip, back = 1.13 * table.r, 0.32 * table.r, 0.25 * table.r
                points = [(x + side * out, y + side * tip), (x + side * (out - tip), y - side * back)]
                points.append((x + side * (out + tip), y - side * back))
                drawing.polygon(points, fill="accent")
    return drawing
