"""Numbers in rows, or blocks of them where there are very many, and which of them it may be."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from attrs import frozen

from beliefsearch import Drawing

from .parts import fitted

_MOST = 1600  # of more numbers several share a square
_MOST_WRITTEN = 100
_TOP, _WIDE, _HIGH = 3.0, 94.0, 80.0


@frozen
class Numbers:
    """The numbers from 1 to some limit, on a canvas with a line of text below."""

    limit: int

    @property
    def _block(self) -> int:
        """The count of numbers that share a square."""
        return -(-self.limit // _MOST)

    @cached_property
    def _layout(self) -> tuple[int, float]:
        columns, size = fitted(self._squares, _WIDE, _HIGH)
        return columns, min(size, 26)

    def _cell(self, number: int) -> tuple[int, int]:
        row, column = divmod((number - 1) // self._block, self._layout[0])
        return column, row

    def drawn(self, lies: Mapping[int, int], text: str, *, most_lies: int = 0) -> Drawing:
        """The possible numbers, each with the lies that it takes; the fewer, the stronger its colour."""
        drawing = Drawing(100, 100).rectangle(0.6, 0.6, 98.8, 98.8, r=7, fill="card", stroke="line")
        columns, size = self._layout
        x, y = self._corner
        self._put_cells(drawing, map(self._cell, range(1, self.limit + 1, self._block)), fill="felt")
        fewest: dict[tuple[int, int], int] = {}
        for number, told in lies.items():
            cell = self._cell(number)
            fewest[cell] = min(told, fewest.get(cell, told))
        for told in sorted(set(fewest.values())):
            cells = [cell for cell, least in fewest.items() if least == told]
            share = 1 if len(fewest) == 1 else 0.75 - 0.5 * told / (most_lies + 1)
            self._put_cells(drawing, cells, fill="bright", opacity=share)
        if size >= 4:
            drawing.grid(columns, self._rows, size, x=x, y=y, stroke="card", width=0.08 * size)
        if self.limit <= _MOST_WRITTEN:
            for number in range(1, self.limit + 1):
                column, row = self._cell(number)
                across, down = x + size * (column + 0.5), y + size * (row + 0.5)
                there = number in lies
                ink = "soft" if not there else "on-bright" if len(lies) == 1 else "ink"
                drawing.text(across, down, number, size=0.4 * size, fill=ink, bold=there, opacity=1 if there else 0.7)
        return drawing.text(50, 92, text, size=6.8, fill="soft")

    def asked(self, numbers: Iterable[int]) -> Drawing:
        """Marks on the numbers that are asked after."""
        drawing = Drawing(100, 100)
        size = self._layout[1]
        cells = sorted({self._cell(number) for number in numbers})
        self._put_cells(drawing, cells, fill="accent", opacity=0.22)
        x, y = self._corner
        edges = _outline(set(cells))
        for (x1, y1), (x2, y2) in edges:
            drawing.line(
                x + size * x1, y + size * y1, x + size * x2, y + size * y2, stroke="accent", width=1.3, round=True
            )
        return drawing

    @property
    def _rows(self) -> int:
        return -(-self._squares // self._layout[0])

    @property
    def _squares(self) -> int:
        return -(-self.limit // self._block)

    @property
    def _corner(self) -> tuple[float, float]:
        columns, size = self._layout
        return 50 - columns * size / 2, _TOP + (_HIGH - self._rows * size) / 2

    def _put_cells(self, drawing: Drawing, cells: Iterable[tuple[int, int]], *, fill: str, opacity: float = 1) -> None:
        """Squares all in one shape, in units of squares, which makes for short numbers."""
        squares = Drawing(100, 100).cells(cells, 1, fill=fill, opacity=opacity)
        drawing.place(squares, *self._corner, scale=self._layout[1])


def _outline(cells: set[tuple[int, int]]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The lines round some cells, each as long as it is straight."""
    level = sorted(
        (row + down, column) for column, row in cells for down in (0, 1) if (column, row + 2 * down - 1) not in cells
    )
    upright = sorted(
        (column + right, row) for column, row in cells for right in (0, 1) if (column + 2 * right - 1, row) not in cells
    )
    lines = [((first, at), (last, at)) for at, first, last in _joined(level)]
    return lines + [((at, first), (at, last)) for at, first, last in _joined(upright)]


def _joined(pieces: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Pieces of length 1 as the longest there are: which line, from where, and up to where."""
    joined: list[tuple[int, int, int]] = []
    for at, first in pieces:
        if joined and joined[-1][0] == at and joined[-1][2] == first:
            joined[-1] = (at, joined[-1][1], first + 1)
        else:
            joined.append((at, first, first + 1))
    return joined
