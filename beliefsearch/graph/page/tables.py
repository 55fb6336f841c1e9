"""Tables of a page: states, actions, percepts and drawings, each listed once and referred to by its number.

Page data are compressed: shapes that many drawings share are listed once, and columns are run-length or difference
encoded. `scripts/unpack.js` unpacks them first of all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby, pairwise
from math import isfinite
from typing import Any

from ...model.checked import checked_drawing, checked_text

# Shorter columns are not compressed.
_SHORT = 50

# A tag with the text after it; a text element in one piece.
_PARTS = re.compile("<text[^<>]*>[^<>]*</text>|<[^<>]*>[^<>]*")


def parts_of(shapes: str) -> list[str]:
    """The parts of a drawing that others may share; joined, they are the drawing."""
    parts = _PARTS.findall(shapes)
    return parts if "".join(parts) == shapes else [shapes]


def packed(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same data with a table of shapes, to which drawings refer by number, and with compressed columns."""
    places: dict[str, int] = {}
    drawings = [
        [width, height, [places.setdefault(part, len(places)) for part in parts_of(shapes)]]
        for width, height, shapes in data.get("drawings", ())
    ]
    graphs = [{**graph, "nodes": _named_shortly(data, graph["nodes"])} for graph in data.get("graphs", ())]
    return {**_shortly({**data, "graphs": graphs}), "shapes": list(places), "drawings": drawings}


def _named_shortly(data: Mapping[str, Any], nodes: Mapping[str, Any]) -> dict[str, Any]:
    """The nodes of a graph, with 0 in place of a text that is the name of the only state, and 1 for "n states".

    If every node has one state, `members` lists these states instead of lists of one state.
    """
    names = data["states"]["names"]
    short: list[str | int] = []
    for text, size, members in zip(nodes["text"], nodes["size"], nodes["members"], strict=True):
        if size == 1 and members and text == names[members[0]]:
            short.append(0)
        else:
            short.append(1 if text == f"{size:,} states" else text)
    members = nodes["members"]
    alone = all(len(states) == 1 for states in members)
    return {**nodes, "text": short, "members": [state for (state,) in members] if alone else members}


def _shortly(value: Any) -> Any:
    """Data with all its columns of numbers compressed."""
    if isinstance(value, dict):
        return {key: _shortly(inner) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], dict):
        return list(map(_shortly, value))
    is_column = len(value) > _SHORT and all(number is None or type(number) in (int, float) for number in value)
    return _column(value) if is_column else value


def _column(values: list[Any]) -> Any:
    """The shortest form of a column: as it is, as runs `[value, count, ...]`, or as the column of its differences."""
    ways: list[Any] = [values, *({"runs": runs} for runs in _shorter_runs(values))]
    if all(type(value) is int for value in values):
        steps = [values[0], *(after - before for before, after in pairwise(values))]
        ways += [{"steps": steps}, *({"steps": {"runs": runs}} for runs in _shorter_runs(steps))]
    return min(ways, key=lambda way: len(json.dumps(way, separators=(",", ":"))))


def _shorter_runs(values: list[Any]) -> list[list[Any]]:
    """The values as runs, if there are any runs; else nothing, since that would be longer."""
    runs = [part for value, run in groupby(values) for part in (value, len(list(run)))]
    return [runs] if len(runs) < 2 * len(values) else []


MOST_NODES = 20_000
"""The most nodes of a graph."""
MOST_EDGES = 200_000
"""The most edges of a graph."""
MOST_MOVES = 200_000
"""The most results of actions in states with which a page can compute any belief."""
MOST_STEPS = 2_000
"""The most nodes of a plan that are shown, from the first on."""
MOST_STATES = 50_000
"""The most states that a page lists, and the largest belief."""
MOST_MEMBERS = {"node": 64, "step": 400, "start": 5_000}
"""The most states of a belief that are listed in a graph, in a plan, and at the start."""
MOST_LISTED = 600_000
"""The most states that all nodes of a graph, or of a plan, list together."""
MOST_DRAWN = 900_000
"""The most letters of all drawings of a page, where shared shapes count once."""
LONGEST_NAME = 400
"""The longest name that is not cut."""

ALIKE = "States that are equivalent count as one."

# The letters that the number of a shared shape takes.
_LETTERS_TO_NAME = 4

# Larger whole numbers are rounded by JavaScript.
_LARGEST = 2**53


