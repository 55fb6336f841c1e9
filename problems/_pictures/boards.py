"""Boards of squares: lamps, and tiles with numbers."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from beliefsearch import Drawing

from .parts import MARGIN, put_square

_MOST = 10  # in a longer row squares are drawn without numbers and frames


@frozen
class Board:
    """A board of squares, with a margin round it."""

    rows: int
    columns: int
    margin: float = 4  # what is left free on every side

    @property
    def size(self) -> float:
        """The side of a square."""
        return (100 - 2 * self.margin) / max(self.rows, self.columns)

    @property
    def width(self) -> float:
        return self.columns * self.size + 2 * self.margin

    @property
    def height(self) -> float:
        return self.rows * self.size + 2 * self.margin

    def blank(self) -> Drawing:
        """The board without anything on it."""
        inset = self.margin - 3.4
        width, height = self.width - 2 * inset, self.height - 2 * inset
        return Drawing(self.width, self.height).rectangle(
            inset, inset, width, height, r=min(7, 0.2 * height), fill="felt", stroke="line"
        )

    def lamps(self, letters: Sequence[str]) -> Drawing:
        """Lamps, of which `1` is lit, `0` is off, and anything else is not known."""
        drawing = self.blank()
        if max(self.rows, self.columns) > _MOST:
            off = self._cells(place for place, letter in enumerate(letters) if letter == "0")
            lit = self._cells(place for place, letter in enumerate(letters) if letter == "1")
            return self._filled(self._filled(drawing, off, "dark"), lit, "bright")
        for place, letter in enumerate(letters):
            x, y, side, edge = self._square(place)
            if letter in ("0", "1"):
                look = "bright" if letter == "1" else "dark"
                put_square(drawing, x, y, side, r=0.24, fill=look, stroke=f"{look}-edge", width=edge)
                if letter == "1":
                    drawing.circle(x + side / 2, y + side / 2, 0.24 * side, fill="on-dark", opacity=0.6)
            else:
                put_square(drawing, x, y, side, r=0.24, fill="card", stroke="soft", width=edge, dashed=0.1 * side)
                drawing.text(x + side / 2, y + side / 2, "?", size=0.5 * side, fill="soft")
        return drawing

    def tiles(self, numbers: Sequence[int]) -> Drawing:
        """Tiles with numbers; 0 is the gap, and -1 not known. A tile in its place has a coloured edge."""
        drawing = self.blank()
        home = [place for place, number in enumerate(numbers) if number == place + 1]
        if max(self.rows, self.columns) > _MOST:
            others = (place for place, number in enumerate(numbers) if number > 0 and number != place + 1)
            return self._filled(self._filled(drawing, self._cells(others), "dark"), self._cells(home), "bright")
        for place, number in enumerate(numbers):
            x, y, side, edge = self._square(place)
            middle = (x + side / 2, y + side / 2)
            if number > 0:
                look = "bright-edge" if place in home else "soft"
                put_square(drawing, x, y, side, r=0.14, fill="card", stroke=look, width=edge)
                size = 0.5 * side * (0.8 if number > 99 else 1)
                drawing.text(*middle, number, size=size, bold=True, fill="ink")
            elif number < 0:
                put_square(drawing, x, y, side, r=0.14, fill="none", stroke="soft", width=edge, dashed=0.1 * side)
                drawing.text(*middle, "?", size=0.5 * side, fill="soft")
        return drawing

    def framed(self, places: Iterable[int]) -> Drawing:
        """Frames round these squares."""
        drawing = Drawing(self.width, self.height)
        chosen = list(places)
        if max(self.rows, self.columns) > 2 * _MOST:
            return self._filled(drawing, self._cells(chosen), "accent")
        for place in chosen:
            x, y, side, _ = self._square(place)
            put_square(drawing, x, y, side, r=0.24, fill="none", stroke="accent", width=max(0.8, 0.11 * side))
        return drawing

    def _square(self, place: int) -> tuple[float, float, float, float]:
        """The corner of the square, its side with a gap left, and the width of its edge."""
        row, column = divmod(place, self.columns)
        gap = 0.07 * self.size
        corner = self.margin + column * self.size + gap, self.margin + row * self.size + gap
        return *corner, self.size - 2 * gap, min(1.2, 0.06 * self.size)

    def _cells(self, places: Iterable[int]) -> list[tuple[int, int]]:
        return [(place % self.columns, place // self.columns) for place in places]

    def _filled(self, drawing: Drawing, cells: Iterable[tuple[int, int]], fill: str) -> Drawing:
        """The squares all in one shape, in units of squares, which makes for short numbers."""
        squares = Drawing(self.columns, self.rows).cells(cells, 1, fill=fill)
        return drawing.place(squares, self.margin, self.margin, scale=self.size)


def board_with_edges(rows: int, columns: int) -> Board:
    """A board with room for arrows at its edges."""
    return Board(rows, columns, margin=MARGIN + 3)
