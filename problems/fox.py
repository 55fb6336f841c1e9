"""The fox in the holes: catch a fox that nobody sees and that moves every night."""

from collections.abc import Collection
from typing import Literal

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import BeliefProblem, Drawing, KnownAnswer

_CAUGHT = 0
_MOST_NUMBERED = 24  # holes; numbers of more could not be read


@frozen
class FoxProblem(BeliefProblem[int, int, None]):
    """Catch a fox that moves to a neighbouring hole every night, looking into one hole a day.

    Story
    -----
    Holes lie in a row, and a fox lives in one of them. Every day you look into one hole; if the fox is there, it is
    caught. Every night it moves to a hole next to its own. You never see it before it is caught. Name a
    shortest list of holes that is sure to catch it.

    Formal model
    ------------
    A state is the hole where the fox is, numbered from 1 along the row, or that it is caught. An action is the hole
    looked into. It catches a fox that is there; from any other hole the fox then moves to one of its neighbours. There
    are no percepts: to see an empty hole is to see that the game goes on. A look costs 1.

    Variants: the holes lie in a ring (`--layout ring`); the fox may also stay where it is (`--nights may-stay`).

    Source
    ------
    J. R. Britnell and M. Wildon, "Finding a princess in a palace: a pursuit-evasion problem" (Electronic Journal
    of Combinatorics 20, 2013); J. Haslegrave, "An evasion game on a graph" (Discrete Mathematics 314, 2014).

    Known answers
    -------------
    2 (n - 2) looks for n > 2 holes in a row: 2 to n - 1 and back again. One hole takes 1 look, two take 2. In a ring
    of three or more, and in a row of two or more with a fox that may stay, no list is sure to catch it.
    """

    known_answers = (
        KnownAnswer({"holes": 1}, 1),
        KnownAnswer({"holes": 2}, 2),
        KnownAnswer({"holes": 5}, 6),
        KnownAnswer({"holes": 8}, 12),
        KnownAnswer({"holes": 12}, 20),
        KnownAnswer({"layout": "ring"}, None),
        KnownAnswer({"nights": "may-stay"}, None),
    )

    holes: int = field(default=5, validator=ge(1), metadata={"help": "number of holes"})
    layout: Literal["row", "ring"] = field(
        default="row", validator=in_(("row", "ring")), metadata={"help": "how the holes lie"}
    )
    nights: Literal["moves", "may-stay"] = field(
        default="moves",
        validator=in_(("moves", "may-stay")),
        metadata={"help": "what the fox does every night: it moves, or it may also stay"},
    )

    def initial_states(self) -> range:
        return range(1, self.holes + 1)

    def actions(self, state: int) -> range:
        return range(1, self.holes + 1)

    def results(self, state: int, action: int) -> list[int]:
        return [_CAUGHT] if state in (_CAUGHT, action) else self._holes_after(state)

    def is_goal(self, state: int) -> bool:
        return state == _CAUGHT

    def _holes_after(self, hole: int) -> list[int]:
        """The holes where a fox may be after a night; one that has no other hole stays."""
        beside = [hole - 1, hole + 1]
        if self.layout == "ring":
            beside = [(other - 1) % self.holes + 1 for other in beside]
        after = {other for other in beside if 1 <= other <= self.holes}
        return sorted(after | {hole} if self.nights == "may-stay" or not after else after)

    # How states and actions are written, read and drawn.

    def format_state(self, state: int) -> str:
        return "caught" if state == _CAUGHT else str(state)

    def draw_state(self, state: int) -> str:
        return "caught" if state == _CAUGHT else "".join(".f"[hole == state] for hole in self.initial_states())

    def parse_state(self, text: str) -> int:
        return _CAUGHT if text.strip().lower() == "caught" else self._parse_hole(text, " or 'caught'")

    def parse_action(self, text: str) -> int:
        return self._parse_hole(text)

    def _parse_hole(self, text: str, otherwise: str = "") -> int:
        if text.strip().isdecimal() and 1 <= int(text) <= self.holes:
            return int(text)
        raise ValueError(f"{text!r} is not a hole from 1 to {self.holes}{otherwise}")

    def describe_action(self, action: int) -> str:
        return f"Look into hole {action}"

    def describe_step(self, state: int, action: int, result: int) -> str:
        if state == _CAUGHT:
            return ""
        return "the fox is caught" if result == _CAUGHT else f"hole {action} is empty"

    def svg_state(self, state: int) -> Drawing:
        return self.svg_belief([state])

    def svg_belief(self, states: Collection[int]) -> Drawing:
        """The meadow with a fox in every hole where it may be; a fainter one if there are several."""
        size, high = self._size, self._height
        drawing = Drawing(120, high).rectangle(1, 1, 118, high - 2, r=10, fill="felt", stroke="line")
        for hole, (x, y) in enumerate(self._places, 1):
            drawing.circle(x, y, size, fill="dark", stroke="dark-edge", width=size / 10)
            if hole in states:
                seen = 1 if len(states) == 1 else 0.6
                drawing.place(_FOX, x - 0.8 * size, y - 0.8 * size, scale=0.016 * size, opacity=seen)
            if self.holes <= _MOST_NUMBERED:
                drawing.text(x, y + 1.5 * size, hole, size=min(9, size), fill="soft")
        if set(states) == {_CAUGHT}:
            drawing.circle(60, high / 2, 0.4 * high, fill="card", stroke="accent", width=3)
            drawing.place(_FOX, 60 - 0.22 * high, 0.24 * high, scale=0.0044 * high)
            drawing.text(60, 0.78 * high, "caught", size=0.13 * high, fill="accent", bold=True)
        return drawing

    def svg_action(self, action: int) -> Drawing:
        x, y = self._places[action - 1]
        return Drawing(120, self._height).circle(
            x, y, 1.12 * self._size, stroke="accent", fill="none", width=0.25 * self._size
        )

    @property
    def _height(self) -> float:
        """The height of the meadow: a single line of holes needs little."""
        return 60 if self._across == self.holes else 100

    @property
    def _size(self) -> float:
        """The radius of a hole."""
        return min(13, 50 / self._across)

    @property
    def _across(self) -> int:
        """The number of holes in each line of the drawing."""
        lines = 1
        while lines * lines * 8 < self.holes:
            lines += 1
        return -(-self.holes // lines)

    @property
    def _places(self) -> list[tuple[float, float]]:
        """The middles of the holes, in lines like those of a book."""
        across = self._across
        lines = -(-self.holes // across)
        places = (divmod(number, across) for number in range(self.holes))
        return [
            (60 + (x - (across - 1) / 2) * 112 / across, self._height * (y + 0.5) / lines - 4 / lines)
            for y, x in places
        ]


_FOX = (
    Drawing()
    .polygon([(12, 6), (36, 30), (64, 30), (88, 6), (92, 52), (50, 96), (8, 52)], fill="bright")
    .polygon([(12, 52), (38, 60), (50, 92), (62, 60), (88, 52), (50, 96)], fill="on-dark")
    .circle(34, 50, 5, fill="on-bright")
    .circle(66, 50, 5, fill="on-bright")
    .circle(50, 90, 7, fill="on-bright")
)
