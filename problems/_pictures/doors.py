"""Doors in a row: closed, open with a goat or a car behind, and the one that was picked."""

from collections.abc import Mapping
from math import sqrt

from attrs import frozen

from beliefsearch import Drawing

_LETTER = 4.0


@frozen
class Doors:
    """So many doors, in rows where they are many."""

    count: int

    @property
    def _columns(self) -> int:
        return min(self.count, max(5, round(sqrt(1.6 * self.count))))

    @property
    def _size(self) -> float:
        """The width of a door with the gap beside it."""
        return 100 / self._columns

    @property
    def _height(self) -> float:
        return 1.75 * self._size * -(-self.count // self._columns) + 2

    def _corner(self, door: int) -> tuple[float, float]:
        row, column = divmod(door - 1, self._columns)
        return self._size * column, 1.75 * self._size * row + 1

    def drawn(self, opened: Mapping[int, str], picked: int) -> Drawing:
        """The doors, with what is behind open ones, `goat`, `car` or nothing; a tag on the door picked (0: none)."""
        drawing = Drawing(100, self._height)
        size = self._size
        for door in range(1, self.count + 1):
            x, y = self._corner(door)
            frame = (x + 0.12 * size, y + 0.06 * size, 0.76 * size, 1.34 * size)
            width = min(1.4, 0.06 * size)
            if door in opened:
                drawing.rectangle(*frame, fill="felt", stroke="brown", width=width)
                _put_behind(drawing, opened[door], x + 0.5 * size, y + 1.0 * size, 0.3 * size)
            else:
                drawing.rectangle(*frame, r=0.04 * size, fill="brown", stroke="brown", width=width)
                if size >= 6:
                    drawing.circle(x + 0.76 * size, y + 0.78 * size, 0.05 * size, fill="bright")
            if size >= _LETTER:
                ink = "soft" if door in opened else "card"
                drawing.text(x + 0.5 * size, y + 0.36 * size, door, size=0.36 * size, bold=True, fill=ink)
            if door == picked:
                tip = [(0.5, 1.44), (0.34, 1.66), (0.66, 1.66)]
                drawing.polygon([(x + across * size, y + down * size) for across, down in tip], fill="blue")
        return drawing

    def framed(self, door: int) -> Drawing:
        """A frame round a door."""
        x, y = self._corner(door)
        size = self._size
        return Drawing(100, self._height).rectangle(
            x + 0.06 * size, y, 0.88 * size, 1.46 * size, r=0.06 * size, fill="none", stroke="accent", width=0.07 * size
        )


def _put_behind(drawing: Drawing, thing: str, x: float, y: float, r: float) -> None:
    """A goat, a car, a tiger or a treasure."""
    if thing == "goat":
        goat = Drawing(20, 20).curve([(6, 7), (2, 4), (3, 0), (7, 0)], stroke="soft", width=1.6, round=True)
        goat.curve([(14, 7), (18, 4), (17, 0), (13, 0)], stroke="soft", width=1.6, round=True)
        goat.polygon([(4, 6), (16, 6), (12.5, 17), (7.5, 17)], fill="soft", stroke="soft", width=1.4, round=True)
        goat.circle(7.6, 9.5, 1.1, fill="card").circle(12.4, 9.5, 1.1, fill="card")
        drawing.place(goat, x - r, y - r, scale=r / 10)
    elif thing == "car":
        car, roof = Drawing(20, 20), [(4, 9), (6.5, 4), (13.5, 4), (16, 9)]
        car.polygon(roof, fill="none", stroke="bright-edge", width=1.6)
        car.rectangle(0.5, 8.5, 19, 6, r=2, fill="bright", stroke="bright-edge", width=1)
        car.circle(5, 15, 2.4, fill="ink").circle(15, 15, 2.4, fill="ink")
        drawing.place(car, x - r, y - r, scale=r / 10)
    elif thing == "tiger":
        tiger = Drawing(20, 20).circle(4.5, 4.5, 3, fill="bright-edge").circle(15.5, 4.5, 3, fill="bright-edge")
        tiger.circle(10, 10.5, 8, fill="bright", stroke="bright-edge", width=1.2)
        for across in (6.5, 10, 13.5):
            tiger.polyline([(across, 3.5), (across, 7)], stroke="ink", width=1.4)
        tiger.circle(7, 10, 1.2, fill="ink").circle(13, 10, 1.2, fill="ink")
        tiger.polygon([(8.5, 13), (11.5, 13), (10, 15)], fill="ink")
        drawing.place(tiger, x - r, y - r, scale=r / 10)
    elif thing == "treasure":
        chest = Drawing(20, 20).rectangle(1, 8, 18, 10, r=1.5, fill="brown", stroke="ink", width=1)
        chest.rectangle(1, 4, 18, 5, r=2, fill="bright", stroke="ink", width=1).circle(10, 10, 1.6, fill="ink")
        drawing.place(chest, x - r, y - r, scale=r / 10)
