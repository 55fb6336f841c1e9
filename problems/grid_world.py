"""The 4 x 3 world, seen: walk to the treasure and not into the pit, though steps go astray."""

from fractions import Fraction

from attrs import field, frozen
from attrs.validators import in_

from beliefsearch import Drawing, KnownAnswer, StochasticProblem
from beliefsearch.hooks import PlotHook

from ._fractions import DISCOUNT, as_fraction, is_discount
from ._pictures.mazes import maze, place_of
from ._slippery_grid import MOVES, Cell, SlipperyGrid


@frozen
class GridWorldProblem(SlipperyGrid, StochasticProblem[Cell, str, Cell], PlotHook[Cell]):
    """Walk through a maze whose cells you see to the treasure and not into the pit, though steps go astray.

    Story
    -----
    In a small world are a treasure and a pit; you see where you are. Your steps go astray: one in five goes to the left
    or to the right of where you meant to go. Every step costs a little. Which way do you go from each cell?

    Formal model
    ------------
    A state is a cell of `--grid`, whose rows stand between slashes: `.` is free, `#` a wall, `+` the treasure, `-` the
    pit. An action is a step; with the probability `--slip` on either side it goes to that side instead, and a step into
    a wall goes nowhere. A step has the reward `--step`; one that ends in the treasure or the pit 1 or -1 more, and the
    game is over. The start is the lower left corner.

    Source
    ------
    Russell and Norvig, figures 17.1 to 17.3. In the 4th edition (`--edition 4`) the step that ends the game costs
    nothing.

    Known answers
    -------------
    The utilities of the 4 x 3 world with steps of -0.04 and no discount, in the 3rd edition: 0.705 at the start, 0.918
    beside the treasure, 0.388 in the lower right corner; in the 4th: 0.7453, 0.9578 and 0.4279. A world of one step
    without slips, `.+`, is worth 1 - 0.04.
    """

    known_answers = (
        KnownAnswer({}, 0.705, within=5e-4),
        KnownAnswer({"start": "1 3"}, 0.918, within=5e-4),
        KnownAnswer({"start": "3 4"}, 0.388, within=5e-4),
        KnownAnswer({"edition": 4}, 0.7453, within=5e-5),
        KnownAnswer({"edition": 4, "start": "1 3"}, 0.9578, within=5e-5),
        KnownAnswer({"edition": 4, "start": "3 4"}, 0.4279, within=5e-5),
        KnownAnswer({"grid": ".+", "slip": "0"}, Fraction(24, 25)),
    )

    start: str | None = field(
        default=None, metadata={"help": "row and column of the start, such as '3 1'; by default the lower left corner"}
    )
    step: Fraction = field(
        default=Fraction(-4, 100), converter=as_fraction, metadata={"help": "the reward of a step", "parse": Fraction}
    )
    discounted: Fraction = field(default=Fraction(1), converter=as_fraction, validator=is_discount, metadata=DISCOUNT)
    edition: int = field(
        default=3, validator=in_((3, 4)), metadata={"help": "of the textbook: in the 4th the last step costs nothing"}
    )

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if self.cells.get(self.initial_state()) != ".":
            raise ValueError("start: it should be the row and the column of a free cell, such as '3 1'")

    def initial_state(self) -> Cell:
        if self.start is None:
            return self.grid.count("/"), 0
        words = self.start.replace(",", " ").split()
        numbers = [int(word) - 1 for word in words if word.isdecimal()]
        return (numbers[0], numbers[1]) if len(numbers) == len(words) == 2 else (-1, -1)

    def actions(self, state: Cell) -> tuple[str, ...]:
        return tuple(MOVES)

    def outcomes(self, state: Cell, action: str) -> list[tuple[Fraction, Cell]]:
        return self.steps(state, action)

    def is_terminal(self, state: Cell) -> bool:
        return self.cells[state] != "."

    def utility(self, state: Cell) -> int:
        return {"+": 1, "-": -1}[self.cells[state]]

    def reward(self, state: Cell, action: str) -> Fraction:
        if self.edition == 3:
            return self.step
        return self.step * sum(chance for chance, cell in self.steps(state, action) if not self.is_terminal(cell))

    def discount(self) -> Fraction:
        return self.discounted

    # How cells and steps are written, read and drawn.

    def svg_state(self, state: Cell) -> Drawing:
        room = self.room
        ends = ((cell, mark) for cell, mark in self.cells.items() if mark != ".")
        return maze(room, [place_of(room, state)], {place_of(room, c): "gold" if m == "+" else "pit" for c, m in ends})

    def plot_position(self, state: Cell) -> tuple[int, int]:
        """Columns to the right, rows upwards, as in the figures."""
        return state[1] + 1, self.grid.count("/") + 1 - state[0]

    def plot_labels(self) -> tuple[str, str, str]:
        return "column", "row", "utility"
