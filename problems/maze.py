"""A maze in the dark: find the treasure while you feel only the walls beside you."""

from collections.abc import Collection
from fractions import Fraction
from functools import cached_property

from attrs import field, frozen

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._fractions import DISCOUNT, as_fraction, is_discount
from ._pictures.mazes import maze, place_of
from ._slippery_grid import MOVES, Cell, SlipperyGrid


@frozen
class MazeProblem(SlipperyGrid, StochasticProblem[Cell, str, str]):
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

    discounted: Fraction = field(
        default=Fraction(95, 100), converter=as_fraction, validator=is_discount, metadata=DISCOUNT
    )

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if not self._free:
            raise ValueError("grid: there is no free cell to begin in")

    @cached_property
    def _free(self) -> list[Cell]:
        return [cell for cell, mark in self.cells.items() if mark == "."]

    def initial_distribution(self) -> list[tuple[Fraction, Cell]]:
        return [(Fraction(1, len(self._free)), cell) for cell in self._free]

    def actions(self, state: Cell) -> tuple[str, ...]:
        return tuple(MOVES)

    def outcomes(self, state: Cell, action: str) -> list[tuple[Fraction, Cell]]:
        if self.cells[state] != ".":
            return self.initial_distribution()
        return self.steps(state, action)

    def percept_distribution(self, state: Cell, action: str) -> list[tuple[int, str]]:
        return [(1, self._percepts[state])]

    @cached_property
    def _percepts(self) -> dict[Cell, str]:
        """The percept in each cell."""
        felt = {}
        for (row, col), mark in self.cells.items():
            west, east = (row, col - 1) not in self.cells, (row, col + 1) not in self.cells
            walls = "both walls" if west and east else "wall west" if west else "wall east" if east else "no wall"
            felt[row, col] = {"+": "treasure", "-": "pit"}.get(mark, walls)
        return felt

    def reward(self, state: Cell, action: str) -> Fraction:
        return {"+": Fraction(1), "-": Fraction(-1), ".": Fraction(-4, 100)}[self.cells[state]]

    def discount(self) -> Fraction:
        return self.discounted

    # How the maze, beliefs and steps are drawn.

    def svg_state(self, state: Cell) -> Drawing:
        return self.svg_belief((state,))

    def svg_belief(self, states: Collection[Cell]) -> Drawing:
        """A shadow on every cell where one may be."""
        room = self.room
        things = {
            place_of(room, cell): "gold" if mark == "+" else "pit" for cell, mark in self.cells.items() if mark != "."
        }
        return maze(room, [place_of(room, cell) for cell in states], things)
