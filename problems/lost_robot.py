"""The lost robot: reach a cell of a room, from anywhere, without any sensor."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import BeliefProblem

Place: TypeAlias = tuple[int, int]
"""X from the west and Y from the south, both from 1."""

Step: TypeAlias = Literal["North", "East", "South", "West"]

_STEPS: dict[Step, Place] = {"North": (0, 1), "East": (1, 0), "South": (0, -1), "West": (-1, 0)}


def parse_place(text: str) -> Place:
    """A place from `3,4`."""
    words = text.replace(",", " ").strip("() ").split()
    if len(words) != 2 or not all(word.isdecimal() for word in words):
        raise ValueError("it should be X,Y, such as 3,4, counted from 1 from the west and from the south")
    return int(words[0]), int(words[1])


@frozen
class LostRobotProblem(BeliefProblem[Place, Step, None]):
    """Bring a robot to a cell of a room, wherever it is, though it senses nothing.

    Story
    -----
    A robot stands somewhere in a room. It can step north, east, south and west; where a wall is in the way
    it stays where it is, and does not notice. Which steps bring it to a given cell for certain?

    Formal model
    ------------
    A state is the cell (X from the west, Y from the south, both from 1); every free cell is a possible
    start. Steps are deterministic and cost 1, there are no percepts. A map is a text with `#` for walls
    and anything else for free cells, north at the top; outside it there is wall.

    Source
    ------
    M. Erdmann and M. Mason, "An exploration of sensorless manipulation" (1988), for the idea.

    Known answers
    -------------
    In a square room of even side n, the cell n/2 from the west and from the south takes 3n - 4 steps: 20
    for n = 8, 44 for n = 16, 92 for n = 32.
    """

    rows: int = field(default=8, validator=ge(1), metadata={"help": "cells from south to north"})
    cols: int = field(default=8, validator=ge(1), metadata={"help": "cells from west to east"})
    goal: Place | None = field(
        default=None,
        metadata={
            "help": "the cell to reach, X,Y from the west and the south; default: half of each",
            "parse": parse_place,
        },
    )
    map: Path | None = field(default=None, metadata={"help": "a text file with # for walls, instead of an empty room"})

    def __attrs_post_init__(self) -> None:
        if self._goal not in self._free:
            raise ValueError(f"goal: {self._goal[0]},{self._goal[1]} is no free cell of the room")

    def initial_states(self) -> Iterable[Place]:
        return sorted(self._free)

    def actions(self, state: Place) -> tuple[Step, ...]:
        return tuple(_STEPS)

    def results(self, state: Place, action: Step) -> tuple[Place]:
        east, north = _STEPS[action]
        after = (state[0] + east, state[1] + north)
        return (after if after in self._free else state,)

    def is_goal(self, state: Place) -> bool:
        return state == self._goal

    def format_state(self, state: Place) -> str:
        return f"{state[0]},{state[1]}"

    def parse_state(self, text: str) -> Place:
        return parse_place(text)

    @cached_property
    def _free(self) -> frozenset[Place]:
        """The cells without a wall."""
        if self.map is None:
            return frozenset((x, y) for x in range(1, self.cols + 1) for y in range(1, self.rows + 1))
        try:
            lines = self.map.read_text(encoding="utf-8").rstrip("\n").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"map: cannot read {str(self.map)!r}: {error}") from error
        rows = enumerate(reversed(lines), 1)
        return frozenset((x, y) for y, line in rows for x, cell in enumerate(line, 1) if cell != "#")

    @cached_property
    def _goal(self) -> Place:
        if self.goal is not None:
            return self.goal
        x, y = (max(axis) for axis in zip(*self._free, strict=True)) if self._free else (2, 2)
        return max(x // 2, 1), max(y // 2, 1)
