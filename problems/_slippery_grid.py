"""A grid with a treasure and a pit, in which steps go astray: what the worlds that are seen and unseen share."""

from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from attrs import field, frozen

from beliefsearch import Drawing

from ._fractions import as_fraction, is_chance
from ._pictures.mazes import room_of
from ._pictures.parts import COMPASS, edge_arrow
from ._pictures.rooms import Room

Cell: TypeAlias = tuple[int, int]
"""Row and column, both from 0, from the top left."""
MOVES = {"north": (-1, 0), "south": (1, 0), "east": (0, 1), "west": (0, -1)}


@frozen(slots=False)
class SlipperyGrid:
    """The cells and the steps."""

    grid: str = field(default="...+/.#.-/....", metadata={"help": "the maze, its rows between slashes"})
    slip: Fraction = field(
        default=Fraction(1, 10),
        converter=as_fraction,
        validator=is_chance,
        metadata={"help": "the probability that a step goes to the left, and to the right"},
    )

    def __attrs_post_init__(self) -> None:
        strange = sorted(set(self.grid) - set(".#+-/"))
        if strange:
            raise ValueError(f"grid: {strange[0]!r} is none of . # + - and /")
        if self.slip > Fraction(1, 2):
            raise ValueError(f"slip: on either side it is at most 1/2, not {self.slip}")

    @cached_property
    def cells(self) -> dict[Cell, str]:
        """The contents of each cell that is no wall."""
        rows = enumerate(self.grid.split("/"))
        return {(row, col): mark for row, marks in rows for col, mark in enumerate(marks) if mark != "#"}

    def steps(self, cell: Cell, action: str) -> list[tuple[Fraction, Cell]]:
        """The cells to which a step leads, with probabilities: a step into a wall goes nowhere."""
        down, across = MOVES[action]
        ways = [(1 - 2 * self.slip, (down, across)), (self.slip, (across, down)), (self.slip, (-across, -down))]
        ends = ((chance, (cell[0] + way[0], cell[1] + way[1])) for chance, way in ways)
        return [(chance, there if there in self.cells else cell) for chance, there in ends]

    def format_state(self, state: Cell) -> str:
        return f"row {state[0] + 1}, column {state[1] + 1}"

    def describe_action(self, action: str) -> str:
        return f"Go {action}"

    def svg_action(self, action: str) -> Drawing:
        return edge_arrow(self.room.width, self.room.height, COMPASS[action.capitalize()])

    @cached_property
    def room(self) -> Room:
        """The grid as it is drawn."""
        return room_of(self.grid)
