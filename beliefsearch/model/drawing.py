"""Drawings: shapes put down one by one, written as SVG that can do nothing but be looked at.

Text is escaped, numbers are numbers, and colours are those of a palette by name: so no drawing of an author can run
anything or load anything, and the same drawing goes into a page that may be light or dark and into a file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from math import ceil, cos, isfinite, pi, sin, sqrt
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


class Drawing:
    """Shapes on a canvas, in the order in which they were put there.

    Every method that adds a shape returns the drawing, so that calls can be chained. Coordinates grow to the right and
    downwards, from (0, 0) to (width, height). `fill` and `stroke` are names of `PALETTE` or "none"; `width` is that of
    the stroke; `opacity` goes from 0 to 1; `dashed` and `round` are true or false.

    Parameters
    ----------
    width, height
        The size of the canvas, in units of its own.

    Raises
    ------
    ValueError
        Here, and by every method: if a number is not finite, or a colour is not in the palette.

    Examples
    --------
    >>> coin = Drawing(20, 20).circle(10, 10, 9, fill="bright").text(10, 10, "H", size=10)
    >>> coin.svg()[:60]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">'
    """

    def __init__(self, width: float = _CANVAS, height: float = _CANVAS) -> None:
        _number(width), _number(height)
        if width <= 0 or height <= 0:
            raise ValueError(f"a drawing has a width and a height above 0, not {width} and {height}")
        self.width = width
        self.height = height
        self._shapes: list[str] = []

    def circle(self, x: float, y: float, r: float, **style: str | float | bool) -> Drawing:
        """A circle round (x, y)."""
        return self._put("circle", {"cx": x, "cy": y, "r": r}, style)

    def rectangle(
        self, x: float, y: float, width: float, height: float, /, *, r: float = 0, **style: str | float | bool
    ) -> Drawing:
        """A rectangle with its upper left corner at (x, y); `r` is the radius of its corners."""
        return self._put("rect", {"x": x, "y": y, "width": width, "height": height, **({"rx": r} if r else {})}, style)

    def line(self, x1: float, y1: float, x2: float, y2: float, **style: str | float | bool) -> Drawing:
        """A line from (x1, y1) to (x2, y2)."""
        return self._put("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2}, {"stroke": "ink", **style})

    def polygon(self, points: Iterable[tuple[float, float]], **style: str | float | bool) -> Drawing:
        """A closed figure through `points`."""
        return self._put("polygon", {}, style, f' points="{_listed(points)}"')

    def polyline(self, points: Iterable[tuple[float, float]], **style: str | float | bool) -> Drawing:
        """A line through `points`."""
        return self._put("polyline", {}, {"fill": "none", "stroke": "ink", **style}, f' points="{_listed(points)}"')

    def curve(self, points: Sequence[tuple[float, float]], **style: str | float | bool) -> Drawing:
        """A Bézier curve: a first point, then three points for each piece, two that pull and one that is reached."""
        if len(points) % 3 != 1 or len(points) < 4:
            raise ValueError(f"a curve has 1 point and 3 more for each piece, not {len(points)}")
        path = f"M{_listed(points[:1])}C{_listed(points[1:])}"
        return self._put("path", {}, {"fill": "none", "stroke": "ink", **style}, f' d="{path}"')

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
        look = f' text-anchor="{anchor}" font-family="{_FONTS["mono" if mono else "sans"]}"'
        look += ' font-weight="600"' if bold else ""
        attributes = {"x": x, "y": y + 0.35 * size, "font-size": size}
        return self._put("text", attributes, {"fill": fill, "opacity": opacity}, look, printable(str(text)))

    def place(self, drawing: Drawing, x: float = 0, y: float = 0, *, scale: float = 1, opacity: float = 1) -> Drawing:
        """Another drawing with its upper left corner at (x, y), `scale` times as large."""
        moved = f"translate({_number(x)} {_number(y)})" + ("" if scale == 1 else f" scale({_number(scale)})")
        faded = "" if opacity == 1 else f' opacity="{_number(opacity)}"'
        self._shapes.append(f'<g transform="{moved}"{faded}>{drawing.shapes()}</g>')
        return self

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
        inner = self.shapes()
        if theme is not None:
            for name, colours in PALETTE.items():
                inner = inner.replace(f'"var(--{name})"', f'"{colours[theme == "dark"]}"')
        size = ""
        if width is not None:
            size = f' width="{_number(width)}" height="{_number(width * self.height / self.width)}"'
        role = f' role="img" aria-label="{printable(label)}"' if label else ""
        box = f'viewBox="0 0 {_number(self.width)} {_number(self.height)}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {box}{size}{role}>{inner}</svg>'

    def _repr_svg_(self) -> str:
        return self.svg(width=min(3 * self.width, 600))

    def _put(
        self,
        tag: str,
        attributes: Mapping[str, float],
        style: Mapping[str, str | float | bool],
        more: str = "",
        inside: str = "",
    ) -> Drawing:
        written = "".join(f' {name}="{_number(value)}"' for name, value in attributes.items())
        end = f">{inside}</{tag}>" if inside else "/>"
        self._shapes.append(f"<{tag}{written}{more}{_styled(style)}{end}")
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
            written += f' stroke-width="{_number(value)}"'
        elif name == "opacity":
            written += "" if value == 1 else f' opacity="{_number(value)}"'
        elif name == "dashed":
            written += ' stroke-dasharray="3 3"' if value else ""
        elif name == "round":
            written += ' stroke-linecap="round" stroke-linejoin="round"' if value else ""
        else:
            raise ValueError(f"a shape has fill, stroke, width, opacity, dashed and round, not {name!r}")
    return written


def _number(value: object) -> str:
    """A number as SVG has it, shortly."""
    if isinstance(value, bool) or not isinstance(number := value, (int, float)):
        try:
            number = float(value)  # type: ignore[arg-type]  # fractions and numbers of NumPy
        except (TypeError, ValueError):
            raise ValueError(f"{value!r} is no number to draw with") from None
    if not isfinite(number):
        raise ValueError(f"{value!r} is no number to draw with")
    written = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def _listed(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def printable(text: str) -> str:
    """`text` escaped for XML, without the characters that XML cannot hold."""
    return escape("".join(c if category(c) not in ("Cc", "Cs", "Cn") else "\N{REPLACEMENT CHARACTER}" for c in text))


def text_width(text: str) -> float:
    """About how wide `text` is in a monospaced font, in font sizes."""
    return 0.6 * sum(0 if category(c) in ("Mn", "Me") else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def text_box(text: str, *, most: int = 40) -> Drawing:
    """The lines of `text` in a neat box, on a square canvas if they fit one; long ones are cut."""
    lines = [line if len(line) <= most else line[: most - 1] + "…" for line in text.splitlines()[:most]] or [""]
    widest = max(max(map(text_width, lines)), 1)
    size = min(20, 84 / widest, 84 / (1.25 * len(lines)))
    # A text that would become too small to read makes the canvas longer instead.
    if size < 11:
        size = 11
    width, height = max(_CANVAS, widest * size + 16), max(_CANVAS, 1.25 * size * len(lines) + 16)
    if 1.25 * size * len(lines) < 40:
        height = min(height, 1.25 * size * len(lines) + 40) if width > _CANVAS else height
    drawing = Drawing(width, height).rectangle(1, 1, width - 2, height - 2, r=10, fill="felt", stroke="line")
    left = (width - widest * size) / 2
    top = height / 2 - 1.25 * size * (len(lines) - 1) / 2
    for number, line in enumerate(lines):
        y = top + 1.25 * size * number
        if len(lines) == 1:
            drawing.text(width / 2, y, line, size=size, mono=True)
        else:
            drawing.text(left, y, line, size=size, mono=True, anchor="start")
    return drawing


def side_by_side(drawings: Collection[Drawing], *, columns: int | None = None, gap: float = 6) -> Drawing:
    """Drawings in rows of the same height, as nearly a square as `columns` allows."""
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


def ring(count: int, *, radius: float = 34, centre: tuple[float, float] = (50, 50)) -> list[tuple[float, float]]:
    """The places of `count` things on a circle, the first at the top, then clockwise."""
    x, y = centre
    return [(x + radius * sin(2 * pi * i / count), y - radius * cos(2 * pi * i / count)) for i in range(count)]
