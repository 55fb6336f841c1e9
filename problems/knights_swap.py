"""The knights' swap: exchange white and black knights on a small board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import hypot
from string import ascii_lowercase
from typing import TYPE_CHECKING, Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import Drawing, KnownAnswer
from beliefsearch.hooks import ReversibleCodeHook, ReversibleProblem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes: TypeAlias = NDArray[np.uint64]
    Flags: TypeAlias = NDArray[np.bool_]

Move: TypeAlias = tuple[int, int]
"""From which square to which, as places in a state."""

_LEAPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_MOST_COLUMNS = 8


@frozen
class KnightsSwapProblem(ReversibleProblem[str, Move], ReversibleCodeHook[str, Move]):
    """Exchange the white and the black knights on a small chessboard.

    Story
    -----
    Two black knights stand in the upper corners of a board of 3 x 3 squares, two white ones in the lower corners.
    They move as in chess, in any order, and never onto a square that is taken. How many moves exchange the
    colours?

    Formal model
    ------------
    A state is the board, row by row from the top: `b`, `w` or `.` for an empty square. An action takes a knight from
    one square to an empty one, written as in chess (`a1-b3`); it costs 1. Knights of a colour are alike. Moves can be
    taken back, so the graph can be walked backwards from the goal. With `--place rows` knights fill the upper and the
    lower row.

    Source
    ------
    Paolo Guarini di Forlì, 1512; before him al-Adli, around 840 (both after H. J. R. Murray, "A History of Chess",
    1913). H. E. Dudeney, "Amusements in Mathematics" (1917), no. 341, counts them as frogs.

    Known answers
    -------------
    On 3 x 3 squares 16 moves: the eight outer squares are a ring in the order of knight's moves, and each knight must
    go half round it. In 3 columns, 4 rows with `--place rows`: also 16, by brute force.
    """

    known_answers = (
        KnownAnswer({}, 16),
        KnownAnswer({"rows": 4, "place": "rows"}, 16),
        KnownAnswer({"rows": 3, "cols": 2}, None),
    )

    rows: int = field(default=3, validator=ge(2), metadata={"help": "rows of the board"})
    cols: int = field(default=3, validator=ge(2), metadata={"help": "columns of the board"})
    place: Literal["corners", "rows"] = field(
        default="corners",
        validator=in_(("corners", "rows")),
        metadata={"help": "where the knights stand: in the corners, or all along the upper and the lower row"},
    )

    def __attrs_post_init__(self) -> None:
        for name, value in (("rows", self.rows), ("cols", self.cols)):
            if value > _MOST_COLUMNS:
                raise ValueError(f"{name}: {value} are too many; choose {_MOST_COLUMNS} or fewer")

    def initial_state(self) -> str:
        return self._row("b") + "." * self.cols * (self.rows - 2) + self._row("w")

    def _row(self, knight: str) -> str:
        if self.place == "rows":
            return knight * self.cols
        return f"{knight}{'.' * (self.cols - 2)}{knight}"

    def actions(self, state: str) -> list[Move]:
        return [move for move in self._moves if state[move[0]] != "." == state[move[1]]]

    def result(self, state: str, action: Move) -> str:
        squares = list(state)
        source, target = action
        squares[source], squares[target] = squares[target], squares[source]
        return "".join(squares)

    def is_goal(self, state: str) -> bool:
        return state == self._swapped

    @cached_property
    def _swapped(self) -> str:
        return self.initial_state().translate({ord("b"): "w", ord("w"): "b"})

    @cached_property
    def _moves(self) -> dict[Move, None]:
        """Every leap of a knight on the board, in order."""
        return dict.fromkeys((place, target) for place in range(self.rows * self.cols) for target in self._leaps(place))

    def _leaps(self, place: int) -> Iterator[int]:
        row, col = divmod(place, self.cols)
        for down, right in _LEAPS:
            if 0 <= row + down < self.rows and 0 <= col + right < self.cols:
                yield (row + down) * self.cols + col + right

    # How states and actions are written, read and drawn.

    def format_state(self, state: str) -> str:
        """The rows from the top: `b.b/.../w.w`."""
        return "/".join(state[start : start + self.cols] for start in range(0, len(state), self.cols))

    def draw_state(self, state: str) -> str:
        return "\n".join(" ".join(row) for row in self.format_state(state).split("/"))

    def parse_state(self, text: str) -> str:
        state = "".join(text.replace("/", " ").split()).lower()
        start = self.initial_state()
        if sorted(state) != sorted(start):
            knights = start.count("w")
            raise ValueError(
                f"{text!r} is not a board of {len(start)} squares with {knights} w and {knights} b, such as "
                f"{self.format_state(start)!r}"
            )
        return state

    def format_action(self, action: Move) -> str:
        return "-".join(map(self._square, action))

    def parse_action(self, text: str) -> Move:
        """Two squares as in chess: `a1-b3`, `a1 b3`."""
        words = text.lower().replace("-", " ").split()
        for move in self._moves:
            if words == [self._square(place) for place in move]:
                return move
        raise ValueError(f"{text!r} is no leap of a knight on {self.cols} x {self.rows} squares, such as 'a1-b3'")

    def _square(self, place: int) -> str:
        row, col = divmod(place, self.cols)
        return f"{ascii_lowercase[col]}{self.rows - row}"

    def describe_action(self, action: Move) -> str:
        source, target = map(self._square, action)
        return f"The knight on {source} leaps to {target}"

    def svg_state(self, state: str) -> Drawing:
        """The board with its knights."""
        drawing = Drawing()
        size = self._size
        for place, piece in enumerate(state):
            x, y = self._middle(place)
            dark = sum(divmod(place, self.cols)) % 2
            fill = "line" if dark else "felt"
            drawing.rectangle(x - size / 2, y - size / 2, size, size, fill=fill, stroke="soft")
            if piece != ".":
                knight = _WHITE if piece == "w" else _BLACK
                drawing.place(knight, x - 0.4 * size, y - 0.4 * size, scale=0.008 * size)
        return drawing

    def svg_action(self, action: Move) -> Drawing:
        (x1, y1), (x2, y2) = map(self._middle, action)
        drawing = Drawing().rectangle(
            *(x2 - 0.47 * self._size, y2 - 0.47 * self._size, 0.94 * self._size, 0.94 * self._size),
            r=0.1 * self._size,
            stroke="accent",
            width=3,
        )
        # The arrow ends at the edge of the square, so that the knight on it is seen.
        share = 1 - 0.42 * self._size / hypot(x2 - x1, y2 - y1)
        return drawing.arrow(x1, y1, x1 + share * (x2 - x1), y1 + share * (y2 - y1), stroke="accent", width=2.5)

    @property
    def _size(self) -> float:
        """The width of a square."""
        return 96 / max(self.rows, self.cols)

    def _middle(self, place: int) -> tuple[float, float]:
        row, col = divmod(place, self.cols)
        return 50 + (col - (self.cols - 1) / 2) * self._size, 50 + (row - (self.rows - 1) / 2) * self._size

    # For speed: how many moves there must be at least, and the way back from the goal.

    def heuristic(self, state: str) -> int:
        """Every knight must go at least as far as the nearest square where its colour belongs."""
        return sum(self._distances[knight][place] for place, knight in enumerate(state) if knight != ".")

    @cached_property
    def _distances(self) -> dict[str, list[int]]:
        """The leaps from each square to where a colour belongs, by colour; many if there is no way."""
        far = self.rows * self.cols
        found = {}
        for knight in "wb":
            layer = [place for place, wanted in enumerate(self._swapped) if wanted == knight]
            distances = dict.fromkeys(layer, 0)
            for place in layer:  # grows while it is walked
                for other in self._leaps(place):
                    if other not in distances:
                        distances[other] = distances[place] + 1
                        layer.append(other)
            found[knight] = [distances.get(place, far) for place in range(far)]
        return found

    def goal_states(self) -> list[str]:
        return [self._swapped]

    def predecessors(self, state: str) -> list[tuple[str, Move]]:
        back = ((target, source) for source, target in self.actions(state))
        return [(self.result(state, move), move) for move in back]

    # For counting: many boards at once, two bits for each square; the first square is the lowest of the first word.

    def codes(self, states: Sequence[str]) -> Codes:
        import numpy as np

        from ._ranks import packed

        letters = np.frombuffer("".join(states).encode(), np.uint8).reshape(-1, self.rows * self.cols)
        return packed((letters == ord("b")) + 2 * (letters == ord("w")), 2)

    def states_of(self, codes: Codes) -> list[str]:
        import numpy as np

        from ._ranks import unpacked

        letters = np.frombuffer(b".bw", np.uint8)[unpacked(codes, 2, self.rows * self.cols)]
        return [bytes(board).decode() for board in letters]

    def code_bound(self) -> None:
        """Most numbers have too many knights, or too few."""

    def all_actions(self) -> list[Move]:
        return list(self._moves)

    def results_of(self, codes: Codes, action: Move) -> tuple[Codes, Flags]:
        (from_word, from_bit), (to_word, to_bit) = (divmod(2 * place, 64) for place in action)
        knight = codes[:, from_word] >> from_bit & 3
        applies = (knight != 0) & (codes[:, to_word] >> to_bit & 3 == 0)
        after = codes.copy()
        after[:, from_word] ^= knight << from_bit
        after[:, to_word] ^= knight << to_bit
        return after, applies

    def goal_codes(self) -> Codes:
        return self.codes(self.goal_states())

    def origins_of(self, codes: Codes, action: Move) -> Codes:
        origins, applies = self.results_of(codes, (action[1], action[0]))
        return origins[applies]


def _knight(fill: str, edge: str) -> Drawing:
    """The head of a horse on its foot, looking to the left."""
    head = [(28, 86), (32, 66), (46, 50), (30, 56), (16, 62), (9, 52), (26, 24), (38, 16), (42, 4), (50, 14)]
    neck = [(66, 20), (80, 40), (84, 66), (82, 86)]
    drawing = Drawing().polygon(head + neck, fill=fill, stroke=edge, width=5, round=True)
    drawing.rectangle(18, 84, 70, 12, r=4, fill=fill, stroke=edge)
    return drawing.circle(37, 30, 4, fill=edge)


_WHITE = _knight("on-dark", "dark-edge")
_BLACK = _knight("dark", "on-dark")
