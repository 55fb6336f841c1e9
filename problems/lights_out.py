"""Lights Out: switch all lamps off."""

from __future__ import annotations

import math
from functools import cached_property
from typing import ClassVar

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import Drawing, KnownAnswer

from ._grid import Cell, CrossProblem
from ._pictures.boards import Board

# With more sets of buttons that change nothing than 2 to this, or on a larger board, the exact estimate is
# not worth its time.
_MOST_IDLE_BUTTONS = 8
_MOST_CELLS = 1024


def _digits(start: str | None) -> str | None:
    return None if start is None else "".join(start.split())


@frozen
class LightsOutProblem(CrossProblem):
    """Switch all lamps of a grid off by pressing buttons that toggle crosses.

    Story
    -----
    Lamps stand in a grid, each with a button. Pressing it toggles the lamp and its horizontal and
    vertical neighbours. Switch all lamps off with the fewest presses.

    Formal model
    ------------
    A state is a string of 0 and 1, row by row, 1 = lit; an action is the row and column, both from 0, of the button,
    and any may be pressed at any time. The order of presses does not matter and pressing twice is
    pressing not at all, so the game is linear algebra over the field of two elements; the heuristic is
    the size of a smallest set of buttons that puts the lamps out. Played with `--blindfold`, every
    pattern of lamps is a possible start.

    Source
    ------
    Tiger Electronics 1995; M. Anderson and T. Feil, "Turning lights out with linear algebra",
    Mathematics Magazine 71 (1998).

    Known answers
    -------------
    5 x 5: 2^23 of the 2^25 patterns can be solved, the hardest 7,350 of them in 15 presses. 3 x 3: all
    can, in at most 9. 2 x 3: a quarter can, in at most 3. Four lamps in a row, blindfolded: 15 presses.
    """

    known_answers = (
        KnownAnswer({"rows": 2, "cols": 2, "start": "1111"}, 4),
        KnownAnswer({"rows": 2, "cols": 3, "start": "100000"}, None),
        KnownAnswer({"rows": 1, "cols": 4}, 15, blindfold=True),
    )

    letters: ClassVar[tuple[str, str]] = ("0", "1")

    rows: int = field(default=5, validator=ge(1), metadata={"help": "rows of the board"})
    cols: int = field(default=5, validator=ge(1), metadata={"help": "columns of the board"})
    start: str | None = field(
        default=None,
        converter=_digits,
        metadata={"help": "the lamps at the start, row by row, 1 = lit, such as 010111010; default: all lit"},
    )

    def __attrs_post_init__(self) -> None:
        self.check_start(self.start)

    def initial_state(self) -> str:
        return "1" * (self.rows * self.cols) if self.start is None else self.start

    def actions(self, state: str) -> tuple[Cell, ...]:
        return tuple(self.crosses)

    def is_goal(self, state: str) -> bool:
        return "1" not in state

    # How lamps and presses are drawn.

    def svg_state(self, state: str) -> Drawing:
        return Board(self.rows, self.cols).lamps(state)

    def svg_action(self, action: Cell) -> Drawing:
        return Board(self.rows, self.cols).framed(self.crosses[action])

    def describe_action(self, action: Cell) -> str:
        return f"Press the button in row {action[0] + 1}, column {action[1] + 1}"

    # For speed: the way back from the goal, and an exact estimate by linear algebra.

    def goal_states(self) -> list[str]:
        return ["0" * (self.rows * self.cols)]

    def predecessors(self, state: str) -> list[tuple[str, Cell]]:
        return [(self.result(state, cell), cell) for cell in self.crosses]

    def heuristic(self, state: str) -> float:
        """The exact least number of presses; infinite if the lamps cannot all be switched off.

        On a large board, or where very many sets of buttons change nothing, it is only the number of lit
        lamps over the most that one press toggles.
        """
        if len(state) > _MOST_CELLS:
            return -(-state.count("1") // 5)
        system = self._buttons
        lit = int(state[::-1], 2)
        if len(system.idle) > _MOST_IDLE_BUTTONS:
            return math.inf if system.solution(lit) is None else -(-lit.bit_count() // 5)
        presses = system.smallest_solution(lit)
        return math.inf if presses is None else presses

    @cached_property
    def _buttons(self) -> ToggleSystem:
        return toggle_system([sum(1 << place for place in places) for places in self.crosses.values()])


@frozen
class ToggleSystem:
    """A linear system over the field of two elements, with rows as ints: toggles and the changes that they make."""

    # (bit, change, toggles): a set of toggles whose change has this lowest bit
    pivots: tuple[tuple[int, int, int], ...]
    idle: tuple[int, ...]  # a basis of the sets of toggles that change nothing, as masks

    def solution(self, change: int) -> int | None:
        """A set of toggles that makes `change`; None if there is none."""
        toggles = 0
        for bit, made, by in self.pivots:
            if change & bit:
                change ^= made
                toggles ^= by
        return None if change else toggles

    def smallest_solution(self, change: int) -> int | None:
        """The size of a smallest set of toggles that makes `change`; None if there is none.

        Tries all 2^nullity solutions.
        """
        toggles = self.solution(change)
        if toggles is None:
            return None
        smallest = toggles.bit_count()
        for count in range(1, 1 << len(self.idle)):
            # Gray code: each step adds or takes away a single basis vector.
            toggles ^= self.idle[(count & -count).bit_length() - 1]
            smallest = min(smallest, toggles.bit_count())
        return smallest


def toggle_system(changes: list[int]) -> ToggleSystem:
    """The system in which toggle number i changes the bits of `changes[i]`. Gaussian elimination, O(n^3 / 64)."""
    pivots: list[tuple[int, int, int]] = []
    idle: list[int] = []
    for number, made in enumerate(changes):
        by = 1 << number
        for bit, pivot_made, pivot_by in pivots:
            if made & bit:
                made ^= pivot_made
                by ^= pivot_by
        if made:
            pivots.append((made & -made, made, by))
        else:
            idle.append(by)
    return ToggleSystem(tuple(pivots), tuple(idle))
