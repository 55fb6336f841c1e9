"""A vacuum cleaner on a row of squares, and a machine whose wheels are whole or broken."""

from collections.abc import Mapping

from attrs import frozen

from beliefsearch import Drawing

from .parts import MARGIN, put_cross, put_square

_SPECKS = ((-0.3, 0.28), (0.22, 0.34), (-0.05, 0.4), (0.33, 0.12), (-0.36, 0.02), (0.05, 0.2))
_FAINT = 0.35
_TOP = 1.5  # no arrows point up or down


@frozen
class Floor:
    """A row of squares."""

    names: tuple[str, ...]  # from the left

    @property
    def size(self) -> float:
        """The side of a square."""
        return (100 - 2 * MARGIN) / max(2, len(self.names))

    @property
    def width(self) -> float:
        return len(self.names) * self.size + 2 * MARGIN

    @property
    def height(self) -> float:
        return self.size + 2 * _TOP

    def drawn(self, vacuum: Mapping[int, bool], dirt: Mapping[int, bool]) -> Drawing:
        """The floor: by square where the vacuum, and where dirt may be: whether it certainly is there."""
        drawing = Drawing(self.width, self.height)
        gap = 0.04 * self.size
        for place, name in enumerate(self.names):
            side = self.size - 2 * gap
            x = MARGIN + self.size * place + gap
            width = min(1.2, 0.05 * side)
            put_square(drawing, x, _TOP + gap, side, r=0.1, fill="felt", stroke="line", width=width)
            if side >= 9:
                drawing.text(x + 0.14 * side, _TOP + 0.2 * side, name, size=0.18 * side, fill="soft")
        # In two shapes: what is certain, and what is not.
        for certain, opacity in ((True, 1), (False, _FAINT)):
            specks = _SPECKS if self.size > 6 else _SPECKS[:1]
            points = [
                (self._middle(place) + across * self.size, _TOP + (0.5 + down) * self.size)
                for place, sure in sorted(dirt.items())
                if sure is certain
                for across, down in specks
            ]
            drawing.dots(points, 0.055 * self.size, fill="brown", opacity=opacity)
        for place, sure in sorted(vacuum.items()):
            self._put_vacuum(drawing, self._middle(place), opacity=1 if sure else _FAINT)
        return drawing

    def _middle(self, place: int) -> float:
        return MARGIN + self.size * (place + 0.5)

    def _put_vacuum(self, drawing: Drawing, x: float, *, opacity: float) -> None:
        """A cleaner: body, wheels and hose; if it would be very small, a dot."""
        if self.size < 6:
            drawing.circle(x, self.height / 2, 0.3 * self.size, fill="blue", opacity=opacity)
            return
        cleaner = Drawing(20, 20).curve([(8, 10), (2, 1), (-1, 8), (1.5, 15)], stroke="blue", width=1.5, round=True)
        cleaner.line(-0.5, 15.4, 3.5, 15.4, stroke="blue", width=1.8, round=True)
        cleaner.rectangle(6, 7, 13, 8, r=3.6, fill="blue")
        cleaner.circle(9.5, 15, 2, fill="soft").circle(16, 15, 2, fill="soft").circle(15.4, 10.5, 1.5, fill="card")
        scale = 0.031 * self.size
        drawing.place(cleaner, x - 9.5 * scale, _TOP + 0.44 * self.size - 9 * scale, scale=scale, opacity=opacity)


_SIZE = 46.0  # the side of the square of a wheel
_TEETH = 10


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
