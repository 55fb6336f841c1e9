"""Coins, heads bright and tails dark, on a table, a board or in rows; and glasses that stand up or down."""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from math import ceil, hypot, pi, sin

from attrs import frozen

from beliefsearch import Drawing

from .parts import fitted, put_count, put_ring

HIDDEN = "?"
_DOT = 2.0  # coins smaller than this are drawn as dots
_LETTER = 3.0  # coins smaller than this have no letter
_MOST = 1024  # of more coins only every second, third, ... is drawn
Point = tuple[float, float]


def put_coin(drawing: Drawing, x: float, y: float, r: float, face: str, *, bright: str = "H") -> None:
    """A coin; the face `bright` is the one that is wanted."""
    edge = min(1.3, 0.12 * r)
    if face == HIDDEN:
        dash = max(1.0, 0.24 * r)
        drawing.circle(x, y, r, fill="card", stroke="soft", width=edge, dashed=dash)
        colour = "soft"
    else:
        side = "bright" if face == bright else "dark"
        drawing.circle(x, y, r, fill=side, stroke=f"{side}-edge", width=edge)
        colour = f"on-{side}"
    if r >= _LETTER:
        drawing.text(x, y, face, size=(1.05 if face == HIDDEN else 0.95) * r, fill=colour, bold=face != HIDDEN)


def put_coins(drawing: Drawing, points: Sequence[Point], r: float, faces: Sequence[str], *, bright: str = "H") -> None:
    """Coins at their places; very small ones all at once."""
    placed = list(zip(points, faces, strict=True))
    if r >= _DOT:
        for (x, y), face in placed:
            put_coin(drawing, x, y, r, face, bright=bright)
        return
    drawing.dots([point for point, face in placed if face not in (bright, HIDDEN)], r, fill="dark")
    drawing.dots([point for point, face in placed if face == bright], r, fill="bright")
    drawing.dots([point for point, face in placed if face == HIDDEN], r, fill="line")


