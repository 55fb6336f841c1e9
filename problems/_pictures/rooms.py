"""Rooms seen from above: walls, free cells, a robot, and its shadow on every cell where it may be."""

from collections.abc import Collection, Iterable
from functools import cached_property

from attrs import frozen

from beliefsearch import Drawing

from .parts import MARGIN, Direction, put_square

Place = tuple[int, int]
_MOST = 48  # a longer room is drawn in blocks of cells
_MOST_LINES = 24
_MOST_ROBOTS = 150
_MOST_FEELING = 30


def put_robot(drawing: Drawing, x: float, y: float, r: float, *, opacity: float = 1) -> None:
    """A robot; if it would be very small, a dot."""
    if r < 2:
        drawing.circle(x, y, r, fill="blue", opacity=opacity)
        return
    robot = Drawing(20, 20).line(10, 1.5, 10, 5, stroke="blue", width=1.4, round=True).circle(10, 2, 1.5, fill="blue")
    robot.rectangle(2, 5, 16, 13, r=4, fill="blue")
    robot.circle(7, 10.5, 1.9, fill="card").circle(13, 10.5, 1.9, fill="card")
    robot.line(7, 15, 13, 15, stroke="card", width=1.2, round=True)
    drawing.place(robot, x - r, y - r, scale=r / 10, opacity=opacity)


@frozen
class Room:
    """A room with places X, Y, counted from 1 from the west and the south."""

    columns: int
    rows: int
    free: frozenset[Place] | None = None  # the places without a wall; None: all

    @property
    def block(self) -> int:
        """The number of cells, across and down, that are drawn as one."""
        return -(-max(self.columns, self.rows) // _MOST)

    @property
    def size(self) -> float:
        """The side of a cell, or of a block."""
        return (100 - 2 * MARGIN) / -(-max(self.columns, self.rows) // self.block)

    @property
    def width(self) -> float:
        return 2 * MARGIN + self.size * self.across

    @property
    def height(self) -> float:
        return 2 * MARGIN + self.size * self.down

    @property
    def across(self) -> int:
        return -(-self.columns // self.block)

    @property
    def down(self) -> int:
        return -(-self.rows // self.block)

    def cell(self, place: Place) -> tuple[int, int]:
        """Column and row on the canvas, from 0, from the top left."""
        return (place[0] - 1) // self.block, (self.rows - place[1]) // self.block

    def middle(self, place: Place) -> tuple[float, float]:
        column, row = self.cell(place)
        return MARGIN + self.size * (column + 0.5), MARGIN + self.size * (row + 0.5)

    @cached_property
    def _floor(self) -> Drawing:
        """Walls and free cells; where blocks are drawn, one is free if at least half of it is."""
        width, height = self.width - 2 * MARGIN, self.height - 2 * MARGIN
        drawing = Drawing(self.width, self.height)
        drawing.rectangle(
            MARGIN - 1.5, MARGIN - 1.5, width + 3, height + 3, r=2, fill="dark", stroke="dark-edge", width=0.8
        )
        if self.free is None:
            drawing.rectangle(MARGIN, MARGIN, width, height, fill="felt")
        else:
            counts: dict[tuple[int, int], int] = {}
            for place in self.free:
                counts[self.cell(place)] = counts.get(self.cell(place), 0) + 1
            drawing.place(self._cells([cell for cell, count in counts.items() if 2 * count >= self.block**2], "felt"))
        if max(self.across, self.down) <= _MOST_LINES:
            drawing.grid(self.across, self.down, self.size, x=MARGIN, y=MARGIN, width=0.5)
        return drawing

    def _cells(self, cells: Iterable[tuple[int, int]], fill: str) -> Drawing:
        """Cells all in one shape, in units of cells, which makes for short numbers."""
        squares = Drawing(self.across, self.down).cells(cells, 1, fill=fill)
        return Drawing(self.width, self.height).place(squares, MARGIN, MARGIN, scale=self.size)

    def empty(self, goal: Place | None = None) -> Drawing:
        """The room, and the place to go to."""
        drawing = Drawing(self.width, self.height).place(self._floor)
        if goal is not None:
            x, y = self.middle(goal)
            side = 0.84 * self.size
            look = {"fill": "bright", "stroke": "bright-edge"}
            put_square(drawing, x - side / 2, y - side / 2, side, r=0.12, **look, width=0.06 * side)
        return drawing

    def with_robot(self, place: Place, goal: Place | None = None, felt: Iterable[Direction] = ()) -> Drawing:
        """The room with the robot, and the walls that it feels."""
        drawing = self.empty(goal)
        self._put_felt(drawing, self.middle(place), felt)
        put_robot(drawing, *self.middle(place), max(0.46 * self.size, 1.6))
        return drawing

    def with_shadows(
        self, places: Collection[Place], goal: Place | None = None, felt: Iterable[Direction] = ()
    ) -> Drawing:
        """The room with the robot's shadow on every place where it may be, and the walls that it feels."""
        drawing = self.empty(goal)
        cells = {self.cell(place) for place in places}
        drawing.place(self._cells(cells, "blue"), opacity=0.38)
        if len(cells) <= _MOST_ROBOTS:
            middles = [self._middle_of(cell) for cell in sorted(cells)]
            drawing.dots(middles, 0.2 * self.size, fill="blue", opacity=0.75)
            for middle in middles[:_MOST_FEELING]:
                self._put_felt(drawing, middle, felt)
        return drawing

    def _put_felt(self, drawing: Drawing, middle: tuple[float, float], felt: Iterable[Direction]) -> None:
        """Lines along the sides of a cell on which a wall is felt."""
        out, side = 0.44 * self.size, 0.36 * self.size
        for direction in felt:
            across, down = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}[direction]
            x, y = middle[0] + across * out, middle[1] + down * out
            ends = (x - down * side, y - across * side, x + down * side, y + across * side)
            drawing.line(*ends, stroke="blue", width=0.09 * self.size, round=True)

    def _middle_of(self, cell: tuple[int, int]) -> tuple[float, float]:
        return MARGIN + self.size * (cell[0] + 0.5), MARGIN + self.size * (cell[1] + 0.5)