class Tables:
    """Tables of a page about one problem, numbered in the order in which things are first mentioned.

    `is_goal` is whether the game is won, or over, in a state; `tick` is called for each drawing. Drawings are different
    rows `[width, height, shapes]`; `left_out` counts those for which there was no room.
    """

    def __init__(self, problem: Any, is_goal: Callable[[Any], bool], tick: Callable[[], None]) -> None:
        self.problem = problem
        self.left_out = 0
        self._is_goal = is_goal
        self._tick = tick
        self._states: dict[Any, int] = {}
        self._actions: dict[Any, int] = {}
        self._percepts: dict[Any, int] = {None: 0}
        self._pictures: dict[Any, int] = {}
        self._drawings: dict[tuple[Any, ...], int] = {}
        self._shapes: set[str] = set()
        self._room = MOST_DRAWN

    def state(self, state: Any) -> int:
        """The number of a state."""
        return self._states.setdefault(state, len(self._states))

    def states(self, states: Iterable[Any]) -> list[int]:
        """The numbers of some states."""
        return [self.state(state) for state in states]

    def action(self, action: Any) -> int:
        """The number of an action."""
        return self._actions.setdefault(action, len(self._actions))

    def action_or_none(self, action: Any) -> int:
        """The number of an action; -1 if there is none."""
        return -1 if action is None else self.action(action)

    def percept(self, percept: Any) -> int:
        """The number of a percept; that of None is 0."""
        return self._percepts.setdefault(percept, len(self._percepts))

    @property
    def known_states(self) -> list[Any]:
        """The states listed so far."""
        return list(self._states)

    def picture(self, states: list[Any]) -> int:
        """The number of the drawing of a belief."""
        if len(states) == 1 and not self.problem.overrides("svg_belief"):
            return self._picture_of_state(states[0])
        self._tick()
        return self._draw("svg_belief", states)

    def draw_first(self, states: Iterable[Any]) -> None:
        """Draw some states while there is room; all others are drawn when the tables are complete."""
        for state in states:
            self._picture_of_state(state)

    def _picture_of_state(self, state: Any) -> int:
        if state not in self._pictures:
            self._tick()
            self._pictures[state] = self._draw("svg_state", state)
        return self._pictures[state]

    def _draw(self, method: str, value: Any, *, may_be_none: bool = False) -> int:
        """Return the number of the drawing that an author's method makes; -1 if it is None, or there is no room."""
        drawing = checked_drawing(self.problem, method, value, may_be_none=may_be_none)
        if drawing is None:
            return -1
        row = (json_number(drawing.width), json_number(drawing.height), drawing.shapes())
        if row not in self._drawings:
            parts = parts_of(row[2])
            fresh = set(parts) - self._shapes
            letters = sum(map(len, fresh)) + _LETTERS_TO_NAME * len(parts)
            if letters > self._room:
                self.left_out += 1
                return -1
            self._room -= letters
            self._shapes |= fresh
            self._drawings[row] = len(self._drawings)
        return self._drawings[row]

    def page_data(self, notes: list[str], **parts: Any) -> dict[str, Any]:
        """The tables and the other parts of page data; states are drawn last, as far as there is room."""
        problem, states = self.problem, self.known_states
        marks = [self._draw("svg_action", action, may_be_none=True) for action in self._actions]
        tables = {
            "states": {
                "names": [name_text(problem, "format_state", state) for state in states],
                "drawing": [self._picture_of_state(state) for state in states],
                "goal": [int(self._is_goal(state)) for state in states],
            },
            "actions": {
                "names": [name_text(problem, "format_action", action) for action in self._actions],
                "words": [name_text(problem, "describe_action", action) for action in self._actions],
                "marks": marks,
            },
            "percepts": {
                "names": ["" if seen is None else name_text(problem, "format_percept", seen) for seen in self._percepts]
            },
            "drawings": [[*row] for row in self._drawings],
        }
        if self.left_out:
            notes = [*notes, f"For {self.left_out:,} drawings there is no room; names stand for them."]
        empty = dict.fromkeys(("start", "goal_sets", "moves", "values", "policy", "plan", "graphs"))
        return {**tables, **empty, "start": [], "graphs": [], **parts, "notes": notes}


def name_text(problem: Any, method: str, value: Any) -> str:
    """Return the text of an author's method for a value, cut if it is very long."""
    text = checked_text(problem, method, value)
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def json_number(value: Any) -> int | float | None:
    """A number for JavaScript, rounded to a float if necessary; None if it is infinite or too large."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) < _LARGEST else None
    try:
        number = float(value)
    except OverflowError:
        return None
    if not isfinite(number):
        return None
    return int(number) if number.is_integer() and abs(number) < _LARGEST else number


def most_members(kind: str, sizes: list[int]) -> int:
    """Return the most states that each belief may list, so that all beliefs do not list too many together."""
    most = MOST_MEMBERS[kind]
    while most > 8 and sum(min(size, most) for size in sizes) > MOST_LISTED:
        most //= 2
    return most
