"""Drawings: shapes put down one by one, written as SVG that can do nothing but be looked at.

Text is escaped, numbers are numbers, and colours are those of a palette by name: so no drawing of an author can run
anything or load anything, and the same drawing goes into a page that may be light or dark and into a file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil, cos, hypot, pi, sin, sqrt

from .svg import FONTS, as_number, coloured, number_text, point_list, size_text, styled
from .svg import PALETTE as PALETTE  # whoever draws asks here
from .svg import printable as printable
from .svg import text_width as text_width

_CANVAS = 100  # most drawings are squares of this size
_SMALLEST = 11  # a text that would become smaller than this makes its box larger instead


class Drawing:
    """Shapes on a canvas, in the order in which they were put there.

    Every method that adds a shape returns the drawing, so that calls can be chained. Coordinates grow to the right and
    downwards, from (0, 0) to (width, height); numbers may be of any type that `float` takes, but not text. A shape's
    style is given by name:

    - `fill` and `stroke`: a name of `PALETTE`, or "none"; a figure that is given neither is filled with "ink";
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
        if not (float(size_text(width)) and float(size_text(height))):
            raise ValueError(f"a drawing has a width and a height above 0, not {width} and {height}")
        self.width = as_number(width)
        self.height = as_number(height)
        self._shapes: list[str] = []

    # Single shapes.

    def circle(self, x: float, y: float, r: float, **style: str | float | bool) -> Drawing:
        """A circle round (x, y)."""
        return self._put("circle", f'cx="{number_text(x)}" cy="{number_text(y)}" r="{size_text(r)}"', _figure(style))

    def rectangle(
        self, x: float, y: float, width: float, height: float, /, *, r: float = 0, **style: str | float | bool
    ) -> Drawing:
        """A rectangle with its upper left corner at (x, y); `r` rounds its corners, `width=` is for its edge."""
        where = f'x="{number_text(x)}" y="{number_text(y)}" width="{size_text(width)}" height="{size_text(height)}"'
        return self._put("rect", where + (f' rx="{size_text(r)}"' if r else ""), _figure(style))

    def line(self, x1: float, y1: float, x2: float, y2: float, **style: str | float | bool) -> Drawing:
        """A line from (x1, y1) to (x2, y2)."""
        where = f'x1="{number_text(x1)}" y1="{number_text(y1)}" x2="{number_text(x2)}" y2="{number_text(y2)}"'
        return self._put("line", where, {"stroke": "ink", **style})

    def polygon(self, points: Iterable[tuple[float, float]], **style: str | float | bool) -> Drawing:
        """A closed figure through `points`."""
        return self._put("polygon", f'points="{point_list(points)}"', _figure(style))

    def polyline(self, points: Iterable[tuple[float, float]], **style: str | float | bool) -> Drawing:
        """A line through `points`."""
        return self._put("polyline", f'points="{point_list(points)}"', {"fill": "none", "stroke": "ink", **style})

    def curve(self, points: Sequence[tuple[float, float]], **style: str | float | bool) -> Drawing:
        """A Bézier curve: a first point, then three points for each piece, two that pull and one that is reached."""
        if len(points) % 3 != 1 or len(points) < 4:
            raise ValueError(f"a curve has 1 point and 3 more for each piece, not {len(points)}")
        return self._path(
            f"M{point_list(points[:1])}C{point_list(points[1:])}", {"fill": "none", "stroke": "ink", **style}
        )

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
        x1, y1, x2, y2, width, bend = map(as_number, (x1, y1, x2, y2, width, bend))
        across, down = x2 - x1, y2 - y1
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
        down = as_number(y) + 0.35 * as_number(size)
        look = f'x="{number_text(x)}" y="{number_text(down)}" font-size="{size_text(size)}"'
        look += f' text-anchor="{anchor}" font-family="{FONTS["mono" if mono else "sans"]}"'
        look += ' font-weight="600"' if bold else ""
        return self._put("text", look, {"fill": fill, "opacity": opacity}, printable(str(text)))

    # Many shapes at once, written shortly.

    def dots(self, points: Iterable[tuple[float, float]], r: float, *, fill: str, opacity: float = 1) -> Drawing:
        """Small discs of radius r, about ten letters for each."""
        # A line of no length with round ends.
        path = "".join(f"M{number_text(x)} {number_text(y)}h0" for x, y in points)
        wide = 2 * as_number(r)
        return self._path(path, {"fill": "none", "stroke": fill, "width": wide, "round": True, "opacity": opacity})

    def cells(
        self, cells: Iterable[tuple[int, int]], size: float, *, x: float = 0, y: float = 0, **style: str | float | bool
    ) -> Drawing:
        """Squares of a board by column and row, both from 0; (x, y) is the upper left corner of the first.

        Neighbours in a row become one shape: a board of any size, drawn so, has as many as there are runs.
        """
        size, x, y = map(as_number, (size, x, y))
        path, down = "", size_text(size)
        for column, row, count in _runs(cells):
            along = size_text(count * size)
            path += f"M{number_text(x + column * size)} {number_text(y + row * size)}h{along}v{down}h-{along}z"
        return self._path(path, _figure(style))

    def grid(
        self, columns: int, rows: int, size: float, *, x: float = 0, y: float = 0, **style: str | float | bool
    ) -> Drawing:
        """The lines of a board of squares, those round it as well."""
        size, x, y = map(as_number, (size, x, y))
        wide, high = size_text(columns * size), size_text(rows * size)
        upright = [f"M{number_text(x + i * size)} {number_text(y)}v{high}" for i in range(columns + 1)]
        level = [f"M{number_text(x)} {number_text(y + i * size)}h{wide}" for i in range(rows + 1)]
        return self._path("".join(upright + level), {"fill": "none", "stroke": "line", **style})

    # Drawings made of others, and of text.

    def place(self, drawing: Drawing, x: float = 0, y: float = 0, *, scale: float = 1, opacity: float = 1) -> Drawing:
        """Another drawing with its upper left corner at (x, y), `scale` times as large."""
        moved = f"translate({number_text(x)} {number_text(y)})" + ("" if scale == 1 else f" scale({size_text(scale)})")
        faded = "" if opacity == 1 else f' opacity="{size_text(opacity)}"'
        self._shapes.append(f'<g transform="{moved}"{faded}>{Drawing.shapes(drawing)}</g>')
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
        inner = coloured(self.shapes(), theme)
        size = ""
        if width is not None:
            size = f' width="{size_text(width)}" height="{size_text(as_number(width) * self.height / self.width)}"'
        role = f' role="img" aria-label="{printable(label)}"' if label else ""
        box = f'viewBox="0 0 {size_text(self.width)} {size_text(self.height)}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {box}{size}{role}>{inner}</svg>'

    def _repr_svg_(self) -> str:
        return self.svg(width=min(3 * self.width, 600))

    @staticmethod
    def plain(drawing: Drawing) -> Drawing:
        """The same shapes and size in no class but this one, so that no author's method is asked for them."""
        same = Drawing(drawing.width, drawing.height)
        same._shapes = drawing._shapes
        return same

    def _path(self, path: str, style: Mapping[str, str | float | bool]) -> Drawing:
        """A path, unless there is nothing in it."""
        return self._put("path", f'd="{path}"', style) if path else self

    def _put(self, tag: str, attributes: str, style: Mapping[str, str | float | bool], inside: str = "") -> Drawing:
        end = f">{inside}</{tag}>" if inside else "/>"
        self._shapes.append(f"<{tag} {attributes}{styled(style)}{end}")
        return self


def _figure(style: Mapping[str, str | float | bool]) -> Mapping[str, str | float | bool]:
    """The style of a closed figure, whose fill would otherwise be black, whatever the theme."""
    return {"fill": "none" if "stroke" in style else "ink", **style}


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
