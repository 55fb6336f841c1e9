"""A maze in the dark: find the treasure while you feel only the walls beside you."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from attrs import field, frozen

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._fractions import DISCOUNT, as_fraction, is_chance, is_discount
from ._pictures.mazes import maze, place_of, room_of
from ._pictures.parts import COMPASS, edge_arrow
from ._pictures.rooms import Room

Cell: TypeAlias = tuple[int, int]
"""Row and column, both from 0, from the top left."""

_MOVES = {"north": (-1, 0), "south": (1, 0), "east": (0, 1), "west": (0, -1)}


@frozen
class MazeProblem(StochasticProblem[Cell, str, str]):
    """Walk through a maze to the treasure and not into the pit, feeling only the walls to the left and to the right.

    Story
    -----
    You wake up somewhere in a maze, in the dark. Somewhere is a treasure, elsewhere a pit. You feel whether there is a
    wall to the west and to the east of you, and your steps go astray now and then. Whoever has reached the treasure, or
    the pit, is put somewhere else, and it goes on. Where are you, and which way do you go?

    Formal model
    ------------
    A state is a cell of `--grid`, whose rows stand between slashes: `.` is free, `#` a wall, `+` the treasure, `-` the
    pit. An action is a step; with the probability `--slip` on either side it goes to that side instead, and a step into
    a wall goes nowhere. What is perceived is where there are walls: west, east, both or neither; the treasure and the
    pit are seen. Any action in the treasure's cell has the reward 1, in the pit's -1, elsewhere -0.04; from the
    first two it leads to each free cell with the same probability, as does the beginning.

    Source
    ------
    The 4 x 3 world of Russell and Norvig, in the form of R. Parr, S. Russell, "Approximating optimal policies for
    partially observable stochastic domains" (IJCAI 1995), and of Cassandra's collection, `4x3.95.POMDP`.

    Known answers
    -------------
    With a treasure beside the only free cell, and no slips, the value v solves v = -0.04 + 0.95 (1 + 0.95 v), so it is
    28/3. For the 4 x 3 world SARSOP's bounds on `4x3.95.POMDP` are 1.88988 and 1.89085, but in that file a step east
    from the third cell of the last row goes back to the second with probability 1/10, where it should stay.
    """

    known_answers = (KnownAnswer({"grid": ".+", "slip": "0"}, 28 / 3, within=1e-9),)

    grid: str = field(default="...+/.#.-/....", metadata={"help": "the maze, its rows between slashes"})
    slip: Fraction = field(
        default=Fraction(1, 10),
        converter=as_fraction,
        validator=is_chance,
        metadata={"help": "the probability that a step goes to the left, and to the right"},
    )
    discounted: Fraction = field(
        default=Fraction(95, 100), converter=as_fraction, validator=is_discount, metadata=DISCOUNT
    )

    def __attrs_post_init__(self) -> None:
        strange = sorted(set(self.grid) - set(".#+-/"))
        if strange:
            raise ValueError(f"grid: {strange[0]!r} is none of . # + - and /")
        if not self._free:
            raise ValueError("grid: there is no free cell to begin in")
        if self.slip > Fraction(1, 2):
            raise ValueError(f"slip: on either side it is at most 1/2, not {self.slip}")

    @cached_property
    def _cells(self) -> dict[Cell, str]:
        """What is in each cell that is no wall."""
        rows = enumerate(self.grid.split("/"))
        return {(row, col): mark for row, marks in rows for col, mark in enumerate(marks) if mark != "#"}

    @cached_property
    def _free(self) -> list[Cell]:
        return [cell for cell, mark in self._cells.items() if mark == "."]

    def initial_distribution(self) -> list[tuple[Fraction, Cell]]:
        return [(Fraction(1, len(self._free)), cell) for cell in self._free]

    def actions(self, state: Cell) -> tuple[str, ...]:
        return tuple(_MOVES)

    def outcomes(self, state: Cell, action: str) -> list[tuple[Fraction, Cell]]:
        if self._cells[state] != ".":
            return self.initial_distribution()
        down, across = _MOVES[action]
        ways = [(1 - 2 * self.slip, (down, across)), (self.slip, (across, down)), (self.slip, (-across, -down))]
        return [(chance, self._step(state, way)) for chance, way in ways]

    def _step(self, cell: Cell, way: tuple[int, int]) -> Cell:
        there = cell[0] + way[0], cell[1] + way[1]
        return there if there in self._cells else cell

    def percept_distribution(self, state: Cell, action: str) -> list[tuple[int, str]]:
        return [(1, self._percepts[state])]

    @cached_property
    def _percepts(self) -> dict[Cell, str]:
        """By cell, what is perceived there."""
        felt = {}
        for (row, col), mark in self._cells.items():
            west, east = (row, col - 1) not in self._cells, (row, col + 1) not in self._cells
            walls = "both walls" if west and east else "wall west" if west else "wall east" if east else "no wall"
            felt[row, col] = {"+": "treasure", "-": "pit"}.get(mark, walls)
        return felt

    def reward(self, state: Cell, action: str) -> Fraction:
        return {"+": Fraction(1), "-": Fraction(-1), ".": Fraction(-4, 100)}[self._cells[state]]

    def discount(self) -> Fraction:
        return self.discounted

    def format_state(self, state: Cell) -> str:
        return f"row {state[0] + 1}, column {state[1] + 1}"

    def describe_action(self, action: str) -> str:
        return f"Go {action}"

    # How the maze, beliefs and steps are drawn.

    def svg_state(self, state: Cell) -> Drawing:
        return self.svg_belief((state,))

    def svg_belief(self, states: Collection[Cell]) -> Drawing:
        """A shadow on every cell where one may be."""
        room = self._picture
        things = {
            place_of(room, cell): "gold" if mark == "+" else "pit" for cell, mark in self._cells.items() if mark != "."
        }
        return maze(room, [place_of(room, cell) for cell in states], things)

    def svg_action(self, action: str) -> Drawing:
        return edge_arrow(self._picture.width, self._picture.height, COMPASS[action.capitalize()])

    @cached_property
    def _picture(self) -> Room:
        return room_of(self.grid)