@frozen
class Coins:
    """Coins lying somewhere on a canvas: where, and how large they are."""

    width: float
    height: float
    points: tuple[Point, ...]  # the middle of each coin
    r: float  # their radius
    round: bool  # whether they lie on a round table, or else on a board
    step: int = 1  # only the first of so many coins is drawn

    def blank(self) -> Drawing:
        """The table or the board without coins."""
        drawing = Drawing(self.width, self.height)
        if self.round:
            return drawing.circle(50, 50, 49, fill="felt", stroke="line", width=1.2)
        r = min(7.0, 0.2 * self.height)
        return drawing.rectangle(0.6, 0.6, self.width - 1.2, self.height - 1.2, r=r, fill="felt", stroke="line")

    def drawn(self, faces: Sequence[str], *, bright: str = "H") -> Drawing:
        """The coins as they show; on a round table with very small ones also how many of them show what is wanted."""
        drawing = self.blank()
        put_coins(drawing, self.points, self.r, faces[:: self.step], bright=bright)
        if self.round and self.r < _LETTER:
            wanted = sum(face == bright for face in faces)
            drawing.text(50, 47, f"{wanted:,} {bright}", size=12, fill="soft", bold=True)
            drawing.text(50, 59, f"of {len(faces):,}", size=7, fill="soft")
        return drawing

    def hidden(self, count: int) -> Drawing:
        """Coins nobody sees, and in the middle of a round table how many arrangements are possible."""
        drawing = self.blank()
        put_coins(drawing, self.points, self.r, HIDDEN * len(self.points))
        if self.round and len(self.points) > 1:
            put_count(drawing, 50, 46 if len(self.points) == 3 else 50, count)
        return drawing

    def ringed(self, places: Iterable[int]) -> Drawing:
        """Rings round the coins at these places."""
        drawing = Drawing(self.width, self.height)
        chosen = [self.points[place // self.step] for place in places if place % self.step == 0]
        if self.r >= _DOT:
            for x, y in chosen:
                put_ring(drawing, x, y, self.r)
            return drawing
        # Rings would hide such small coins: a mark beside each, towards the middle of the table.
        return drawing.dots([(x + 0.12 * (50 - x), y + 0.12 * (50 - y)) for x, y in chosen], self.r, fill="accent")

    def turned(self, amounts: Sequence[int]) -> Drawing:
        """Rings round the coins that are turned, and at them, towards the edge of the table, how far."""
        drawing = self.ringed(place for place, amount in enumerate(amounts) if amount)
        for (x, y), amount in zip(self.points, amounts[:: self.step], strict=True):
            if amount and self.r >= _LETTER:
                badge = 0.46 * self.r
                out = min(1.1 * self.r, 48.6 - badge - hypot(x - 50, y - 50)) / max(1.0, hypot(x - 50, y - 50))
                at = (x + out * (x - 50), y + out * (y - 50)) if len(self.points) > 1 else (x, y - 1.1 * self.r)
                drawing.circle(at[0], at[1], badge, fill="accent")
                drawing.text(at[0], at[1], f"+{amount}", size=1.15 * badge, fill="card", bold=True)
        return drawing


def table(count: int) -> Coins:
    """Coins evenly spaced on a round table, the first at the top, then clockwise."""
    step = ceil(count / _MOST)
    shown = ceil(count / step)
    if shown == 1:
        return Coins(100, 100, ((50, 50),), 16, round=True, step=step)
    # As large as leaves a gap of a quarter between neighbours, and the rings on the table.
    gap = sin(pi / shown) / 1.25
    r = min(13.5, 46 * gap / (1 + 1.3 * gap))
    return Coins(100, 100, tuple(Drawing.ring(shown, radius=46 - 1.3 * r)), r, round=True, step=step)


def put_strip(drawing: Drawing, faces: Sequence[str], *, bright: str = "H", empty: str = ".") -> Drawing:
    """Things in a row across the middle of a drawing, those that are `empty` as dots."""
    pitch = (drawing.width - 4) / len(faces)
    for place, face in enumerate(faces):
        x, y, r = 2 + pitch * (place + 0.5), drawing.height / 2, min(0.42 * pitch, 0.4 * drawing.height)
        if face == empty:
            drawing.circle(x, y, 0.15 * r, fill="line")
        else:
            put_coin(drawing, x, y, r, face, bright=bright)
    return drawing


def strip(faces: Sequence[str], *, bright: str = "H", empty: str = ".") -> Drawing:
    """Things in a row."""
    drawing = Drawing(12 * len(faces) + 4, 20)
    drawing.rectangle(0.6, 0.6, drawing.width - 1.2, 18.8, r=4, fill="felt", stroke="line")
    return put_strip(drawing, faces, bright=bright, empty=empty)


@cache
def board(rows: int, columns: int) -> Coins:
    """Coins on a board, row by row."""
    pitch = 92 / max(rows, columns)
    points = tuple((4 + pitch * (i + 0.5), 4 + pitch * (j + 0.5)) for j in range(rows) for i in range(columns))
    return Coins(pitch * columns + 8, pitch * rows + 8, points, 0.4 * pitch, round=False)


def in_rows(count: int) -> Coins:
    """Coins whose places mean nothing, in a few rows."""
    step = ceil(count / _MOST)
    shown = ceil(count / step)
    columns, pitch = fitted(shown, 92, 60)
    rows = -(-shown // columns)
    left, top = 50 - columns * pitch / 2, 4.0
    points = tuple((left + pitch * (i % columns + 0.5), top + pitch * (i // columns + 0.5)) for i in range(shown))
    return Coins(100, rows * pitch + 8, points, 0.4 * pitch, round=False, step=step)


_GLASS_LETTER = 3.5


def put_glass(drawing: Drawing, x: float, y: float, r: float, stands: str) -> None:
    """A glass that stands up (`U`) or down (`D`); a dashed circle for one nobody feels."""
    if stands == HIDDEN:
        put_coin(drawing, x, y, 0.92 * r, HIDDEN)
        return
    side, turn = ("bright", 1) if stands == "U" else ("dark", -1)
    corners = [(-0.78, -0.82), (0.78, -0.82), (0.52, 0.82), (-0.52, 0.82)]
    points = [(x + across * r, y + turn * down * r) for across, down in corners]
    drawing.polygon(points, fill=side, stroke=f"{side}-edge", width=min(1.2, 0.12 * r), round=True)
    if r >= _GLASS_LETTER:
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
