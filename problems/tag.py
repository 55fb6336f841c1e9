"""Tag: catch an opponent whom you see only in your own cell, and who runs away."""

from collections.abc import Collection
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from attrs import field, frozen

from beliefsearch import Drawing, KnownAnswer, StochasticProblem

from ._fractions import DISCOUNT, as_fraction, is_discount
from ._pictures.mazes import place_of, room_of, tag
from ._pictures.parts import COMPASS, edge_arrow
from ._pictures.rooms import Room

Cell: TypeAlias = tuple[int, int]
"""Row and column, both from 0, from the top left."""
Places: TypeAlias = "tuple[Cell, Cell] | None"
"""Your cell and the opponent's; None once he is caught."""

_MOVES = {"north": (-1, 0), "south": (1, 0), "east": (0, 1), "west": (0, -1)}


@frozen
class TagProblem(StochasticProblem[Places, str, str]):
    """Catch somebody who runs away, and whom you see only when you stand where he stands.

    Story
    -----
    You play tag in a building. You know where you are, and see the other only when he is in the same cell. He moves
    away from you as a rule, and stands still now and then. A step costs 1, to grasp at nothing costs 10, and who
    catches him wins 10. How do you look for somebody who does not want to be found?

    Formal model
    ------------
    A state is your cell and the opponent's, each at first anywhere with the same probability; `#` in `--grid` is a
    wall. After your step he stays with the probability 1/5; otherwise he goes one cell farther away from you, along the
    rows or along the columns, each with half of the rest (where he is level with you, he chooses a side by chance); a
    step into a wall is none. What is perceived is your cell, or that he is there. Rewards are discounted by 0.95.

    Source
    ------
    J. Pineau, G. Gordon, S. Thrun, "Point-based value iteration: an anytime algorithm for POMDPs" (IJCAI 2003).

    Known answers
    -------------
    On a board of two cells in a row, worked out by hand: he runs to the other cell, and you follow him.
    """

    known_answers = (KnownAnswer({"grid": "."}, 10),)

    grid: str = field(
        default="#####...##/#####...##/#####...##/........../..........",
        metadata={"help": "the building, its rows between slashes"},
    )
    discounted: Fraction = field(
        default=Fraction(95, 100), converter=as_fraction, validator=is_discount, metadata=DISCOUNT
    )

    def __attrs_post_init__(self) -> None:
        strange = sorted(set(self.grid) - set(".#/"))
        if strange:
            raise ValueError(f"grid: {strange[0]!r} is none of . # and /")
        if not self._cells:
            raise ValueError("grid: there is no free cell")

    @cached_property
    def _cells(self) -> dict[Cell, None]:
        rows = enumerate(self.grid.split("/"))
        return {(row, col): None for row, marks in rows for col, mark in enumerate(marks) if mark == "."}

    def initial_distribution(self) -> list[tuple[Fraction, Places]]:
        share = Fraction(1, len(self._cells) ** 2)
        return [(share, (mine, his)) for mine in self._cells for his in self._cells]

    def actions(self, state: Places) -> tuple[str, ...]:
        return (*_MOVES, "catch")

    def outcomes(self, state: Places, action: str) -> list[tuple[Fraction, Places]]:
        assert state is not None, "he is not caught yet"
        mine, his = state
        if action == "catch":
            if mine == his:
                return [(Fraction(1), None)]
            after = mine
        else:
            after = self._step(mine, _MOVES[action])
        return [(chance, (after, cell)) for chance, cell in self._flights(mine, his)]

    def _flights(self, mine: Cell, his: Cell) -> list[tuple[Fraction, Cell]]:
        """The cells where he goes, with their probabilities."""
        chances = {his: Fraction(1, 5)}
        for axis in (0, 1):
            away = his[axis] - mine[axis]
            ways = [1, -1] if away == 0 else [1 if away > 0 else -1]
            for way in ways:
                there = self._step(his, (way, 0) if axis == 0 else (0, way))
                chances[there] = chances.get(there, Fraction(0)) + Fraction(2, 5) / len(ways)
        return [(chance, cell) for cell, chance in chances.items()]

    def _step(self, cell: Cell, way: tuple[int, int]) -> Cell:
        there = cell[0] + way[0], cell[1] + way[1]
        return there if there in self._cells else cell

    def percept_distribution(self, state: Places, action: str) -> list[tuple[int, str]]:
        if state is None:
            return [(1, "caught")]
        mine, his = state
        return [(1, "he is here" if mine == his else f"row {mine[0] + 1}, column {mine[1] + 1}")]

    def reward(self, state: Places, action: str) -> int:
        assert state is not None, "he is not caught yet"
        if action == "catch":
            return 10 if state[0] == state[1] else -10
        return -1

    def is_terminal(self, state: Places) -> bool:
        return state is None

    def discount(self) -> Fraction:
        return self.discounted

    def format_state(self, state: Places) -> str:
        if state is None:
            return "caught"
        (row, col), (his_row, his_col) = state
        return f"you {row + 1},{col + 1} he {his_row + 1},{his_col + 1}"

    def describe_action(self, action: str) -> str:
        return "Catch him" if action == "catch" else f"Go {action}"

    # How the building, beliefs and steps are drawn.

    def svg_state(self, state: Places) -> Drawing:
        return self.svg_belief((state,))

    def svg_belief(self, states: Collection[Places]) -> Drawing:
        """You and he, faintly on every cell where either may be."""
        free = [state for state in states if state is not None]
        you, him = ({place_of(self._picture, state[part]) for state in free} for part in range(2))
        return tag(self._picture, you, him)

    def svg_action(self, action: str) -> Drawing | None:
        if action == "catch":
            return None
        return edge_arrow(self._picture.width, self._picture.height, COMPASS[action.capitalize()])

    @cached_property
    def _picture(self) -> Room:
        return room_of(self.grid)
