"""The Nine Tails problem: turn all coins of a grid to tails."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, ClassVar, Literal

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import Drawing, KnownAnswer

from ._grid import Cell, CrossProblem
from ._pictures import coins as pictures

if TYPE_CHECKING:
    from ._grid import Codes, Flags

# By rule: which letters are of coins that may be taken.
_TAKABLE = {"heads": bytes.maketrans(b"HT", b"\1\0"), "any": bytes.maketrans(b"HT", b"\1\1")}


def _letters(start: str | None) -> str | None:
    return None if start is None else "".join(start.split()).upper()


@frozen
class NineTailsProblem(CrossProblem):
    """Turn all coins of a grid to tails by flipping crosses of neighbours.

    Story
    -----
    Nine coins lie in a 3 x 3 grid, some showing heads. A move takes a coin that shows heads and flips
    it together with its horizontal and vertical neighbours. Reach all tails in the fewest moves.

    Formal model
    ------------
    A state is a string of H and T, row by row; an action is the row and column, both from 0, of the coin taken. The
    graph has 2^(rows * columns) nodes; node numbers read the state as a binary number with H = 0, T = 1
    and the first coin as the highest bit, so 511 is the goal; so does `getIndex` of the source's class
    NineTailModel. It can be walked backwards, so one search from the goal answers every start (`--all`).

    Variants: any coin may be taken (`--legal any`); a move costs the number of coins it flips
    (`--weights flips`); boards of other sizes. Played with `--blindfold`, every board is a possible
    start.

    Source
    ------
    Y. D. Liang, "Introduction to Java Programming", the Nine Tails case study on graphs.

    Known answers
    -------------
    From HHHTTTHHH two moves, by way of HHHTHTTTT. With any coin allowed all 512 boards can be solved,
    and 1, 9, 36, 84, 126, 126, 84, 36, 9, 1 of them take 0, 1, ..., 9 moves.
    """

    known_answers = (
        KnownAnswer({"start": "HHHTTTHHH"}, 2),
        KnownAnswer({"start": "TTTTTTTTT"}, 0),
        KnownAnswer({"rows": 2, "cols": 2, "legal": "any"}, 15, blindfold=True),
        KnownAnswer({"rows": 1, "cols": 2, "legal": "any"}, None, blindfold=True),
    )

    letters: ClassVar[tuple[str, str]] = ("H", "T")

    start: str | None = field(
        default=None,
        converter=_letters,
        metadata={
            "help": "the board to start from, row by row, such as HHHTTTHHH, or its node's number; default: all heads",
            "prompt": "The board to start from, row by row, H or T for each coin; by default all heads",
        },
    )
    rows: int = field(default=3, validator=ge(1), metadata={"help": "rows of the board"})
    cols: int = field(default=3, validator=ge(1), metadata={"help": "columns of the board"})
    legal: Literal["heads", "any"] = field(
        default="heads",
        validator=in_(("heads", "any")),
        metadata={"help": "which coin a move may take: one that shows heads, or any"},
    )
    weights: Literal["none", "flips"] = field(
        default="none",
        validator=in_(("none", "flips")),
        metadata={"help": "what a move costs: 1, or the number of coins it flips"},
    )

    def __attrs_post_init__(self) -> None:
        self.check_start(self.start)

    def initial_state(self) -> str:
        return "H" * (self.rows * self.cols) if self.start is None else self.parse_state(self.start)

    def parse_state(self, text: str) -> str:
        """The text itself, checked to be a board; or the board of a node, by its number."""
        node = int(text) if text.isdecimal() else -1
        return self.state_of_node(node) if 0 <= node < 2 ** (self.rows * self.cols) else super().parse_state(text)

    def actions(self, state: str) -> list[Cell]:
        return [*compress(self.cells, state.encode().translate(_TAKABLE[self.legal]))]

    def is_goal(self, state: str) -> bool:
        return "H" not in state

    def action_cost(self, state: str, action: Cell) -> int:
        return 1 if self.weights == "none" else len(self.crosses[action])

    def has_unit_costs(self) -> bool:
        return self.weights == "none"

    # How boards and moves are drawn.

    def svg_state(self, state: str) -> Drawing:
        return pictures.board(self.rows, self.cols).drawn(state)

    def svg_action(self, action: Cell) -> Drawing:
        return pictures.board(self.rows, self.cols).ringed(self.crosses[action])

    def describe_action(self, action: Cell) -> str:
        return f"Take the coin in row {action[0] + 1}, column {action[1] + 1}"

    # How the source numbers the states.

    def node_number(self, state: str) -> int:
        """The number of the state's node: H = 0, T = 1, the first coin is the highest bit."""
        return int(state.replace("H", "0").replace("T", "1"), 2)

    def state_of_node(self, number: int) -> str:
        """The state of a node, the inverse of `node_number`."""
        return f"{number:0{self.rows * self.cols}b}".replace("0", "H").replace("1", "T")

    # For speed: the way back from the goal.

    def goal_states(self) -> list[str]:
        return ["T" * (self.rows * self.cols)]

    def predecessors(self, state: str) -> list[tuple[str, Cell]]:
        # A move is its own inverse, but one that took a coin showing heads has left it showing tails.
        before = ((self.result(state, cell), cell) for cell in self.crosses)
        return [(b, cell) for b, cell in before if self.legal == "any" or b[cell[0] * self.cols + cell[1]] == "H"]

    # For counting: which boards have a coin that may be taken.

    def results_of(self, codes: Codes, action: Cell) -> tuple[Codes, Flags | None]:
        results, _ = super().results_of(codes, action)
        if self.legal == "any":
            return results, None
        place = action[0] * self.cols + action[1]
        return results, codes[:, place // 64] >> place % 64 & 1 == 0
