"""Drawings: shapes put down one by one, written as SVG that can do nothing but be looked at.

Text is escaped, numbers are numbers, and colours are those of a palette by name: so no drawing of an author can run
anything or load anything, and the same drawing goes into a page that may be light or dark and into a file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from math import ceil, cos, hypot, isfinite, pi, sin, sqrt
from unicodedata import category, east_asian_width

# By name: the colour on paper, and in the dark.
PALETTE: Mapping[str, tuple[str, str]] = {
    "ink": ("#26241f", "#ebe7df"),
    "soft": ("#706a60", "#a19b90"),
    "line": ("#cfc8ba", "#4a4d55"),
    "felt": ("#efeae0", "#2b2d33"),
    "card": ("#fffefb", "#1e2024"),
    "bright": ("#d9a32e", "#e3b04b"),
    "bright-edge": ("#a87710", "#f1cd80"),
    "on-bright": ("#4a3300", "#3a2800"),
    "dark": ("#454b57", "#5b6271"),
    "dark-edge": ("#2d323c", "#7d8595"),
    "on-dark": ("#eef0f4", "#f2f3f6"),
    "accent": ("#0d7a6c", "#5cc7b5"),
    "accent-soft": ("#d9ece8", "#1f3a37"),
    "bad": ("#b3402e", "#ea8a78"),
    "bad-soft": ("#f6dfda", "#472822"),
    "blue": ("#3f6fb0", "#86aee6"),
    "blue-soft": ("#dbe7f6", "#22344d"),
    "green": ("#4c8a3c", "#8cc77a"),
    "brown": ("#8a5a34", "#c89a70"),
}

_FONTS = {"sans": "system-ui, sans-serif", "mono": "ui-monospace, Menlo, Consolas, monospace"}
_CANVAS = 100  # most drawings are squares of this size
_SMALLEST = 11  # a text that would become smaller than this makes its box larger instead
_COLOUR = re.compile(r'"var\(--([a-z-]+)\)"')  # quotes in texts are escaped, so this is never part of one


class Drawing:
    """Shapes on a canvas, in the order in which they were put there.

    Every method that adds a shape returns the drawing, so that calls can be chained. Coordinates grow to the right and
    downwards, from (0, 0) to (width, height); numbers may be of any type that `float` takes, but not text. A shape's
    style is given by name:

    - `fill` and `stroke`: a name of `PALETTE`, or "none";
    - `width`: that of the stroke; `dashed`: whether it is, or how long its dashes are; `round`: whether its ends are;
    - `opacity`: from 0 to 1.

    Parameters
    ----------
    width, height
        The size of the canvas, in units of its own.

    Raises
    ------
    ValueError
        Here, and by every method: if a number is not finite, a size is negative, a colour is not in the palette, or
        there is no such style.

    Examples
    --------
    >>> coin = Drawing(20, 20).circle(10, 10, 9, fill="bright").text(10, 10, "H", size=10)
    >>> coin.svg()[:60]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">'
    """

    def __init__(self, width: float = _CANVAS, height: float = _CANVAS) -> None:
        _size(width), _size(height)
        if width <= 0 or height <= 0:
            raise ValueError(f"a drawing has a width and a height above 0, not {width} and {height}")
        self.width = width
        self.height = height
        self._shapes: list[str] = []

    # Single shapes.

    def circle(self, x: float, y: float, r: float, **style: str | float | bool) -> Drawing:
        """A circle round (x, y)."""
        return self._put("circle", f'cx="{_number(x)}" cy="{_number(y)}" r="{_size(r)}"', style)

    def rectangle(
        self, x: float, y: float, width: float, height: float, /, *, r: float = 0, **style: str | float | bool
    ) -> Drawing:
        """A rectangle with its upper left corner at (x, y); `r` rounds its corners, `width=` is for its edge."""
        where = f'x="{_number(x)}" y="{_number(y)}" width="{_size(width)}" height="{_size(height)}"'
        return self._put("rect", where + (f' rx="{_size(r)}"' if r else ""), style)

    def line(self, x1: float, y1: float, x2: float, y2: float, **style: str | float | bool) -> Drawing:
        """A line from (x1, y1) to (x2, y2)."""
        where = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
        return self._put("line", where, {"stroke": "ink", **style})

    def polygon(self, points: Iterable[tuple[float, float]], **style: str | float | bool) -> Drawing:
        """A closed figure through `points`."""
        return self._put("polygon", f'points="{_listed(points)}"', style)

    def polyline(self, points: Iterable[tuple[float, float]], **style: str | float | bool) -> Drawing:
        """A line through `points`."""
        return self._put("polyline", f'points="{_listed(points)}"', {"fill": "none", "stroke": "ink", **style})

    def curve(self, points: Sequence[tuple[float, float]], **style: str | float | bool) -> Drawing:
        """A Bézier curve: a first point, then three points for each piece, two that pull and one that is reached."""
        if len(points) % 3 != 1 or len(points) < 4:
            raise ValueError(f"a curve has 1 point and 3 more for each piece, not {len(points)}")
        return self._path(f"M{_listed(points[:1])}C{_listed(points[1:])}", {"fill": "none", "stroke": "ink", **style})

    def arrow(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        *,
        stroke: str = "ink",
        width: float = 1,
        bend: float = 0,
        **style: str | float | bool,
    ) -> Drawing:
        """An arrow from (x1, y1) to (x2, y2), bent to its left by `bend` times its length."""
        across, down = float(x2 - x1), float(y2 - y1)
        length = hypot(across, down)
        if not length:
            return self
        # The point that pulls the curve; the head looks away from it.
        pull = (x1 + across / 2 + 2 * bend * down, y1 + down / 2 - 2 * bend * across)
        away = hypot(x2 - pull[0], y2 - pull[1])
        right, below = (x2 - pull[0]) / away, (y2 - pull[1]) / away
        head = min(4.5 * width, length)
        neck = (x2 - head * right, y2 - head * below)
        if bend:
            pulls = [(x + (pull[0] - x) * 2 / 3, y + (pull[1] - y) * 2 / 3) for x, y in ((x1, y1), neck)]
            self.curve([(x1, y1), *pulls, neck], stroke=stroke, width=width, **style)
        else:
            self.line(x1, y1, neck[0], neck[1], stroke=stroke, width=width, **style)
        wings = [(neck[0] + side * head * below / 2, neck[1] - side * head * right / 2) for side in (1, -1)]
        return self.polygon([(x2, y2), *wings], fill=stroke, **{**style, "dashed": False})

    def text(
        self,
        x: float,
        y: float,
        text: object,
        *,
        size: float = 12,
        fill: str = "ink",
        anchor: str = "middle",
        bold: bool = False,
        mono: bool = False,
        opacity: float = 1,
    ) -> Drawing:
        """A line of text of font size `size`, whose middle is at height y.

        `anchor` says which end of it is at x: "start", "middle" or "end".
        """
        if anchor not in ("start", "middle", "end"):
            raise ValueError(f"anchor is start, middle or end, not {anchor!r}")
        # The baseline is placed by hand: programs other than browsers do not know `dominant-baseline`.
        look = f'x="{_number(x)}" y="{_number(float(y) + 0.35 * float(size))}" font-size="{_size(size)}"'
        look += f' text-anchor="{anchor}" font-family="{_FONTS["mono" if mono else "sans"]}"'
        look += ' font-weight="600"' if bold else ""
        return self._put("text", look, {"fill": fill, "opacity": opacity}, printable(str(text)))

    # Many shapes at once, written shortly.

    def dots(self, points: Iterable[tuple[float, float]], r: float, *, fill: str, opacity: float = 1) -> Drawing:
        """Small discs of radius r, about ten letters for each."""
        # A line of no length with round ends.
        path = "".join(f"M{_number(x)} {_number(y)}h0" for x, y in points)
        _size(r)
        return self._path(path, {"fill": "none", "stroke": fill, "width": 2 * r, "round": True, "opacity": opacity})

    def cells(
        self,
        cells: Iterable[tuple[int, int]],
        size: float,
        *,
        x: float = 0,
        y: float = 0,
        **style: str | float | bool,
    ) -> Drawing:
        """Squares of a board by column and row, both from 0; (x, y) is the upper left corner of the first.

        Neighbours in a row become one shape: a board of any size, drawn so, has as many as there are runs.
        """
        path, side = "", float(size)
        for column, row, count in _runs(cells):
            along = _number(count * side)
            path += f"M{_number(x + column * side)} {_number(y + row * side)}h{along}v{_size(side)}h-{along}z"
        return self._path(path, style)

    def grid(
        self, columns: int, rows: int, size: float, *, x: float = 0, y: float = 0, **style: str | float | bool
    ) -> Drawing:
        """The lines of a board of squares, those round it as well."""
        upright = [f"M{_number(x + i * size)} {_number(y)}v{_size(rows * size)}" for i in range(columns + 1)]
        level = [f"M{_number(x)} {_number(y + i * size)}h{_size(columns * size)}" for i in range(rows + 1)]
        return self._path("".join(upright + level), {"fill": "none", "stroke": "line", **style})

    # Drawings made of others, and of text.

    def place(self, drawing: Drawing, x: float = 0, y: float = 0, *, scale: float = 1, opacity: float = 1) -> Drawing:
        """Another drawing with its upper left corner at (x, y), `scale` times as large."""
        moved = f"translate({_number(x)} {_number(y)})" + ("" if scale == 1 else f" scale({_size(scale)})")
        faded = "" if opacity == 1 else f' opacity="{_size(opacity)}"'
        self._shapes.append(f'<g transform="{moved}"{faded}>{drawing.shapes()}</g>')
        return self

    @staticmethod
    def side_by_side(drawings: Collection[Drawing], *, columns: int | None = None, gap: float = 6) -> Drawing:
        """Drawings in rows, each in the middle of its place; as nearly a square as can be unless `columns` is given."""
        across = columns or max(1, ceil(sqrt(len(drawings))))
        wide = max((drawing.width for drawing in drawings), default=_CANVAS)
        high = max((drawing.height for drawing in drawings), default=_CANVAS)
        rows = max(1, ceil(len(drawings) / across))
        whole = Drawing(across * (wide + gap) - gap, rows * (high + gap) - gap)
        for number, drawing in enumerate(drawings):
            row, column = divmod(number, across)
            x = column * (wide + gap) + (wide - drawing.width) / 2
            whole.place(drawing, x, row * (high + gap) + (high - drawing.height) / 2)
        return whole

    @staticmethod
    def text_box(text: str, *, most: int = 40) -> Drawing:
        """The lines of `text` in a neat box, on a square canvas if they fit one; at most `most` lines and letters."""
        lines = [line if len(line) <= most else line[: most - 1] + "…" for line in text.splitlines()[:most]] or [""]
        widest = max(*map(text_width, lines), 1)
        size = max(_SMALLEST, min(20, 84 / widest, 84 / (1.25 * len(lines))))
        step = 1.25 * size
        width, height = max(_CANVAS, widest * size + 16), max(_CANVAS, step * len(lines) + 16)
        if width > _CANVAS:  # a long line needs no square
            height = min(height, step * len(lines) + 40)
        drawing = Drawing(width, height).rectangle(1, 1, width - 2, height - 2, r=10, fill="felt", stroke="line")
        x, anchor = (width / 2, "middle") if len(lines) == 1 else ((width - widest * size) / 2, "start")
        for number, line in enumerate(lines):
            drawing.text(
                x, height / 2 + step * (number - (len(lines) - 1) / 2), line, size=size, anchor=anchor, mono=True
            )
        return drawing

    @staticmethod
    def ring(count: int, *, radius: float = 34, centre: tuple[float, float] = (50, 50)) -> list[tuple[float, float]]:
        """The places of `count` things on a circle, the first at the top, then clockwise."""
        x, y = centre
        turns = (2 * pi * i / count for i in range(count))
        return [(x + radius * sin(turn), y - radius * cos(turn)) for turn in turns]

    # As text.

    def shapes(self) -> str:
        """The shapes as SVG without the element round them; colours are `var(--NAME)`."""
        return "".join(self._shapes)

    def svg(self, *, theme: str | None = "light", width: float | None = None, label: str = "") -> str:
        """The whole drawing as an SVG element, which is a file of its own as well.

        Parameters
        ----------
        theme
            "light" or "dark": colours are written out, which every program understands. None: they are `var(--NAME)`,
            for a page that sets them.
        width
            Pixels across; by default whoever shows it decides.
        label
            What a screen reader says.
        """
        if theme not in ("light", "dark", None):
            raise ValueError(f"theme is light, dark or None, not {theme!r}")
        inner = self.shapes()
        if theme is not None:
            inner = _COLOUR.sub(lambda name: f'"{PALETTE[name[1]][theme == "dark"]}"', inner)
        size = ""
        if width is not None:
            size = f' width="{_size(width)}" height="{_size(width * self.height / self.width)}"'
        role = f' role="img" aria-label="{printable(label)}"' if label else ""
        box = f'viewBox="0 0 {_size(self.width)} {_size(self.height)}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {box}{size}{role}>{inner}</svg>'

    def _repr_svg_(self) -> str:
        return self.svg(width=min(3 * self.width, 600))

    def _path(self, path: str, style: Mapping[str, str | float | bool]) -> Drawing:
        """A path, unless there is nothing in it."""
        return self._put("path", f'd="{path}"', style) if path else self

    def _put(self, tag: str, attributes: str, style: Mapping[str, str | float | bool], inside: str = "") -> Drawing:
        end = f">{inside}</{tag}>" if inside else "/>"
        self._shapes.append(f"<{tag} {attributes}{_styled(style)}{end}")
        return self


def _styled(style: Mapping[str, str | float | bool]) -> str:
    """Fill, stroke, line width, dashes and opacity as attributes."""
    written = ""
    for name, value in style.items():
        if name in ("fill", "stroke"):
            if value != "none" and value not in PALETTE:
                raise ValueError(f"{name} {value!r} is no colour; there are none, {', '.join(PALETTE)}")
            written += f' {name}="none"' if value == "none" else f' {name}="var(--{value})"'
        elif name == "width":
            written += f' stroke-width="{_size(value)}"'
        elif name == "opacity":
            written += "" if value == 1 else f' opacity="{_size(value)}"'
        elif name == "dashed":
            dash = _size(3 if value is True else value)
            written += f' stroke-dasharray="{dash} {dash}"' if value else ""
        elif name == "round":
            written += ' stroke-linecap="round" stroke-linejoin="round"' if value else ""
        else:
            raise ValueError(f"a shape has fill, stroke, width, opacity, dashed and round, not {name!r}")
    return written


def _number(value: object) -> str:
    """A number as SVG has it, shortly."""
    try:
        number = float(value) if not isinstance(value, (str, bytes)) else None  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or not isfinite(number):
        raise ValueError(f"{value!r} is no number to draw with")
    written = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def _size(value: object) -> str:
    """A number that is not negative."""
    written = _number(value)
    if written.startswith("-"):
        raise ValueError(f"{value!r} is no size to draw with")
    return written


def _listed(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _runs(cells: Iterable[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Cells side by side as one: the first column, the row, and how many; row by row."""
    runs: list[tuple[int, int, int]] = []
    for row, column in sorted({(row, column) for column, row in cells}):
        first, before, count = runs[-1] if runs else (0, None, 0)
        if before == row and first + count == column:
            runs[-1] = (first, row, count + 1)
        else:
            runs.append((column, row, 1))
    return runs


def printable(text: str) -> str:
    """`text` escaped for XML, without the characters that XML cannot hold."""
    return escape("".join(c if category(c) not in ("Cc", "Cs", "Cn") else "\N{REPLACEMENT CHARACTER}" for c in text))


def text_width(text: str) -> float:
    """About how wide `text` is in a monospaced font, in font sizes."""
    return 0.6 * sum(0 if category(c) in ("Mn", "Me") else 2 if east_asian_width(c) in "WF" else 1 for c in text)
