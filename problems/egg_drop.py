"""The egg drop: find the highest floor from which eggs survive, with few eggs to break."""

from collections.abc import Collection
from functools import cached_property
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge

from beliefsearch import BeliefProblem, Drawing, KnownAnswer
from beliefsearch.hooks import BeliefClassHook, DistinctActionsHook

Building: TypeAlias = tuple[int, int]
"""The highest floor that eggs survive, 0 for none, and how many eggs are left."""

Sight: TypeAlias = Literal["broken", "whole"]

_MOST_FLOORS = 1000
_MOST_SEPARATE = 40
_MOST_EGGS_DRAWN = 6


@frozen
class EggDropProblem(
    BeliefProblem[Building, int, Sight], DistinctActionsHook[Building, int], BeliefClassHook[Building]
):
    """Find the highest floor from which an egg can be dropped without breaking, with few eggs to spare.

    Story
    -----
    Eggs are dropped from the floors of a tall building. An egg that survives a floor survives all lower ones and can be
    dropped again; one that breaks is gone. All eggs are alike. How many drops find the highest floor that they
    survive, if only a few eggs may break?

    Formal model
    ------------
    A state is that floor, from 0 (none) to the highest, and the number of eggs left. An action is the floor from which
    an egg is dropped; it costs 1 and needs an egg. The percept is whether it broke. The goal is to know the floor,
    whether or not eggs are left (`goal_sets`). Only how many floors are in question matters, not which
    (`belief_class`).

    Source
    ------
    J. D. E. Konhauser, D. Velleman and S. Wagon, "Which Way Did the Bicycle Go?" (1996), problem 166; M. Boardman, "The
    egg-drop numbers" (Mathematics Magazine 77, 2004).

    Known answers
    -------------
    The least d for which C(d, 1) + C(d, 2) + ... + C(d, e) is at least the number of floors, with e eggs: 14 drops for
    100 floors and 2 eggs, 9 with 3 eggs; with one egg every floor must be tried, from the lowest up.
    """

    known_answers = (
        KnownAnswer({}, 5),
        KnownAnswer({"floors": 36}, 8),
        KnownAnswer({"floors": 50}, 10),
        KnownAnswer({"floors": 41, "eggs": 3}, 6),
        KnownAnswer({"floors": 10, "eggs": 1}, 10),
        KnownAnswer({"floors": 0}, 0),
    )

    floors: int = field(default=15, validator=ge(0), metadata={"help": "number of floors"})
    eggs: int = field(default=2, validator=ge(1), metadata={"help": "number of eggs"})

    def __attrs_post_init__(self) -> None:
        if self.floors > _MOST_FLOORS:
            raise ValueError(f"floors: {self.floors:,} are too many; choose {_MOST_FLOORS:,} or fewer")

    def initial_states(self) -> list[Building]:
        return [(floor, self.eggs) for floor in range(self.floors + 1)]

    def actions(self, state: Building) -> range:
        return range(1, self.floors + 1 if state[1] else 1)

    def results(self, state: Building, action: int) -> tuple[Building]:
        floor, eggs = state
        return ((floor, eggs - (action > floor)),)

    def percepts(self, state: Building, action: int) -> tuple[Sight]:
        return ("broken" if action > state[0] else "whole",)

    def goal_sets(self) -> tuple[frozenset[Building], ...]:
        return self._goal_sets

    @cached_property
    def _goal_sets(self) -> tuple[frozenset[Building], ...]:
        eggs = range(self.eggs + 1)
        return tuple(frozenset((floor, left) for left in eggs) for floor in range(self.floors + 1))

    # How states and actions are written, read and drawn.

    def format_state(self, state: Building) -> str:
        """The floor and the eggs left: `floor 3, 2 eggs`."""
        return f"floor {state[0]}, {state[1]} {'egg' if state[1] == 1 else 'eggs'}"

    def parse_state(self, text: str) -> Building:
        """The two numbers, with or without the words; by default all eggs are left."""
        words = [word for word in text.replace(",", " ").split() if word not in ("floor", "egg", "eggs")]
        if len(words) in (1, 2) and all(word.isdecimal() for word in words):
            floor, eggs = int(words[0]), int(words[1]) if len(words) == 2 else self.eggs
            if floor <= self.floors and eggs <= self.eggs:
                return floor, eggs
        raise ValueError(
            f"{text!r} is not a floor from 0 to {self.floors} and 0 to {self.eggs} eggs, such as 'floor 0, 1 egg'"
        )

    def parse_action(self, text: str) -> int:
        if text.strip().isdecimal() and 1 <= int(text) <= self.floors:
            return int(text)
        raise ValueError(f"{text!r} is not a floor from 1 to {self.floors}")

    def describe_action(self, action: int) -> str:
        return f"Drop an egg from floor {action}"

    def svg_state(self, state: Building) -> Drawing:
        return self.svg_belief([state])

    def svg_belief(self, states: Collection[Building]) -> Drawing:
        """The building: floors that eggs survive, floors that they do not, and between them those in question."""
        drawing = Drawing().rectangle(1, 1, 98, 98, r=10, fill="felt", stroke="line")
        height = self._height
        lowest, highest = min(floor for floor, _ in states), max(floor for floor, _ in states)
        for floor in range(1, self.floors + 1):
            y = self._below(floor) - height
            fill = "accent" if floor <= lowest else "bad-soft" if floor > highest else "card"
            drawing.rectangle(34, y, 40, height, fill=fill, stroke="line" if self.floors <= _MOST_SEPARATE else "none")
        # Of many floors only some are numbered, so that the numbers can be read.
        every = 1 if self.floors <= 8 else 5 if self.floors <= 40 else 10 ** (len(str(self.floors)) - 1)
        for floor in range(every, self.floors + 1, every):
            ink = "card" if floor <= lowest else "soft"
            drawing.text(54, self._below(floor) - self._height / 2, floor, size=9, fill=ink)
        # The edge may lie at any height between these two lines.
        for floor in {lowest, highest}:
            drawing.line(28, self._below(floor + 1), 80, self._below(floor + 1), stroke="ink", width=2)
        drawing.line(8, 92, 92, 92, stroke="soft", width=2)
        left = max(eggs for _, eggs in states)
        for number in range(min(left, _MOST_EGGS_DRAWN)):
            _draw_egg(drawing, 11 + 10 * (number % 2), 84 - 14 * (number // 2))
        if left > _MOST_EGGS_DRAWN:
            drawing.text(16, 38, left, size=10, fill="bright-edge", bold=True)
        return drawing

    def svg_action(self, action: int) -> Drawing:
        y = self._below(action)
        drawing = Drawing().line(86, y - 3, 86, 90, stroke="accent", width=1.5, dashed=True)
        drawing.line(74, y, 90, y, stroke="accent", width=2)
        return _draw_egg(drawing, 86, y - 5)

    @property
    def _height(self) -> float:
        """The height of a floor."""
        return min(14, 84 / max(self.floors, 1))

    def _below(self, floor: int) -> float:
        """The place of the ground of a floor."""
        return 92 - (floor - 1) * self._height

    # For speed: floors that cannot be told apart yet are interchangeable.

    def distinct_actions(self, belief: frozenset[Building]) -> list[int] | None:
        """The floors in question, those in the middle first; any other floor would tell nothing."""
        floors = [floor for floor, _ in belief]
        lowest, highest = min(floors), max(floors)
        if lowest == highest or not all(eggs for _, eggs in belief):
            return None
        return sorted(range(lowest + 1, highest + 1), key=lambda floor: abs(2 * floor - lowest - highest - 1))

    def belief_class(self, belief: frozenset[Building]) -> tuple[tuple[int, int], ...]:
        """The floors in question, counted from the lowest, each with the eggs left."""
        lowest = min(floor for floor, _ in belief)
        return tuple(sorted((floor - lowest, eggs) for floor, eggs in belief))


def _draw_egg(drawing: Drawing, x: float, y: float) -> Drawing:
    points = [
        (x - 4, y + 1),
        (x - 4, y - 7),
        (x + 4, y - 7),
        (x + 4, y + 1),
        (x + 4, y + 6),
        (x - 4, y + 6),
        (x - 4, y + 1),
    ]
    return drawing.curve(points, fill="bright", stroke="bright-edge")
