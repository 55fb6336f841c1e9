"""The vacuum world: clean every square without seeing any."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import BeliefProblem

Floor: TypeAlias = tuple[int, str]
"""The square the vacuum is on, from 0 at the left, and the squares: `*` dirty, `.` clean."""

Act: TypeAlias = Literal["Left", "Right", "Suck"]

_ACTS: tuple[Act, ...] = ("Left", "Right", "Suck")


@frozen
class VacuumProblem(BeliefProblem[Floor, Act, None]):
    """Clean a row of squares with a vacuum that senses neither dirt nor place.

    Story
    -----
    A vacuum cleaner stands on one of N squares in a row; any of them may be dirty. It can move left or
    right, where a wall stops it at the ends, and suck up the dirt of its square. It has no sensor at
    all. Which sequence of actions leaves every square clean, wherever it starts?

    Formal model
    ------------
    A state is the place of the vacuum and the dirt of every square; all N * 2^N are possible at the
    start. Actions are deterministic and cost 1. There are no percepts. A clean floor is the goal;
    nothing stops when it is reached.

    Source
    ------
    Russell and Norvig, "Artificial Intelligence: A Modern Approach", 4th edition, section 4.4.1.

    Known answers
    -------------
    2 squares take 4 actions, such as Right, Suck, Left, Suck; 3 take 7; N take 3N - 2.
    """

    squares: int = field(default=2, validator=ge(1), metadata={"help": "number of squares in the row"})

    def initial_states(self) -> Iterator[Floor]:
        floors = map("".join, product("*.", repeat=self.squares))
        return ((place, floor) for floor in floors for place in range(self.squares))

    def actions(self, state: Floor) -> tuple[Act, ...]:
        return _ACTS

    def results(self, state: Floor, action: Act) -> tuple[Floor]:
        place, floor = state
        if action == "Left":
            return ((max(place - 1, 0), floor),)
        if action == "Right":
            return ((min(place + 1, self.squares - 1), floor),)
        return ((place, floor[:place] + "." + floor[place + 1 :]),)

    def is_goal(self, state: Floor) -> bool:
        return "*" not in state[1]

    def format_state(self, state: Floor) -> str:
        """The squares, the vacuum's own in brackets: `*[.]*`."""
        place, floor = state
        return f"{floor[:place]}[{floor[place]}]{floor[place + 1 :]}"

    def parse_state(self, text: str) -> Floor:
        floor = text.replace("[", "").replace("]", "")
        place = text.find("[")
        if len(floor) != self.squares or not set(floor) <= {"*", "."} or text != self.format_state((place, floor)):
            raise ValueError(f"{text!r} is not a row of {self.squares} squares such as '[*]{'.' * (self.squares - 1)}'")
        return place, floor

    def parse_action(self, text: str) -> Act:
        """An action by name or by the beginning of its name."""
        matching = [act for act in _ACTS if text and act.lower().startswith(text.lower())]
        if not matching:
            raise ValueError(f"{text!r} is not {', '.join(_ACTS)}, or the beginning of one")
        return matching[0]
