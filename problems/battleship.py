"""Battleship on a line: sink or locate a ship that lies somewhere in a row of cells."""

from collections.abc import Collection, Container, Iterable
from functools import cached_property
from typing import Literal, TypeAlias

from attrs import field, frozen
from attrs.validators import ge, in_

from beliefsearch import BeliefProblem, Drawing, KnownAnswer
from beliefsearch.hooks import BeliefClassHook, DistinctActionsHook

Ship: TypeAlias = tuple[int, tuple[int, ...]]
"""The first cell of the ship, and those of its cells that were hit, in order."""

Sight: TypeAlias = Literal["hit", "miss"]

_MOST_CELLS = 200
_MOST_NUMBERED = 12


@frozen
class BattleshipProblem(BeliefProblem[Ship, int, Sight], DistinctActionsHook[Ship, int], BeliefClassHook[Ship]):
    """Sink a ship that lies somewhere in a row of cells, or find out where it lies.

    Story
    -----
    A ship covers some neighbouring cells of a row, you do not know which. You shoot at one cell after the other and
    are told whether you hit. How many shots are sure to sink the ship, that is, to hit every cell of it? And how many
    to know where it lies?

    Formal model
    ------------
    A state is the first cell of the ship, counted from 1, and its cells that were hit. An action is a cell to shoot at;
    it costs 1. The percept is `hit` or `miss`; that a ship is sunk is not said but follows. The goal is that all its
    cells were hit, or with `--goal locate` to know its place (`goal_sets`); then hits leave no trace in the state. The
    row may be looked at from either end (`belief_class`).

    Source
    ------
    A. Fiat and A. Shamir, "How to find a battleship" (Networks 19, 1989), for the game and its theory; on a line the
    answers are by brute force over what can be known.

    Known answers
    -------------
    A ship of one cell in n takes n shots to sink and n - 1 to locate. To hit a ship of L cells at all takes n // L
    shots. A ship of 3 in a row of 10 takes 6 shots to sink and 4 to locate.
    """

    known_answers = (
        KnownAnswer({}, 6),
        KnownAnswer({"goal": "locate"}, 4),
        KnownAnswer({"cells": 8, "ship": 2}, 5),
        KnownAnswer({"cells": 5, "ship": 1}, 5),
        KnownAnswer({"cells": 5, "ship": 1, "goal": "locate"}, 4),
        KnownAnswer({"cells": 3, "ship": 3, "goal": "locate"}, 0),
    )

    cells: int = field(default=10, validator=ge(1), metadata={"help": "number of cells in the row"})
    ship: int = field(default=3, validator=ge(1), metadata={"help": "how many cells the ship covers"})
    goal: Literal["sink", "locate"] = field(
        default="sink",
        validator=in_(("sink", "locate")),
        metadata={"help": "what to do: hit all cells of the ship, or get to know where it lies"},
    )

    def __attrs_post_init__(self) -> None:
        if self.cells > _MOST_CELLS:
            raise ValueError(f"cells: {self.cells:,} are too many; choose {_MOST_CELLS} or fewer")
        if self.ship > self.cells:
            raise ValueError(f"ship: one of {self.ship} cells does not fit into {self.cells}; choose a smaller one")

    def initial_states(self) -> list[Ship]:
        return [(first, ()) for first in range(1, self.cells - self.ship + 2)]

    def actions(self, state: Ship) -> range:
        return range(1, self.cells + 1)

    def results(self, state: Ship, action: int) -> tuple[Ship]:
        first, hits = state
        if self.goal == "sink" and self._covers(first, action) and action not in hits:
            return ((first, tuple(sorted((*hits, action)))),)
        return (state,)

    def percepts(self, state: Ship, action: int) -> tuple[Sight]:
        return ("hit" if self._covers(state[0], action) else "miss",)

    def is_goal(self, state: Ship) -> bool:
        return self.goal == "locate" or len(state[1]) == self.ship  # who sees the state knows where the ship lies

    def goal_sets(self) -> Iterable[Container[Ship]]:
        return super().goal_sets() if self.goal == "sink" else self._places

    @cached_property
    def _places(self) -> tuple[frozenset[Ship], ...]:
        return tuple(frozenset((ship,)) for ship in self.initial_states())

    def _covers(self, first: int, cell: int) -> bool:
        return first <= cell < first + self.ship

    # How states and actions are written, read and drawn.

    def format_state(self, state: Ship) -> str:
        """The cells of the ship, and those that were hit: `4-6`, `4-6, hit 4 5`."""
        first, hits = state
        last = first + self.ship - 1
        place = f"{first}-{last}" if last > first else str(first)
        return f"{place}, hit {' '.join(map(str, hits))}" if hits else place

    def draw_state(self, state: Ship) -> str:
        first, hits = state
        return "".join("x" if cell in hits else ".o"[self._covers(first, cell)] for cell in self.actions(state))

    def parse_state(self, text: str) -> Ship:
        place, _, hit = text.partition(",")
        first, _, last = place.strip().partition("-")
        hits = hit.replace("hit", " ").split()
        if first.isdecimal() and all(word.isdecimal() for word in hits):
            start, cells = int(first), sorted(set(map(int, hits)))
            fits = 1 <= start <= self.cells - self.ship + 1 and last in ("", str(start + self.ship - 1))
            if fits and all(self._covers(start, cell) for cell in cells) and not (cells and self.goal == "locate"):
                return start, tuple(cells)
        hits_too = f", or with hits {self.format_state((1, (1,)))!r}" if self.goal == "sink" else ""
        raise ValueError(
            f"{text!r} is not where a ship of {self.ship} lies in cells 1 to {self.cells}, such as "
            f"{self.format_state((1, ()))!r}{hits_too}"
        )

    def parse_action(self, text: str) -> int:
        if text.strip().isdecimal() and 1 <= int(text) <= self.cells:
            return int(text)
        raise ValueError(f"{text!r} is not a cell from 1 to {self.cells}")

    def describe_action(self, action: int) -> str:
        return f"Shoot at cell {action}"

    def svg_state(self, state: Ship) -> Drawing:
        """The sea from above, with the ship, and crosses where it was hit."""
        first, hits = state
        drawing, pitch = self._sea(), self._pitch
        x, width = self._middle(first) - 0.45 * pitch, (self.ship - 0.1) * pitch
        drawing.rectangle(x, 26 - 0.32 * pitch, width, 0.64 * pitch, r=0.32 * pitch, fill="dark", stroke="dark-edge")
        return self._crossed(drawing, hits)

    def svg_belief(self, states: Collection[Ship]) -> Drawing:
        """The sea; a cell is the darker, the more of the possible ships cover it."""
        if len(states) == 1:
            return self.svg_state(next(iter(states)))
        drawing, pitch = self._sea(), self._pitch
        for cell in range(1, self.cells + 1):
            share = sum(self._covers(first, cell) for first, _ in states) / len(states)
            if share:
                x, y = self._middle(cell) - 0.45 * pitch, 26 - 0.32 * pitch
                drawing.rectangle(x, y, 0.9 * pitch, 0.64 * pitch, r=2, fill="blue", opacity=0.15 + 0.75 * share)
        return self._crossed(drawing, frozenset.intersection(*(frozenset(hits) for _, hits in states)))

    def svg_action(self, action: int) -> Drawing:
        x, size = self._middle(action), min(0.4 * self._pitch, 9)
        drawing = Drawing(160, 60).circle(x, 26, size, fill="none", stroke="bad", width=2.5)
        for side in (-1, 1):
            near, far = 0.6 * size * side, 1.6 * size * side
            drawing.line(x + near, 26, x + far, 26, stroke="bad", width=2.5)
            drawing.line(x, 26 + near, x, 26 + far, stroke="bad", width=2.5)
        return drawing

    def _sea(self) -> Drawing:
        drawing = Drawing(160, 60).rectangle(1, 1, 158, 58, r=10, fill="blue-soft", stroke="line")
        pitch = self._pitch
        for cell in range(1, self.cells + 1):
            x = self._middle(cell)
            drawing.rectangle(x - pitch / 2, 26 - pitch / 2, pitch, pitch, fill="none", stroke="blue")
            if self.cells <= _MOST_NUMBERED:
                drawing.text(x, 35 + pitch / 2, cell, size=10, fill="blue")
        return drawing

    def _crossed(self, drawing: Drawing, cells: Iterable[int]) -> Drawing:
        """The same with a cross on each of the cells."""
        size = min(0.22 * self._pitch, 6)
        for cell in sorted(cells):
            x = self._middle(cell)
            for slope in (-1, 1):
                y = slope * size
                drawing.line(x - size, 26 - y, x + size, 26 + y, stroke="card", width=size / 2, round=True)
        return drawing

    @property
    def _pitch(self) -> float:
        """The width of a cell."""
        return min(24, 150 / self.cells)

    def _middle(self, cell: int) -> float:
        return 80 + (cell - (self.cells + 1) / 2) * self._pitch

    # For speed: shots that tell something, and the row seen from its other end.

    def distinct_actions(self, belief: frozenset[Ship]) -> list[int] | None:
        """The cells that may be hit and were not yet, those first that divide the belief most evenly.

        A cell that all possible ships cover tells nothing; it counts only if it must be hit to sink the ship.
        """
        ranked = []
        for cell in range(1, self.cells + 1):
            covering = [hits for first, hits in belief if self._covers(first, cell)]
            if 0 < len(covering) < len(belief) or (self.goal == "sink" and any(cell not in hits for hits in covering)):
                ranked.append((abs(2 * len(covering) - len(belief)), cell))
        return [cell for _, cell in sorted(ranked)] or None

    def belief_class(self, belief: frozenset[Ship]) -> tuple[Ship, ...]:
        """The belief or its mirror image, whichever comes first."""
        over = self.cells + 1
        mirrored = [
            (over - first - self.ship + 1, tuple(over - cell for cell in reversed(hits))) for first, hits in belief
        ]
        return min(tuple(sorted(belief)), tuple(sorted(mirrored)))
