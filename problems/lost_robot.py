"""The lost robot: reach a given cell of a room from anywhere, or find out which cell it is in."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from functools import cached_property
from itertools import compress, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import BeliefProblem, Drawing, KnownAnswer
from beliefsearch.hooks import PerceptArrayHook
from beliefsearch.tools import read_data_file

from ._pictures.parts import COMPASS, Direction, edge_arrow
from ._pictures.rooms import Room

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Place: TypeAlias = tuple[int, int]
"""X from the west and Y from the south, both from 1."""

Step: TypeAlias = Literal["North", "East", "South", "West"]

Walls: TypeAlias = tuple[Step, ...]
"""The directions of the walls beside the robot, in the order of `Step`."""

# The cells of a larger room are not listed at once.
_MOST_LISTED = 1 << 20

_STEPS: dict[Step, Place] = {"North": (0, 1), "East": (1, 0), "South": (0, -1), "West": (-1, 0)}


def parse_place(text: str) -> Place:
    """A place from `3,4`."""
    words = text.replace(",", " ").strip("() ").split()
    if len(words) != 2 or not all(word.isdecimal() for word in words):
        raise ValueError("it should be X,Y, such as 3,4, counted from 1 from the west and from the south")
    return int(words[0]), int(words[1])


def parse_walls(text: str) -> Walls:
    """Walls from their first letters, `N W` or `nw`, or from `none`."""
    letters = set() if text.strip().lower() == "none" else set(text.upper()) - {" ", ","}
    walls = tuple(step for step in _STEPS if step[0] in letters)
    if len(walls) != len(letters) or (not letters and text.strip().lower() != "none"):
        raise ValueError("it should be letters of N, E, S and W, such as 'N W', or 'none'")
    return walls


@frozen
class LostRobotProblem(BeliefProblem[Place, Step, Walls], PerceptArrayHook[Place, Step, Walls]):
    """Bring a robot to a cell of a room from an unknown place, though it senses little or nothing.

    Story
    -----
    A robot stands somewhere in a room. It can step north, east, south and west; where a wall is in the way
    it stays where it is, and does not notice. Which steps bring it to a given cell for certain? And what if it
    feels the walls beside it, but has no idea where it is?

    Formal model
    ------------
    A state is the cell (X from the west, Y from the south, both from 1); every free cell is a possible
    start. Steps are deterministic and cost 1, and nothing is perceived. A map is a text with `#` for walls
    and anything else for free cells, north at the top; outside it there is wall.

    Variants: after each step the robot perceives which of the four cells around it are wall
    (`--sensors walls`); what it perceived before the first step is `--seen "N W"`, else unknown. It may be asked to
    know where it is, wherever that may be (`--find place`): then a belief of a single cell is the goal. Both
    together are *localisation*.

    Source
    ------
    M. Erdmann and M. Mason, "An exploration of sensorless manipulation" (1988), for the idea; G. Dudek, K.
    Romanik and S. Whitesides, "Localizing a robot with minimum travel" (1998), for localisation.

    Known answers
    -------------
    In a square room of even side n, the cell n/2 from the west and from the south takes 3n - 4 steps: 20
    for n = 8, 44 for n = 16, 92 for n = 32.

    Found by brute force over beliefs: feeling walls, 5 steps in a room of 4 x 4, 7 in 5 x 5, 17 in 8 x 8;
    only to know the place 3, 5 and 11, and in 4 x 4 without sensors 6. In two rooms of the same shape, side by side,
    no plan tells which of them it is.
    """

    known_answers = (
        KnownAnswer({}, 20),
        KnownAnswer({"rows": 16, "cols": 16}, 44),
        KnownAnswer({"sensors": "walls"}, 17),
        KnownAnswer({"sensors": "walls", "find": "place"}, 11),
    )

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
    sensors: Literal["none", "walls"] = field(
        default="none",
        validator=in_(("none", "walls")),
        metadata={"help": "what is perceived after a step: nothing, or which of the cells around are wall"},
    )
    find: Literal["goal", "place"] = field(
        default="goal",
        validator=in_(("goal", "place")),
        metadata={"help": "what to do: reach the goal, or get to know where the robot is"},
    )
    seen: Walls | None = field(
        default=None,
        metadata={
            "help": "the walls around at the start, such as 'N W' or none; default: unknown",
            "parse": parse_walls,
        },
    )

    def __attrs_post_init__(self) -> None:
        if self.find == "place" and self.goal is not None:
            raise ValueError("goal and find exclude each other; leave out goal or find")
        if self.find == "goal" and not self._is_free(self._goal):
            raise ValueError(f"goal: {self._goal[0]},{self._goal[1]} is no free cell of the room")
        if self.map is not None and not self._on_map:
            raise ValueError("map: there is no free cell in it")
        if not any(True for _ in self._possible_places()):
            raise ValueError(f"seen: no cell of the room has {self.format_percept(self.seen)} around it")

    def initial_states(self) -> list[Place]:
        return list(self._possible_places())

    def actions(self, state: Place) -> tuple[Step, ...]:
        return tuple(_STEPS)

    def results(self, state: Place, action: Step) -> tuple[Place]:
        east, north = _STEPS[action]
        after = (state[0] + east, state[1] + north)
        return (after if self._is_free(after) else state,)

    def percepts(self, state: Place, action: Step) -> tuple[Walls | None]:
        return (None if self.sensors == "none" else self._walls(state),)

    def is_sensorless(self) -> bool:
        return self.sensors == "none"

    def is_goal(self, state: Place) -> bool:
        return self.find == "place" or state == self._goal  # a player who sees the state knows it

    def goal_sets(self) -> Iterable[Container[Place]]:
        return super().goal_sets() if self.find == "goal" else [frozenset((place,)) for place in self._places()]

    def _possible_places(self) -> Iterator[Place]:
        """The cells that agree with the percept at the start."""
        return (place for place in self._places() if self.seen is None or self.seen == self._walls(place))

    def _places(self) -> Iterator[Place]:
        """The cells without a wall, in order; yielded one by one, as a room may be huge."""
        if self.map is None:
            return ((x, y) for x in range(1, self.cols + 1) for y in range(1, self.rows + 1))
        return iter(sorted(self._on_map))

    def _is_free(self, place: Place) -> bool:
        if self.map is None:
            return 1 <= place[0] <= self.cols and 1 <= place[1] <= self.rows
        return place in self._on_map

    def _walls(self, place: Place) -> Walls:
        x, y = place
        return tuple(step for step, (east, north) in _STEPS.items() if not self._is_free((x + east, y + north)))

    @cached_property
    def _goal(self) -> Place:
        if self.goal is not None:
            return self.goal
        x, y = self.cols, self.rows
        if self.map is not None:
            x, y = (max(axis) for axis in zip(*self._on_map, strict=True)) if self._on_map else (2, 2)
        return max(x // 2, 1), max(y // 2, 1)

    @cached_property
    def _on_map(self) -> frozenset[Place]:
        """The cells without a wall, read from the map."""
        assert self.map is not None
        try:
            text = read_data_file(self.map)
        except ValueError as error:
            raise ValueError(f"map: {error}") from error
        lines = text.rstrip("\n").split("\n")
        rows = enumerate(reversed(lines), 1)
        return frozenset((x, y) for y, line in rows for x, cell in enumerate(line, 1) if cell != "#")

    # How states and actions are written and read.

    def format_percept(self, percept: Walls | None) -> str:
        """`walls N W`, or `no walls`."""
        if percept is None:
            return "nothing"
        return " ".join(("walls", *(step[0] for step in percept))) if percept else "no walls"

    def format_state(self, state: Place) -> str:
        return f"{state[0]},{state[1]}"

    def parse_state(self, text: str) -> Place:
        return parse_place(text)

    def describe_action(self, action: Step) -> str:
        return f"Go {action.lower()}"

    # How the room, beliefs and steps are drawn.

    def svg_state(self, state: Place) -> Drawing:
        return self._picture.with_robot(state, self._marked, self._felt((state,)))

    def svg_belief(self, states: Collection[Place]) -> Drawing:
        """The robot's shadow on every cell where it may be."""
        if len(states) == 1:
            return self.svg_state(*states)
        return self._picture.with_shadows(states, self._marked, self._felt(states))

    def _felt(self, states: Collection[Place]) -> list[Direction]:
        """The walls that the robot feels wherever it may be; none if that differs, as before its first step."""
        felt = set(map(self._walls, states)) if self.sensors == "walls" else set()
        return [COMPASS[step] for step in felt.pop()] if len(felt) == 1 else []

    @property
    def _marked(self) -> Place | None:
        return self._goal if self.find == "goal" else None

    def svg_action(self, action: Step) -> Drawing:
        return edge_arrow(self._picture.width, self._picture.height, COMPASS[action])

    @cached_property
    def _picture(self) -> Room:
        if self.map is None:
            return Room(self.cols, self.rows)
        columns, rows = (max(axis) for axis in zip(*self._on_map, strict=True))
        return Room(columns + 1, rows + 1, self._on_map)  # with the walls above and on the right

    # For speed: where a step leads, and which walls are felt there, for all cells at once.

    def all_states(self) -> list[Place] | None:
        """All free cells, unless they are too many, or some never come up because of what is known beforehand."""
        if self.seen is not None or (self.map is None and self.rows * self.cols > _MOST_LISTED):
            return None
        return list(self._places())

    def all_results(self, action: Step) -> NDArray[np.integer[Any]]:
        import numpy as np

        beside = self._beside(action)
        return np.where(beside < 0, np.arange(len(beside)), beside)[:, np.newaxis]

    def all_percepts(self, action: Step) -> tuple[list[Walls | None], NDArray[np.integer[Any]]]:
        """The percepts are numbered in binary, with a digit for each direction."""
        import numpy as np

        if self.sensors == "none":
            return [None], np.zeros((len(self._beside(action)), 1), dtype=np.int64)
        percepts = [tuple(compress(_STEPS, digits)) for digits in product((0, 1), repeat=len(_STEPS))]
        walls = np.stack([self._beside(step) < 0 for step in _STEPS], axis=1)
        return [*percepts], walls @ [[8], [4], [2], [1]]

    def _beside(self, step: Step) -> NDArray[np.integer[Any]]:
        """For each free cell the number of the one beside it in this direction; negative where there is wall."""
        import numpy as np

        places = np.array(self.all_states())
        numbers: NDArray[np.integer[Any]] = np.full(places.max(axis=0) + 2, -1)
        numbers[tuple(places.T)] = np.arange(len(places))
        beside: NDArray[np.integer[Any]] = numbers[tuple((places + _STEPS[step]).T)]
        return beside
