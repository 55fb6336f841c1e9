"""A sequence of actions as a strip: the belief before each action, what the action does, and the belief at the end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from math import ceil
from typing import Any

from ...model.canvas.drawing import Drawing
from ...model.checked import checked_text
from ..wording import plural
from .parts import (
    LINE,
    NORMAL,
    SMALL,
    belief_picture,
    draws_beliefs,
    fitted,
    mark_of,
    sheet,
    squares_in_order,
    states_in_order,
    wrapped,
    write,
)

MOST_STEPS = 48
"""A longer plan is drawn by its first steps and its last ones."""
_LAST = 7
_MOST_SMALL, _MOST_SQUARES = 12, 108  # more states than this are not drawn one by one, or not even marked
_CELL, _PICTURE, _GAP, _COLUMNS, _MARGIN = 128.0, 100.0, 20.0, 8, 16.0
_LINES = 3


def draw_strip(
    problem: Any, steps: Iterable[Any], title: str = "", *, most: int = MOST_STEPS, small: bool = False
) -> Drawing:
    """The beliefs along a plan, in rows from left to right.

    `steps` have `states` and `action`, which is None at the end. A picture shows the belief before its action, with
    what the action marks; where the problem draws a belief as one picture, small ones of its states stand below.
    """
    first, skipped, last = _ends(iter(steps), most)
    shown = [*first, *last]
    order = list(dict.fromkeys(state for step in shown for state in step.states))
    plain = all(len(step.states) == 1 for step in shown)
    whole_beliefs = draws_beliefs(problem, order[:_MOST_SMALL])
    rows_below = ceil(len(order) / 6)
    members = _no_members if plain else _members(problem, order, whole_beliefs, 0 if small else rows_below)
    below = members(())
    words = {id(step): wrapped(_said(problem, step), _CELL, NORMAL, _LINES) for step in shown}
    text_top = 20 + _PICTURE + 6 + (0 if below is None else below.height + 6)
    high = text_top + max(map(len, words.values())) * LINE * NORMAL + 6
    count = len(first) + len(last) + bool(skipped)
    columns = min(_COLUMNS, count)
    rows = ceil(count / columns)
    width = max(2 * _MARGIN + columns * (_CELL + _GAP) - _GAP, 260)
    whole, head = sheet(width, 2 * _MARGIN + rows * (high + _GAP) - _GAP, title)

    def cell(place: int) -> tuple[float, float]:
        row, column = divmod(place, columns)
        return _MARGIN + column * (_CELL + _GAP), head + _MARGIN + row * (high + _GAP)

    for place, step in enumerate([*first, *([None] if skipped else []), *last]):
        x, y = cell(place)
        if place < count - 1:
            middle = x + _CELL + _GAP / 2, y + 20 + _PICTURE / 2
            arrow = [(middle[0] - 3, middle[1] - 6), (middle[0] + 3, middle[1]), (middle[0] - 3, middle[1] + 6)]
            whole.polyline(arrow, stroke="soft", width=1.6, round=True)
        if step is None:
            whole.text(x + _CELL / 2, y + 20 + _PICTURE / 2 - 10, "…", size=26, fill="soft")
            said = f"and {plural(skipped, 'more step')}, which {'is' if skipped == 1 else 'are'} left out"
            write(whole, wrapped(said, _CELL - 16, NORMAL, 3), x + _CELL / 2, y + 84, anchor="middle", fill="soft")
            continue
        end = step.action is None
        box = {"fill": "accent-soft", "stroke": "accent"} if end else {"fill": "none", "stroke": "line"}
        whole.rectangle(x - 4, y - 2, _CELL + 8, high + 2, r=8, **box)
        whole.text(x + 2, y + 9, str(step.number), size=NORMAL, anchor="start", bold=True, fill="soft")
        if not plain:
            whole.text(x + _CELL - 2, y + 9, plural(len(step.states), "state"), size=SMALL, anchor="end", fill="soft")
        mark = None if end else mark_of(problem, step.action)
        if len(step.states) > 1 and not whole_beliefs and len(order) <= _MOST_SMALL:
            picture = states_in_order(problem, order, step.states, _PICTURE, max(1, round(len(order) ** 0.5)), mark)
        else:
            picture = belief_picture(problem, step.states, mark)
        fitted(whole, picture, x + (_CELL - _PICTURE) / 2, y + 20, _PICTURE, _PICTURE)
        if (below := members(step.states)) is not None:
            whole.place(below, x, y + 24 + _PICTURE)
        write(whole, words[id(step)], x + _CELL / 2, y + text_top, anchor="middle", bold=end)
    return whole


def _ends(steps: Iterator[Any], most: int) -> tuple[list[Any], int, list[Any]]:
    """The first and the last steps, and how many are left out between them, for which there is a place, too."""
    few = min(_LAST, most // 2)
    first = list(islice(steps, max(1, most - few - 1)))
    last: deque[Any] = deque(maxlen=few + 1)
    rest = 0
    for step in steps:
        rest += 1
        last.append(step)
    if rest > few + 1:
        last.popleft()
    return first, rest - len(last), list(last)


def _no_members(present: Collection[Any]) -> Drawing | None:
    return None


def _members(
    problem: Any, order: list[Any], whole_beliefs: bool, rows: int
) -> Callable[[Collection[Any]], Drawing | None]:
    """Draw the possible states below a picture: small pictures in so many rows, squares or nothing.

    Without rows there are squares in place of pictures.
    """
    if len(order) > _MOST_SQUARES or (not whole_beliefs and len(order) <= _MOST_SMALL):
        return _no_members
    if len(order) > _MOST_SMALL or not rows:
        return lambda present: squares_in_order(order, present, _CELL)
    return lambda present: states_in_order(problem, order, present, _CELL, rows)


def _said(problem: Any, step: Any) -> str:
    """Say the action of a step; at the end, how the game ends."""
    if step.action is not None:
        return checked_text(problem, "describe_action", step.action)
    return "Won" if all(problem.is_goal(state) for state in step.states) else "The end"
